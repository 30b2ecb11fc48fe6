/** Responses that are wrong on purpose, except at the token endpoint. */

import { randomText } from '#http/credentials/secret-text.js';
import { casesOf } from '#kit/misbehaviour/misbehaviour.js';
import { advice, cite } from '#kit/verdict/citations.js';
import type { Changeable, IssuerCase } from './case.js';
import { ofIdToken, otherClient, otherIssuer, rejectsIdToken } from './id-token-cases.js';

/** A response to the browser whose code a client should not redeem. */
const ofResponse = {
  expected: 'refused',
  level: 'must',
  metBy: 'responded',
  acceptedBy: ['redeemed'],
} as const;

/** A client of a single issuer needs no defence against mix-up; others should have this one. */
const ofResponseIss = {
  ...ofResponse,
  level: 'should',
  section: `${cite('RFC 9207', '2.4')}; ${cite('RFC 9700', '2.1')}`,
} as const;

/** The ID token of a refresh. Its client may continue with the tokens of the login. */
const ofRefresh = {
  section: cite('OpenID Connect Core 1.0', '12.2'),
  expected: 'refused',
  level: 'must',
  optionalBecause:
    'OpenID Connect Core 12.2 requires this of the issuer; a client may ignore the ID token of a refresh.',
  metBy: 'renewed',
  acceptedBy: ['refreshed', 'asked', 'used'],
  inferredBy: ['refreshed', 'asked', 'used'],
} as const;

export const responseCases = casesOf<IssuerCase>()({
  'userinfo-sub': {
    section: cite('OpenID Connect Core 1.0', '5.3.2'),
    expected: 'refused',
    level: 'must',
    metBy: 'asked',
    acceptedBy: ['refreshed', 'used'],
    // A client may ignore userinfo, and use its tokens.
    inferredBy: ['refreshed', 'used'],
    what: 'Userinfo is about another sub than the ID token.',
    rightClient: 'Ignores userinfo: both subs must be the same.',
    userinfo: (claims) => ({ ...claims, sub: otherUser(claims.sub) }),
  },
  'wrong-state': {
    ...ofResponse,
    section: cite('RFC 6749', '10.12'),
    what: 'The state of the response differs from the state of the request.',
    rightClient: 'Rejects the response, and does not redeem the code.',
    needs: 'state',
    response: (response) => ({ ...response, state: randomText('other') }),
  },
  'wrong-response-iss': {
    ...ofResponseIss,
    what: 'The iss of the response is another issuer.',
    rightClient: 'Rejects the response, because it may be a mix-up attack (RFC 9207).',
    response: (response) => ({ ...response, iss: otherIssuer }),
  },
  'neighbour-response-iss': {
    ...ofResponseIss,
    what: 'The iss of the response is another issuer of the same host, one path segment below.',
    rightClient: 'Rejects the response: iss must be exactly the issuer (RFC 9207 section 2.4).',
    response: ({ iss, ...others }) => ({ ...others, iss: `${[iss].flat()[0]}/neighbour` }),
  },
  'missing-response-iss': {
    ...ofResponseIss,
    what: 'The response lacks iss, although discovery declares it.',
    rightClient: 'Rejects the response (RFC 9207 section 2.4).',
    response: (response) => ({ ...response, iss: undefined }),
  },
  'repeated-response-iss': {
    ...ofResponse,
    level: 'should',
    section: cite('RFC 6749', '3.1'),
    what: 'The response has iss twice: of this issuer, and of another one.',
    rightClient: 'Rejects the response: no parameter may occur twice (RFC 6749 section 3.1).',
    response: ({ iss = [], ...others }) => ({ ...others, iss: [iss, otherIssuer].flat() }),
  },
  'foreign-code': {
    section: cite('RFC 9700', '4.5'),
    expected: 'refused',
    level: 'must',
    metBy: 'responded',
    acceptedBy: ['refreshed', 'asked', 'used'],
    what: 'The code belongs to the login of another user, with another code_challenge and nonce.',
    rightClient: 'Sends its own code_verifier, so that it gets no token; or compares the nonce.',
    code: ofOtherUser,
  },
  'redirect-near-miss': {
    ...ofResponse,
    // Standards require this of issuers only.
    level: 'advice',
    section: advice,
    what: 'The browser is sent to a path below the redirect URI.',
    rightClient: 'Accepts responses only at the exact redirect URI.',
    response: (response) => ({ ...response, redirectUri: nearMiss(response.redirectUri) }),
  },
  'pkce-unchecked': {
    ...ofIdToken,
    what: 'Same as foreign-code, but the issuer accepts any code_verifier.',
    rightClient: rejectsIdToken(
      'the nonce is from another login. PKCE does not help against this issuer.',
    ),
    code: ofOtherUser,
    acceptsAnyVerifier: true,
  },
  'refresh-not-rotated': {
    section: cite('RFC 9700', '2.2.2'),
    expected: 'either',
    level: 'must',
    metBy: 'refreshed',
    acceptedBy: ['refreshed', 'asked', 'used'],
    what: 'A refresh token is not rotated, and works again and again.',
    rightClient: 'Continues with the same refresh token.',
    optionalBecause: 'Rotation is up to the issuer (RFC 9700 section 2.2.2).',
    keepsRefreshToken: true,
  },
  'refresh-sub': {
    ...ofRefresh,
    what: 'The ID token of a refresh is about another user.',
    rightClient: 'Rejects the response: sub must be the one of the login.',
    renewedClaims: (claims) => ({ ...claims, sub: otherUser(String(claims.sub)) }),
  },
  'refresh-aud': {
    ...ofRefresh,
    what: 'The aud of the ID token of a refresh is another client.',
    rightClient: 'Rejects the response: aud must name the client.',
    renewedClaims: (claims) => ({ ...claims, aud: otherClient }),
  },
  'discovery-other-issuer': {
    section: cite('OpenID Connect Discovery 1.0', '4.3'),
    expected: 'refused',
    level: 'must',
    isOfIssuer: true,
    metBy: 'discovered',
    acceptedBy: ['started', 'redeemed'],
    what: 'The discovery document is about another issuer.',
    rightClient: 'Rejects the document: issuer must match the URL of the document.',
    discovery: (document) => ({ ...document, issuer: otherIssuer }),
  },
});

/** Returns a path below the redirect URI, which a server accepts if it compares prefixes (RFC 9700 section 4.1.1). */
export function nearMiss(redirectUri: string): string {
  const [address = '', query] = redirectUri.split('?', 2);
  const below = `${address}${address.endsWith('/') ? '' : '/'}near-miss`;
  return query === undefined ? below : `${below}?${query}`;
}

/** Returns an injected code: it belongs to another user's login. */
function ofOtherUser({ grant, codeChallenge }: Changeable['code']): Changeable['code'] {
  const other = randomText('other');
  return {
    grant: { ...grant, sub: otherUser(grant.sub), nonce: grant.nonce && other },
    codeChallenge: codeChallenge && other.slice(-43),
  };
}

function otherUser(sub: string): string {
  return sub === 'grace' ? 'ada' : 'grace';
}
