/** ID tokens that are wrong on purpose: what they say, and how they are signed. */

import { createHmac, createPrivateKey, createPublicKey, type JsonWebKey } from 'node:crypto';
import type { JWK, JWTPayload } from 'jose';
import { lazily } from '../../../base/lazily.js';
import { jose } from '../../../http/credentials/jose.js';
import type { Sandbox } from '../../../state/state.js';
import type { IssuerKeys } from '../keys/issuer-keys.js';
import { type KeyPair, type SigningAlgorithm, signingAlgorithms } from '../keys/key-ring.js';
import { makeKeys } from '../keys/make-keys.js';
import { randomText } from '../random-text.js';
import type { MisbehaviourName } from './misbehaviours.js';
import { otherClient, otherIssuer, unknownMembers } from './others.js';

const hour = 3600;

/** The claims as a misbehaviour has them; the same ones where it leaves them alone. */
export function spoilClaims(name: MisbehaviourName | undefined, claims: JWTPayload): JWTPayload {
  const { iat = 0, exp = 0, aud, nonce, ...others } = claims;
  if (name === 'wrong-iss') return { ...claims, iss: otherIssuer };
  if (name === 'wrong-aud') return { ...claims, aud: otherClient };
  if (name === 'extra-aud') return { ...claims, aud: [String(aud), otherClient], azp: otherClient };
  if (name === 'wrong-nonce' && nonce !== undefined) {
    return { ...claims, nonce: randomText('other') };
  }
  if (name === 'missing-nonce') {
    return { ...others, iat, exp, ...(aud !== undefined && { aud }) };
  }
  if (name === 'wrong-at-hash') return { ...claims, at_hash: randomText('').slice(1, 23) };
  if (name === 'expired-id-token') return { ...claims, iat: iat - 2 * hour, exp: iat - hour };
  if (name === 'issued-in-future') {
    return { ...claims, iat: iat + 24 * hour, exp: exp + 24 * hour };
  }
  if (name === 'unknown-members') return { ...unknownMembers, ...claims };
  return claims;
}

/** Whether an ID token can be wrong in this way: without a nonce in the request none can be missing. */
export function canSpoil(name: MisbehaviourName | undefined, nonce: string | undefined): boolean {
  return nonce !== undefined || (name !== 'wrong-nonce' && name !== 'missing-nonce');
}

/** Somebody else's keys: of this process, and published by no issuer as its own. */
const foreignKeys = lazily(makeKeys);

export async function signIdToken(
  keys: IssuerKeys,
  sandbox: Sandbox,
  claims: JWTPayload,
  { alg, misbehaviour }: { alg: SigningAlgorithm; misbehaviour: MisbehaviourName | undefined },
): Promise<string> {
  if (misbehaviour === undefined) return keys.sign(sandbox, claims, { alg });
  const spoiled = spoilClaims(misbehaviour, claims);
  const { kid, publicJwk } = await keys.pairOf(sandbox, alg);
  const unsigned = (header: object) => `${encoded(header)}.${encoded(spoiled)}`;
  switch (misbehaviour) {
    case 'alg-none':
      return `${unsigned({ alg: 'none', typ: 'JWT' })}.`;
    case 'missing-signature':
      return `${unsigned({ alg, typ: 'JWT', kid })}.`;
    case 'hs256-public-key': {
      const text = unsigned({ alg: 'HS256', typ: 'JWT', kid });
      return `${text}.${createHmac('sha256', pemOf(publicJwk)).update(text).digest('base64url')}`;
    }
    case 'unknown-kid':
      return signByOther(spoiled, alg, randomText('unknown'));
    case 'foreign-key':
      return signByOther(spoiled, alg, kid);
    default:
      return keys.sign(sandbox, spoiled, { alg });
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

/** What the JWKS shows. */
export async function spoilKeys(
  name: MisbehaviourName | undefined,
  keys: readonly JWK[],
): Promise<readonly JWK[]> {
  if (name === 'unknown-members') {
    return keys.map((key) => ({ ...unknownMembers, ...key }) as JWK);
  }
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
