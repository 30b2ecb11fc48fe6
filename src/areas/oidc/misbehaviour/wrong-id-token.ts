/** ID tokens that are wrong on purpose: their claims, their signatures, and the keys that verify them. */

import { createHmac, createPrivateKey, createPublicKey, type JsonWebKey } from 'node:crypto';
import type { JWK, JWTPayload } from 'jose';
import { lazily } from '../../../base/lazily.js';
import { jose } from '../../../http/credentials/jose.js';
import { randomText } from '../../../http/credentials/secret-text.js';
import type { Signing } from '../exchange.js';
import { type KeyPair, type SigningAlgorithm, signingAlgorithms } from '../keys/key-ring.js';
import { makeKeys } from '../keys/make-keys.js';
import type { MisbehaviourName } from './misbehaviours.js';
import { otherClient, otherIssuer, unknownMembers } from './wrong-values.js';

const hour = 3600;

/** Returns the same claims where the misbehaviour is not about them. */
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
    default:
      return claims;
  }
}

/** Returns whether an ID token can be wrong in this way: without a nonce in the request none can be missing. */
export function canBeWrong(name: MisbehaviourName, nonce: string | undefined): boolean {
  return nonce !== undefined || (name !== 'wrong-nonce' && name !== 'missing-nonce');
}

/** Keys of this process, which no issuer publishes as its own. */
const foreignKeys = lazily(makeKeys);

/** Signs the claims of a right ID token in another way. */
export async function wrongIdToken(
  { keys, sandbox }: Signing,
  idToken: string,
  alg: SigningAlgorithm,
  name: MisbehaviourName,
): Promise<string> {
  const { decodeJwt } = await jose();
  const claims = wrongClaims(name, decodeJwt(idToken));
  const { kid, publicJwk } = await keys.pairOf(sandbox, alg);
  const unsigned = (header: object) => `${encoded(header)}.${encoded(claims)}`;
  switch (name) {
    case 'alg-none':
      return `${unsigned({ alg: 'none', typ: 'JWT' })}.`;
    case 'missing-signature':
      return `${unsigned({ alg, typ: 'JWT', kid })}.`;
    case 'hs256-public-key': {
      const text = unsigned({ alg: 'HS256', typ: 'JWT', kid });
      return `${text}.${createHmac('sha256', pemOf(publicJwk)).update(text).digest('base64url')}`;
    }
    case 'unknown-kid':
      return signByOther(claims, alg, randomText('unknown'));
    case 'foreign-key':
      return signByOther(claims, alg, kid);
    default:
      return keys.sign(sandbox, claims, { alg });
  }
}

async function signByOther(claims: JWTPayload, alg: SigningAlgorithm, kid: string) {
  const { privateJwk } = await foreignKey(alg);
  const key = createPrivateKey({ key: privateJwk as JsonWebKey, format: 'jwk' });
  const { SignJWT } = await jose();
  return new SignJWT(claims).setProtectedHeader({ alg, typ: 'JWT', kid }).sign(key);
}

async function foreignKey(alg: SigningAlgorithm): Promise<KeyPair> {
  const pair = (await foreignKeys()).find((each) => each.alg === alg);
  if (pair === undefined) throw new Error(`There is no key for ${alg}.`);
  return pair;
}

/** Returns the keys that the JWKS shows. */
export async function wrongKeys(
  name: MisbehaviourName | undefined,
  keys: readonly JWK[],
): Promise<readonly JWK[]> {
  if (name === 'unknown-members') return keys.map((key) => ({ ...unknownMembers, ...key }) as JWK);
  if (name !== 'duplicate-kid') return keys;
  const decoys = await Promise.all(
    // The current ones come first.
    keys.slice(0, signingAlgorithms.length).map(async ({ kid, alg }) => {
      const { publicJwk } = await foreignKey(alg as SigningAlgorithm);
      return { ...publicJwk, ...(kid !== undefined && { kid }) };
    }),
  );
  return [...decoys, ...keys];
}

function pemOf(jwk: JWK): string | Buffer {
  const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
  return key.export({ format: 'pem', type: 'spki' });
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
