/** ID tokens that are wrong on purpose: their claims, their signatures, and the keys that verify them. */

import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto';
import type { JWK, JWTPayload } from 'jose';
import { lazily } from '../../../base/lazily.js';
import { jose } from '../../../http/credentials/jose.js';
import { randomText } from '../../../http/credentials/secret-text.js';
import type { Signing } from '../exchange.js';
import { importKey, makeKeys } from '../model/keys/issuer-keys.js';
import { keyFor, type SigningAlgorithm, signingAlgorithms } from '../model/keys/key-ring.js';
import { type MisbehaviourName, otherIssuer, unknownMembers } from './misbehaviours.js';

const otherClient = 'another-client';
const hour = 3600;

/** Returns the same claims if the misbehaviour does not affect them. */
export function wrongClaims(name: MisbehaviourName, claims: JWTPayload): JWTPayload {
  const { iat = 0, exp = 0, nonce, ...others } = claims;
  switch (name) {
    case 'wrong-iss':
      return { ...claims, iss: otherIssuer };
    case 'wrong-aud':
      return { ...claims, aud: otherClient };
    case 'extra-aud':
      return { ...claims, aud: [String(claims.aud), otherClient], azp: otherClient };
    case 'wrong-nonce':
      return nonce === undefined ? claims : { ...claims, nonce: randomText('other') };
    case 'missing-nonce':
      return { ...others, iat, exp };
    case 'wrong-at-hash':
      return { ...claims, at_hash: randomText('').slice(1, 23) };
    case 'expired-id-token':
      return { ...claims, iat: iat - 2 * hour, exp: iat - hour };
    case 'issued-in-future':
      return { ...claims, iat: iat + 24 * hour, exp: exp + 24 * hour };
    case 'unknown-members':
      return { ...unknownMembers, ...claims };
    case 'aud-array':
      return { ...claims, aud: [String(claims.aud)] };
    case 'own-azp':
      return { ...claims, azp: String(claims.aud) };
    case 'fraction-times': {
      const { auth_time: authTime } = claims as { auth_time?: number };
      const early = (seconds: number) => seconds - 0.75;
      return {
        ...claims,
        iat: early(iat),
        exp: early(exp),
        ...(authTime !== undefined && { auth_time: early(authTime) }),
      };
    }
    default:
      return claims;
  }
}

/** Whether an ID token can be wrong in this way: without a nonce in the request, none can be missing. */
export function canBeWrong(name: MisbehaviourName, nonce: string | undefined): boolean {
  return nonce !== undefined || (name !== 'wrong-nonce' && name !== 'missing-nonce');
}

/** Keys of this process, which no issuer publishes. */
const foreignKeys = lazily(makeKeys);

/** Signs the claims of a correct ID token in another way. */
export async function wrongIdToken(
  { keys, sandbox }: Signing,
  idToken: string,
  alg: SigningAlgorithm,
  name: MisbehaviourName,
): Promise<string> {
  const { decodeJwt } = await jose();
  const claims = wrongClaims(name, decodeJwt(idToken));
  const { kid, publicJwk } = keyFor(alg, (await keys.ringOf(sandbox)).current);
  const unsigned = (header: object) => `${encoded(header)}.${encoded(claims)}`;
  switch (name) {
    case 'alg-none':
      return `${unsigned({ alg: 'none', typ: 'JWT' })}.`;
    case 'missing-signature':
      return `${unsigned({ alg, typ: 'JWT', kid })}.`;
    case 'hs256-public-key': {
      const text = unsigned({ alg: 'HS256', typ: 'JWT', kid });
      const key = createPublicKey({ key: publicJwk as JsonWebKey, format: 'jwk' });
      const pem = key.export({ format: 'pem', type: 'spki' });
      return `${text}.${createHmac('sha256', pem).update(text).digest('base64url')}`;
    }
    case 'unknown-kid':
      return signByOther(claims, alg, randomText('unknown'));
    case 'foreign-key':
      return signByOther(claims, alg, kid);
    case 'no-typ':
      return keys.sign(sandbox, claims, { alg, typ: null });
    default:
      return keys.sign(sandbox, claims, { alg });
  }
}

async function signByOther(claims: JWTPayload, alg: SigningAlgorithm, kid: string) {
  const key = importKey(keyFor(alg, await foreignKeys()).privateJwk);
  const { SignJWT } = await jose();
  return new SignJWT(claims).setProtectedHeader({ alg, typ: 'JWT', kid }).sign(key);
}

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

/** Returns the keys in the JWKS. */
export async function wrongKeys(name: MisbehaviourName | undefined, keys: readonly JWK[]) {
  if (name === 'unknown-members') return keys.map((key) => ({ ...unknownMembers, ...key }) as JWK);
  if (name === 'extra-keys') return [...extraKeys, ...keys];
  if (name !== 'duplicate-kid') return keys;
  const foreign = await foreignKeys();
  // The current keys come first.
  const decoys = keys.slice(0, signingAlgorithms.length).map(({ kid, alg }) => {
    const { publicJwk } = keyFor(alg as SigningAlgorithm, foreign);
    return { ...publicJwk, kid } as JWK;
  });
  return [...decoys, ...keys];
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
