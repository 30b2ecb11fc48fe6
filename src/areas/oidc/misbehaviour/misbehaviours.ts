/** The misbehaviours of an issuer, the tolerance cases, and how a correct client reacts to each. */

/** Client behaviour that a run observes, in the order of a login. */
export type RunEvent =
  /** The client read the discovery document. */
  | 'discovered'
  /** The client sent a browser to log in. */
  | 'started'
  /** The browser returned with a code. */
  | 'responded'
  /** The client requested tokens with that code. */
  | 'redeemed'
  /** The client got tokens for it. */
  | 'granted'
  /** The client used its refresh token. */
  | 'refreshed'
  /** The client requested userinfo. */
  | 'asked'
  /** The client used the access token at the API. */
  | 'used';

/** The outcomes of a correct client. */
export const expectations = ['refused', 'accepted', 'either'] as const;

/** A tolerance is valid behaviour, which a client must accept. */
export const caseKinds = ['misbehaviour', 'tolerance'] as const;

export interface MisbehaviourRule {
  /** Default: a misbehaviour. */
  readonly kind?: 'tolerance';
  readonly what: string;
  readonly rightClient: string;
  /** Section of the standard. */
  readonly section: string;
  readonly expected: (typeof expectations)[number];
  /** The standard that makes this check optional for a client. */
  readonly optionalBecause?: string;
  /** Whether it affects the whole issuer, so that a single request cannot select it. */
  readonly isOfIssuer?: true;
  /** The event when a client encounters it. */
  readonly metBy: RunEvent;
  /** Events after it that show that the client has accepted it. */
  readonly acceptedBy: readonly RunEvent[];
}

const byTls =
  'OpenID Connect Core 3.1.3.7 lets a client trust TLS instead of the signature of an ID token from the token endpoint.';

/** An ID token that a client should reject. */
const ofIdToken = {
  section: 'OpenID Connect Core 1.0 section 3.1.3.7',
  expected: 'refused',
  metBy: 'granted',
  acceptedBy: ['refreshed', 'asked', 'used'],
} as const;
/** A response to the browser whose code a client should not redeem. */
const ofResponse = { expected: 'refused', metBy: 'responded', acceptedBy: ['redeemed'] } as const;
const ofTokenResponse = { metBy: 'redeemed', acceptedBy: ['refreshed', 'asked', 'used'] } as const;

