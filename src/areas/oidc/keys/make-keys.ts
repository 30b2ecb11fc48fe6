/** Fresh keys of every algorithm, made by Node's thread pool: an RSA key takes a tenth of a second or more. */

import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { JWK } from 'jose';
import { jose } from '../../../http/credentials/jose.js';
import { type KeyPair, type SigningAlgorithm, signingAlgorithms } from './key-ring.js';

const generate = promisify(generateKeyPair);

const makers: Readonly<
  Record<SigningAlgorithm, () => Promise<{ publicKey: KeyObject; privateKey: KeyObject }>>
> = {
  RS256: () => generate('rsa', { modulusLength: 2048 }),
  ES256: () => generate('ec', { namedCurve: 'P-256' }),
  EdDSA: () => generate('ed25519'),
};

export async function makeKeys(): Promise<readonly KeyPair[]> {
  const { calculateJwkThumbprint } = await jose();
  const pairs: KeyPair[] = [];
  for (const alg of signingAlgorithms) {
    const { publicKey, privateKey } = await makers[alg]();
    const publicPart = publicKey.export({ format: 'jwk' }) as JWK;
    const kid = await calculateJwkThumbprint(publicPart);
    pairs.push({
      kid,
      alg,
      publicJwk: { ...publicPart, kid, alg, use: 'sig' },
      privateJwk: privateKey.export({ format: 'jwk' }) as JWK,
    });
  }
  return pairs;
}
