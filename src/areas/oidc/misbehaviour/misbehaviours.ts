/** The misbehaviours of an issuer, the tolerance cases, and what a right client does about each. */

/** An event that a run sees of a client, in the order of a login. */
export type RunEvent =
  /** It read the discovery document. */
  | 'discovered'
  /** It sent a browser to log in. */
  | 'started'
  /** The browser was sent back with a code. */
  | 'responded'
  /** It requested tokens with that code. */
  | 'redeemed'
  /** It got tokens for it. */
  | 'granted'
  /** It used its refresh token. */
  | 'refreshed'
  /** It asked who the user is. */
  | 'asked'
  /** It used the access token at the API. */
  | 'used';

/** The outcomes of a right client. */
export const expectations = ['refused', 'accepted', 'either'] as const;

/** A tolerance is right: a client must accept it. */
export const caseKinds = ['misbehaviour', 'tolerance'] as const;

export interface MisbehaviourRule {
  /** A misbehaviour without it. */
  readonly kind?: 'tolerance';
  readonly what: string;
  readonly rightClient: string;
  readonly expected: (typeof expectations)[number];
  /** The standard that makes the check of a client optional. */
  readonly optionalBecause?: string;
  /** Whether it concerns the whole issuer, so that no single request can request it. */
  readonly isOfIssuer?: true;
  /** The event by which a client meets it. */
  readonly metBy: RunEvent;
  /** A client has accepted it with any of these events after that. */
  readonly acceptedBy: readonly RunEvent[];
}

const byTls =
  'OpenID Connect Core 3.1.3.7 lets a client trust TLS instead of the signature of an ID token that comes from the token endpoint.';

/** An ID token that a client should reject. */
const ofIdToken = {
  expected: 'refused',
  metBy: 'granted',
  acceptedBy: ['refreshed', 'asked', 'used'],
} as const;
/** A response to the browser that a client should not redeem. */
const ofResponse = { expected: 'refused', metBy: 'responded', acceptedBy: ['redeemed'] } as const;
const ofTokenResponse = { metBy: 'redeemed', acceptedBy: ['refreshed', 'asked', 'used'] } as const;

/** A right behaviour that few issuers show. */
const tolerance = {
  kind: 'tolerance',
  expected: 'accepted',
  acceptedBy: ['refreshed', 'asked', 'used'],
} as const;

const rejectsIdToken = (why: string) => `Rejects the ID token: ${why}`;

