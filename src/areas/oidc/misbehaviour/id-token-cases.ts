/** ID tokens that are wrong on purpose: their claims, their signatures, and the keys that verify them. */

import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto';
import type { JWK, JWTPayload } from 'jose';
import { lazily } from '#base/lazily.js';
import { jose } from '#http/credentials/jose.js';
import { randomText } from '#http/credentials/secret-text.js';
import { casesOf } from '#kit/misbehaviour/misbehaviour.js';
import { cite } from '#kit/verdict/citations.js';
import { importKey, makeKeys } from '../model/issuer-keys.js';
import {
  type KeyPair,
  keyFor,
  type SigningAlgorithm,
  signingAlgorithms,
} from '../model/key-ring.js';
import type { IssuerCase } from './case.js';

/** An ID token that a client should reject. */
export const ofIdToken = {
  section: cite('OpenID Connect Core 1.0', '3.1.3.7'),
  expected: 'refused',
  level: 'must',
  metBy: 'granted',
  acceptedBy: ['refreshed', 'asked', 'used'],
} as const;

export const rejectsIdToken = (why: string) => `Rejects the ID token: ${why}`;

const byTls =
  'OpenID Connect Core 3.1.3.7 lets a client trust TLS instead of the signature of an ID token from the token endpoint.';

export const otherIssuer = 'https://other-issuer.example/oidc';
export const otherClient = 'another-client';
const hour = 3600;

/** Keys of this process, which no issuer publishes. */
const foreignKeys = lazily(makeKeys);