/** Valid but rare behaviour. */
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
    rightClient: rejectsIdToken('iss must be exactly the issuer in discovery.'),
  },
  'wrong-aud': {
    ...ofIdToken,
    what: 'The aud of the ID token is another client.',
    rightClient: rejectsIdToken('aud must name the client.'),
  },
  'extra-aud': {
    ...ofIdToken,
    what: 'The aud of the ID token names the client and another one; azp is the other one.',
    rightClient: rejectsIdToken('the other audience is not trusted, and azp is not the client.'),
  },
  'wrong-nonce': {
    ...ofIdToken,
    what: 'The nonce of the ID token differs from the nonce of the request.',
    rightClient: rejectsIdToken('the nonce must be the one in the request.'),
  },
  'missing-nonce': {
    ...ofIdToken,
    what: 'The ID token lacks the nonce of the request.',
    rightClient: rejectsIdToken('the nonce of the request must be in the ID token.'),
  },
  'wrong-at-hash': {
    ...ofIdToken,
    section: 'OpenID Connect Core 1.0 section 3.1.3.8',
    what: 'The at_hash of the ID token belongs to another access token.',
    rightClient: rejectsIdToken('at_hash must match the access token beside it.'),
    optionalBecause:
      'OpenID Connect Core 3.1.3.8 makes the check of at_hash optional in the code flow.',
  },
  'expired-id-token': {
    ...ofIdToken,
    what: 'The ID token expired an hour ago.',
    rightClient: rejectsIdToken('exp must be in the future, with a few minutes of tolerance.'),
  },
  'issued-in-future': {
    ...ofIdToken,
    what: 'The ID token was issued a day in the future.',
    rightClient: rejectsIdToken("iat must not be far ahead of the client's clock."),
    optionalBecause: 'OpenID Connect Core 3.1.3.7 only allows clients to check iat.',
  },
  'alg-none': {
    ...ofIdToken,
    what: 'The ID token has alg none, and no signature.',
    rightClient: rejectsIdToken('alg must be the registered algorithm, and never none.'),
  },
  'hs256-public-key': {
    ...ofIdToken,
    section: 'RFC 8725 section 3.1',
    what: "The ID token has alg HS256; its secret is the issuer's public key as PEM.",
    rightClient: rejectsIdToken("the token's header must not choose the algorithm."),
  },
  'unknown-kid': {
    ...ofIdToken,
    section: 'OpenID Connect Core 1.0 section 10.1.1',
    what: 'The ID token is signed by a key whose kid is not in the JWKS.',
    rightClient:
      'Fetches the JWKS once more, and rejects the ID token if the key is still missing.',
    optionalBecause: byTls,
  },
  'duplicate-kid': {
    ...ofIdToken,
    section: 'RFC 7517 section 4.5',
    isOfIssuer: true,
    what: 'The JWKS has another key first, with the same kid as the signing key.',
    rightClient: 'Rejects ambiguous keys, or tries both.',
    optionalBecause: 'RFC 7517 4.5 only recommends different kids.',
  },
  'missing-signature': {
    ...ofIdToken,
    what: 'The ID token has the usual header, and an empty signature.',
    rightClient: rejectsIdToken('every signature must be verified, including an empty one.'),
    optionalBecause: byTls,
  },
  'foreign-key': {
    ...ofIdToken,
    what: 'The ID token is signed by a foreign key, with a kid of the JWKS.',
    rightClient: rejectsIdToken('the signature does not verify.'),
    optionalBecause: byTls,
  },
  'userinfo-sub': {
    section: 'OpenID Connect Core 1.0 section 5.3.2',
    expected: 'refused',
    metBy: 'asked',
    acceptedBy: ['refreshed', 'used'],
    what: 'Userinfo is about another sub than the ID token.',
    rightClient: 'Ignores userinfo: both subs must be the same.',
  },
  'wrong-state': {
    ...ofResponse,
    section: 'RFC 6749 section 10.12',
    what: 'The state of the response differs from the state of the request.',
    rightClient: 'Rejects the response, and does not redeem the code.',
  },
  'wrong-response-iss': {
    ...ofResponse,
    section: 'RFC 9207 section 2.4',
    what: 'The iss of the response is another issuer.',
    rightClient: 'Rejects the response, because it may be a mix-up attack (RFC 9207).',
  },
  'missing-response-iss': {
    ...ofResponse,
    section: 'RFC 9207 section 2.4',
    what: 'The response lacks iss, although discovery declares it.',
    rightClient: 'Rejects the response (RFC 9207 section 2.4).',
  },
  'repeated-response-iss': {
    ...ofResponse,
    section: 'RFC 6749 section 3.1',
    what: 'The response has iss twice: of this issuer, and of another one.',
    rightClient: 'Rejects the response: no parameter may occur twice (RFC 6749 section 3.1).',
  },
  'foreign-code': {
    section: 'RFC 9700 section 4.5',
    expected: 'refused',
    metBy: 'responded',
    acceptedBy: ['refreshed', 'asked', 'used'],
    what: 'The code belongs to the login of another user, with another code_challenge and nonce.',
    rightClient: 'Sends its own code_verifier, so that it gets no token; or compares the nonce.',
  },
  'redirect-near-miss': {
    ...ofResponse,
    section: 'RFC 9700 section 4.1',
    what: 'The browser is sent to a path below the redirect URI.',
    rightClient: 'Accepts responses only at the exact redirect URI.',
  },
  'pkce-unchecked': {
    ...ofIdToken,
    what: 'Same as foreign-code, but the issuer accepts any code_verifier.',
    rightClient: rejectsIdToken(
      'the nonce is from another login. PKCE does not help against this issuer.',
    ),
  },
  'refresh-not-rotated': {
    section: 'RFC 9700 section 2.2.2',
    expected: 'either',
    metBy: 'refreshed',
    acceptedBy: ['refreshed', 'asked', 'used'],
    what: 'A refresh token is not rotated, and works again and again.',
    rightClient: 'Continues with the same refresh token.',
    optionalBecause: 'Rotation is up to the issuer (RFC 9700 section 2.2.2).',
  },
  'discovery-other-issuer': {
    section: 'OpenID Connect Discovery 1.0 section 4.3',
    expected: 'refused',
    isOfIssuer: true,
    metBy: 'discovered',
    acceptedBy: ['started', 'redeemed'],
    what: 'The discovery document is about another issuer.',
    rightClient: 'Rejects the document: issuer must match the URL of the document.',
  },
  'html-errors': {
    ...ofTokenResponse,
    section: 'RFC 6749 section 5.2',
    expected: 'refused',
    what: 'The token endpoint fails with an HTML page, like a proxy in front of it.',
    rightClient: 'Reports the status, and does not fail on the HTML.',
  },
  'unknown-members': {
    ...tolerance,
    section: 'RFC 6749 section 5.1',
    metBy: 'redeemed',
    what: 'Discovery, the JWKS, the token response, the ID token and userinfo have unknown members.',
    rightClient: 'Ignores them.',
  },
  slow: {
    ...ofTokenResponse,
    section: 'RFC 6749 section 4.1.2',
    expected: 'either',
    what: 'The token endpoint responds after two seconds.',
    rightClient: 'Waits, or gives up, but does not send the code again.',
  },
  failing: {
    ...ofTokenResponse,
    section: 'RFC 9110 section 10.2.3',
    expected: 'refused',
    what: 'The token endpoint responds with 503, with Retry-After and temporarily_unavailable.',
    rightClient: 'Reports the error, and starts again only after the delay.',
  },
  'aud-array': {
    ...tolerance,
    section: 'RFC 7519 section 4.1.3',
    metBy: 'granted',
    what: 'The aud of the ID token is an array with only the client.',
    rightClient: 'Accepts it like a string: RFC 7519 4.1.3 allows both.',
  },
  'own-azp': {
    ...tolerance,
    section: 'OpenID Connect Core 1.0 section 3.1.3.7',
    metBy: 'granted',
    what: 'The ID token has an azp, which is the client.',
    rightClient: "Accepts it: only another client's azp is wrong (OpenID Connect Core 3.1.3.7).",
  },
  'fraction-times': {
    ...tolerance,
    section: 'RFC 7519 section 2',
    metBy: 'granted',
    what: 'The times iat, exp and auth_time of the ID token have fractions of a second.',
    rightClient: 'Parses them as numbers: a NumericDate may have a fraction (RFC 7519 2).',
  },
  'no-typ': {
    ...tolerance,
    section: 'RFC 7519 section 5.1',
    metBy: 'granted',
    what: 'The header of the ID token has no typ.',
    rightClient: 'Accepts it: typ is optional (RFC 7519 5.1).',
  },
  'extra-keys': {
    ...tolerance,
    section: 'RFC 7517 section 5',
    isOfIssuer: true,
    metBy: 'granted',
    what: 'The JWKS begins with keys of an unknown kty, an unknown curve, use enc, and one without kid and alg.',
    rightClient: 'Ignores unusable keys (RFC 7517 5), and finds the right one by its kid.',
  },
  'token-type-case': {
    ...tolerance,
    section: 'RFC 6749 section 5.1',
    metBy: 'redeemed',
    what: 'The token_type is in lower case: bearer.',
    rightClient: 'Compares it case-insensitively (RFC 6749 5.1).',
  },
  'no-expires-in': {
    ...tolerance,
    section: 'RFC 6749 section 5.1',
    metBy: 'redeemed',
    what: 'The token response has no expires_in.',
    rightClient:
      'Uses the access token until it is rejected: expires_in is only recommended (RFC 6749 5.1).',
  },
  'extra-parameters': {
    ...tolerance,
    section: 'RFC 6749 section 4.1.2',
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

/** Members that clients must ignore, because they are unknown. */
export const unknownMembers = {
  'https://practice-api.example/unknown': { of: ['no', 'meaning'] },
  x_unknown: null,
};

/** Parameters of a response to the browser that clients must ignore. */
export const unknownParameters = {
  session_state: '1',
  'practice-api.example/unknown': 'no meaning',
};
