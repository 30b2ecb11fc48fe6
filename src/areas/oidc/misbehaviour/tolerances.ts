/** Valid but rare behaviour, which a client must accept. */

import type { JWK } from 'jose';
import { jose } from '#http/credentials/jose.js';
import { casesOf } from '#kit/misbehaviour/misbehaviour.js';
import { cite } from '#kit/verdict/citations.js';
import { importKey } from '../model/issuer-keys.js';
import type { IssuerCase } from './case.js';

export const tolerance = {
  kind: 'tolerance',
  expected: 'accepted',
  level: 'must',
  acceptedBy: ['refreshed', 'asked', 'used'],
} as const;

/** Keys that no client can use, and a key that it must not use for signatures. */
const extraKeys = [
  { kty: 'PQC', kid: 'unknown-type', alg: 'PQC-1', use: 'sig', pub: 'AAAA' },
  { kty: 'EC', kid: 'unknown-curve', alg: 'ES999', use: 'sig', crv: 'P-999', x: 'AAAA', y: 'AAAA' },
  {
    ...{ kty: 'EC', kid: 'for-encryption', alg: 'ECDH-ES', use: 'enc', crv: 'P-256' },
    x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
    y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
  },
  { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
] as const satisfies readonly JWK[];

export const tolerances = casesOf<IssuerCase>()({
  'aud-array': {
    ...tolerance,
    section: cite('RFC 7519', '4.1.3'),
    metBy: 'granted',
    what: 'The aud of the ID token is an array with only the client.',
    rightClient: 'Accepts it like a string: RFC 7519 4.1.3 allows both.',
    claims: (claims) => ({ ...claims, aud: [String(claims.aud)] }),
  },
  'own-azp': {
    ...tolerance,
    section: cite('OpenID Connect Core 1.0', '3.1.3.7'),
    metBy: 'granted',
    what: 'The ID token has an azp, which is the client.',
    rightClient: "Accepts it: only another client's azp is wrong (OpenID Connect Core 3.1.3.7).",
    claims: (claims) => ({ ...claims, azp: String(claims.aud) }),
  },
  'aud-array-own-azp': {
    ...tolerance,
    section: cite('OpenID Connect Core 1.0', '3.1.3.7'),
    metBy: 'granted',
    what: 'The aud of the ID token is an array with only the client, and azp is the client.',
    rightClient: 'Accepts it: azp is required to be the client, however aud is written.',
    claims: (claims) => ({ ...claims, aud: [String(claims.aud)], azp: String(claims.aud) }),
  },
  'fraction-times': {
    ...tolerance,
    section: cite('RFC 7519', '2'),
    metBy: 'granted',
    what: 'The times iat, exp and auth_time of the ID token have fractions of a second.',
    rightClient: 'Parses them as numbers: a NumericDate may have a fraction (RFC 7519 2).',
    claims(claims) {
      const times = ['iat', 'exp', 'auth_time'].filter((name) => claims[name] !== undefined);
      const early = times.map((name) => [name, Number(claims[name]) - 0.75]);
      return { ...claims, ...Object.fromEntries(early) };
    },
  },
  'no-typ': {
    ...tolerance,
    section: cite('RFC 7519', '5.1'),
    metBy: 'granted',
    what: 'The header of the ID token has no typ.',
    rightClient: 'Accepts it: typ is optional (RFC 7519 5.1).',
    async sign(claims, { alg, kid, privateJwk }) {
      const { SignJWT } = await jose();
      return new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(importKey(privateJwk));
    },
  },
  'extra-keys': {
    ...tolerance,
    level: 'should',
    section: cite('RFC 7517', '5'),
    isOfIssuer: true,
    metBy: 'granted',
    what: 'The JWKS begins with keys of an unknown kty, an unknown curve, use enc, and one without kid and alg.',
    rightClient: 'Ignores unusable keys (RFC 7517 5), and finds the right one by its kid.',
    jwks: (keys) => [...extraKeys, ...keys],
  },
  'token-type-case': {
    ...tolerance,
    section: cite('RFC 6749', '5.1'),
    metBy: 'redeemed',
    what: 'The token_type is in lower case: bearer.',
    rightClient: 'Compares it case-insensitively (RFC 6749 5.1).',
    tokenResponse: (response) => ({ ...response, token_type: response.token_type.toLowerCase() }),
  },
  'no-expires-in': {
    ...tolerance,
    section: cite('RFC 6749', '5.1'),
    metBy: 'redeemed',
    what: 'The token response has no expires_in.',
    rightClient:
      'Uses the access token until it is rejected: expires_in is only recommended (RFC 6749 5.1).',
    tokenResponse: ({ expires_in: _, ...others }) => others,
  },
  'extra-parameters': {
    ...tolerance,
    section: cite('RFC 6749', '4.1.2'),
    metBy: 'responded',
    acceptedBy: ['redeemed'],
    what: 'The response to the browser has unknown parameters, such as session_state.',
    rightClient: 'Ignores them (RFC 6749 4.1.2).',
    response: ({ parameters, ...others }) => ({
      ...others,
      parameters: {
        session_state: '1',
        'practice-api.example/unknown': 'no meaning',
        ...parameters,
      },
    }),
  },
});