export const idTokenCases = casesOf<IssuerCase>()({
  'wrong-iss': {
    ...ofIdToken,
    what: 'The iss of the ID token is another issuer.',
    rightClient: rejectsIdToken('iss must be exactly the issuer in discovery.'),
    claims: (claims) => ({ ...claims, iss: otherIssuer }),
  },
  'neighbour-iss': {
    ...ofIdToken,
    what: 'The iss of the ID token is another issuer of the same host, one path segment below.',
    rightClient: rejectsIdToken('iss must be exactly the issuer in discovery, not begin with it.'),
    claims: (claims) => ({ ...claims, iss: `${claims.iss}/neighbour` }),
  },
  'slash-iss': {
    ...ofIdToken,
    what: 'The iss of the ID token is the issuer with a slash at its end.',
    rightClient: rejectsIdToken(
      'iss must be exactly the issuer in discovery, without a slash more.',
    ),
    claims: (claims) => ({ ...claims, iss: `${claims.iss}/` }),
  },
  'wrong-aud': {
    ...ofIdToken,
    what: 'The aud of the ID token is another client.',
    rightClient: rejectsIdToken('aud must name the client.'),
    claims: (claims) => ({ ...claims, aud: otherClient }),
  },
  'extra-aud': {
    ...ofIdToken,
    what: 'The aud of the ID token names the client and another one; azp is the other one.',
    rightClient: rejectsIdToken('the other audience is not trusted, and azp is not the client.'),
    claims: (claims) => ({
      ...claims,
      aud: [String(claims.aud), otherClient],
      azp: otherClient,
    }),
  },
  'wrong-nonce': {
    ...ofIdToken,
    what: 'The nonce of the ID token differs from the nonce of the request.',
    rightClient: rejectsIdToken('the nonce must be the one in the request.'),
    needs: 'nonce',
    claims: (claims) => ({ ...claims, nonce: randomText('other') }),
  },
  'missing-nonce': {
    ...ofIdToken,
    what: 'The ID token lacks the nonce of the request.',
    rightClient: rejectsIdToken('the nonce of the request must be in the ID token.'),
    needs: 'nonce',
    claims: ({ nonce: _, ...others }) => others,
  },
  'wrong-at-hash': {
    ...ofIdToken,
    section: cite('OpenID Connect Core 1.0', '3.1.3.8'),
    what: 'The at_hash of the ID token belongs to another access token.',
    rightClient: rejectsIdToken('at_hash must match the access token beside it.'),
    optionalBecause:
      'OpenID Connect Core 3.1.3.8 makes the check of at_hash optional in the code flow.',
    claims: (claims) => ({ ...claims, at_hash: randomText('').slice(1, 23) }),
  },
  'expired-id-token': {
    ...ofIdToken,
    what: 'The ID token expired an hour ago.',
    rightClient: rejectsIdToken('exp must be in the future, with a few minutes of tolerance.'),
    claims({ iat = 0, ...others }) {
      return { ...others, iat: iat - 2 * hour, exp: iat - hour };
    },
  },
  'issued-in-future': {
    ...ofIdToken,
    what: 'The ID token was issued a day in the future.',
    rightClient: rejectsIdToken("iat must not be far ahead of the client's clock."),
    optionalBecause: 'OpenID Connect Core 3.1.3.7 only allows clients to check iat.',
    claims({ iat = 0, exp = 0, ...others }) {
      return { ...others, iat: iat + 24 * hour, exp: exp + 24 * hour };
    },
  },
  'alg-none': {
    ...ofIdToken,
    // A client that trusts TLS need not verify the signature; it only should check alg.
    level: 'should',
    what: 'The ID token has alg none, and no signature.',
    rightClient: rejectsIdToken('alg must be the registered algorithm, and never none.'),
    sign: (claims) => unsigned({ alg: 'none', typ: 'JWT' }, claims),
  },
  'hs256-public-key': {
    ...ofIdToken,
    // The issuer cannot distinguish a client that verified this from a client that verified nothing.
    level: 'should',
    section: cite('RFC 8725', '3.1'),
    what: "The ID token has alg HS256; its secret is the issuer's public key as PEM.",
    rightClient: rejectsIdToken("the token's header must not choose the algorithm."),
    sign: signByPublicKey,
  },
  'unknown-kid': {
    ...ofIdToken,
    section: cite('OpenID Connect Core 1.0', '10.1.1'),
    what: 'The ID token is signed by a key whose kid is not in the JWKS.',
    rightClient:
      'Fetches the JWKS once more, and rejects the ID token if the key is still missing.',
    optionalBecause: byTls,
    sign: (claims, { alg }) => signByOther(claims, { alg, kid: randomText('unknown') }),
  },
  'duplicate-kid': {
    ...ofIdToken,
    section: cite('RFC 7517', '4.5'),
    isOfIssuer: true,
    what: 'The JWKS has another key first, with the same kid as the signing key.',
    rightClient: 'Rejects ambiguous keys, or tries both.',
    optionalBecause: 'RFC 7517 4.5 only recommends different kids.',
    jwks: addDecoys,
  },
  'missing-signature': {
    ...ofIdToken,
    what: 'The ID token has the usual header, and an empty signature.',
    rightClient: rejectsIdToken('every signature must be verified, including an empty one.'),
    optionalBecause: byTls,
    sign: (claims, { alg, kid }) => unsigned({ alg, typ: 'JWT', kid }, claims),
  },
  'foreign-key': {
    ...ofIdToken,
    what: 'The ID token is signed by a foreign key, with a kid of the JWKS.',
    rightClient: rejectsIdToken('the signature does not verify.'),
    optionalBecause: byTls,
    sign: signByOther,
  },
});

function signByPublicKey(claims: JWTPayload, { kid, publicJwk }: KeyPair): string {
  const text = unsigned({ alg: 'HS256', typ: 'JWT', kid }, claims);
  const key = createPublicKey({ key: publicJwk as JsonWebKey, format: 'jwk' });
  const pem = key.export({ format: 'pem', type: 'spki' });
  return text + createHmac('sha256', pem).update(text.slice(0, -1)).digest('base64url');
}

async function signByOther(claims: JWTPayload, { alg, kid }: Pick<KeyPair, 'alg' | 'kid'>) {
  const key = importKey(keyFor(alg, await foreignKeys()).privateJwk);
  const { SignJWT } = await jose();
  return new SignJWT(claims).setProtectedHeader({ alg, typ: 'JWT', kid }).sign(key);
}

/** Returns a JWT with an empty signature. */
function unsigned(...parts: readonly object[]): string {
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return `${parts.map(encoded).join('.')}.`;
}

async function addDecoys(keys: readonly JWK[]): Promise<readonly JWK[]> {
  const foreign = await foreignKeys();
  // The current keys come first.
  const decoys = keys.slice(0, signingAlgorithms.length).map(({ kid, alg }) => {
    const { publicJwk } = keyFor(alg as SigningAlgorithm, foreign);
    return { ...publicJwk, kid } as JWK;
  });
  return [...decoys, ...keys];
}