export const misbehaviours = {
  'wrong-iss': {
    ...ofIdToken,
    what: 'The iss of the ID token is another issuer.',
    rightClient: rejectsIdToken('iss must be the issuer of discovery, letter by letter.'),
  },
  'wrong-aud': {
    ...ofIdToken,
    what: 'The aud of the ID token is another client.',
    rightClient: rejectsIdToken('aud must name the client.'),
  },
  'extra-aud': {
    ...ofIdToken,
    what: 'The aud of the ID token names the client and another one, and azp is the other one.',
    rightClient: rejectsIdToken('it does not trust the other audience, and azp is not the client.'),
  },
  'wrong-nonce': {
    ...ofIdToken,
    what: 'The nonce of the ID token is another than the one of the request.',
    rightClient: rejectsIdToken('the nonce must be the one that it sent.'),
  },
  'missing-nonce': {
    ...ofIdToken,
    what: 'The ID token lacks the nonce of the request.',
    rightClient: rejectsIdToken('a nonce that was sent must come back.'),
  },
  'wrong-at-hash': {
    ...ofIdToken,
    what: 'The at_hash of the ID token is that of another access token.',
    rightClient: rejectsIdToken('at_hash must be made from the access token beside it.'),
    optionalBecause:
      'OpenID Connect Core 3.1.3.8 makes the check of at_hash optional in the code flow.',
  },
  'expired-id-token': {
    ...ofIdToken,
    what: 'The ID token expired an hour ago.',
    rightClient: rejectsIdToken('exp must be in the future, a few minutes aside.'),
  },
  'issued-in-future': {
    ...ofIdToken,
    what: 'The ID token was issued a day from now.',
    rightClient: rejectsIdToken('iat cannot be far ahead of its clock.'),
    optionalBecause: 'OpenID Connect Core 3.1.3.7 says no more than that iat can be used for it.',
  },
  'alg-none': {
    ...ofIdToken,
    what: 'The ID token has alg none, and no signature.',
    rightClient: rejectsIdToken('alg must be the one that it registered; none never is.'),
  },
  'hs256-public-key': {
    ...ofIdToken,
    what: 'The ID token has alg HS256, with the public key of the issuer, as PEM, as the secret.',
    rightClient: rejectsIdToken('the header does not choose the algorithm.'),
  },
  'unknown-kid': {
    ...ofIdToken,
    what: 'The ID token is signed by a key whose kid the JWKS does not have.',
    rightClient: 'Fetches the JWKS once more, and rejects the ID token when the key is not there.',
    optionalBecause: byTls,
  },
  'duplicate-kid': {
    ...ofIdToken,
    isOfIssuer: true,
    what: 'The JWKS has another key first, with the kid of the one that signs.',
    rightClient: 'Rejects keys that it cannot tell apart, or tries both.',
    optionalBecause: 'RFC 7517 4.5 says no more than that keys should have different kids.',
  },
  'missing-signature': {
    ...ofIdToken,
    what: 'The ID token has the usual header, and nothing where the signature should be.',
    rightClient: rejectsIdToken('it verifies the signature, an empty one too.'),
    optionalBecause: byTls,
  },
  'foreign-key': {
    ...ofIdToken,
    what: 'The ID token is signed by a key of somebody else, under a kid of the JWKS.',
    rightClient: rejectsIdToken('the signature does not verify.'),
    optionalBecause: byTls,
  },
  'userinfo-sub': {
    expected: 'refused',
    metBy: 'asked',
    acceptedBy: ['refreshed', 'used'],
    what: 'Userinfo is about another sub than the ID token.',
    rightClient: 'Uses none of it: both subs must be the same.',
  },
  'wrong-state': {
    ...ofResponse,
    what: 'The state of the response is another than the one of the request.',
    rightClient: 'Rejects the response, and leaves the code alone.',
  },
  'wrong-response-iss': {
    ...ofResponse,
    what: 'The iss of the response is another issuer.',
    rightClient: 'Rejects the response, which may be of a mix-up (RFC 9207).',
  },
  'missing-response-iss': {
    ...ofResponse,
    what: 'The response lacks iss, although discovery says that it has one.',
    rightClient: 'Rejects the response (RFC 9207 section 2.4).',
  },
  'foreign-code': {
    expected: 'refused',
    metBy: 'responded',
    acceptedBy: ['refreshed', 'asked', 'used'],
    what: 'The code is of the login of somebody else, who had another code_challenge and nonce.',
    rightClient:
      'Sends the code_verifier of its own request, so that no token is given; or compares the nonce.',
  },
  'redirect-near-miss': {
    ...ofResponse,
    what: 'The browser is sent to a path below the redirect address.',
    rightClient: 'Accepts responses at the exact address that it registered only.',
  },
  'pkce-unchecked': {
    ...ofIdToken,
    what: 'As foreign-code, and the issuer accepts any code_verifier.',
    rightClient: rejectsIdToken(
      'the nonce is not its own. PKCE does not help against this issuer.',
    ),
  },
  'refresh-not-rotated': {
    expected: 'either',
    metBy: 'refreshed',
    acceptedBy: ['refreshed', 'asked', 'used'],
    what: 'A refresh token stays as it is, and can be used again and again.',
    rightClient: 'Goes on with the refresh token that it has.',
    optionalBecause: 'Rotation is the business of the issuer (RFC 9700 section 2.2.2).',
  },
  'discovery-other-issuer': {
    expected: 'refused',
    isOfIssuer: true,
    metBy: 'discovered',
    acceptedBy: ['started', 'redeemed'],
    what: 'The discovery document is about another issuer.',
    rightClient: 'Rejects the document: issuer must be what its address was made from.',
  },
  'html-errors': {
    ...ofTokenResponse,
    expected: 'refused',
    what: 'The token endpoint fails with a page in HTML, as a proxy in front does.',
    rightClient: 'Reports the status, and does not stumble over the page.',
  },
  'unknown-members': {
    ...tolerance,
    metBy: 'redeemed',
    what: 'Discovery, the JWKS, the response with tokens, the ID token and userinfo have unknown members.',
    rightClient: 'Takes no notice of them.',
  },
  slow: {
    ...ofTokenResponse,
    expected: 'either',
    what: 'The token endpoint responds after two seconds.',
    rightClient: 'Waits, or gives up; it does not send the code again.',
  },
  failing: {
    ...ofTokenResponse,
    expected: 'refused',
    what: 'The token endpoint responds with 503, with Retry-After and temporarily_unavailable.',
    rightClient: 'Reports it. It begins again later at most.',
  },
  'aud-array': {
    ...tolerance,
    metBy: 'granted',
    what: 'The aud of the ID token is an array with the client alone in it.',
    rightClient: 'Accepts it as it does the text: RFC 7519 4.1.3 has both.',
  },
  'own-azp': {
    ...tolerance,
    metBy: 'granted',
    what: 'The ID token has an azp, which is the client.',
    rightClient:
      'Accepts it: only an azp of another client is wrong (OpenID Connect Core 3.1.3.7).',
  },
  'fraction-times': {
    ...tolerance,
    metBy: 'granted',
    what: 'The times iat, exp and auth_time of the ID token have fractions of a second.',
    rightClient: 'Reads them as numbers: a NumericDate may have a fraction (RFC 7519 2).',
  },
  'no-typ': {
    ...tolerance,
    metBy: 'granted',
    what: 'The header of the ID token has no typ.',
    rightClient: 'Does without it: typ is optional (RFC 7519 5.1).',
  },
  'extra-keys': {
    ...tolerance,
    isOfIssuer: true,
    metBy: 'granted',
    what: 'The JWKS begins with keys of an unknown kty, an unknown curve, use enc, and one without kid and alg.',
    rightClient:
      'Ignores keys that it cannot use (RFC 7517 5), and finds the right one by its kid.',
  },
  'token-type-case': {
    ...tolerance,
    metBy: 'redeemed',
    what: 'The token_type is in lower case: bearer.',
    rightClient: 'Compares it without regard to case (RFC 6749 5.1).',
  },
  'no-expires-in': {
    ...tolerance,
    metBy: 'redeemed',
    what: 'The response with tokens has no expires_in.',
    rightClient:
      'Uses the access token until it is rejected: expires_in is only recommended (RFC 6749 5.1).',
  },
  'extra-parameters': {
    ...tolerance,
    metBy: 'responded',
    acceptedBy: ['redeemed'],
    what: 'The response to the browser has unknown parameters, such as session_state.',
    rightClient: 'Ignores them (RFC 6749 4.1.2).',
  },
} as const satisfies Record<string, MisbehaviourRule>;

export type MisbehaviourName = keyof typeof misbehaviours;

export const misbehaviourNames = Object.keys(misbehaviours) as readonly MisbehaviourName[];

export function ruleOf(name: MisbehaviourName): MisbehaviourRule {
  return misbehaviours[name];
}

export function kindOf(name: MisbehaviourName): (typeof caseKinds)[number] {
  return ruleOf(name).kind ?? 'misbehaviour';
}

export function isMisbehaviour(name: string): name is MisbehaviourName {
  return Object.hasOwn(misbehaviours, name);
}

export const otherIssuer = 'https://other-issuer.example/oidc';

/** Clients must ignore members that they do not know. */
export const unknownMembers = {
  'https://practice-api.example/unknown': { of: ['no', 'meaning'] },
  x_unknown: null,
};

/** Parameters of a response to the browser that clients must ignore. */
export const unknownParameters = {
  session_state: '1',
  'practice-api.example/unknown': 'no meaning',
};
