/** The keys that areas sign with: those that are set, and random ones that the state keeps otherwise. */

import { randomBytes } from 'node:crypto';
import type { Config } from '../config/settings.js';
import { type Space, type State, serviceSandboxName } from '../state/state.js';

export interface SigningKeys {
  /** Signs JWTs as it stands, so that others can verify them. */
  readonly jwt: Buffer;
  /** Signs what only this service reads: nonces and tokens. */
  readonly nonce: Buffer;
  /** Signs the positions in pagination cursors. */
  readonly cursor: Buffer;
}

/** By their name, in base64. */
const keysSpace: Space<string> = { name: 'signing-keys', maxKeys: 10, isKeptWhenFull: true };

const keyBytes = 32;

/** Whoever starts first makes the keys that are not set, for all who share the state. */
export async function readSigningKeys(
  { jwtKey, nonceKey, cursorKey }: Config,
  state: State,
): Promise<SigningKeys> {
  async function keyFor(name: keyof SigningKeys, configured: string | undefined): Promise<Buffer> {
    if (configured !== undefined) return Buffer.from(configured);
    const fresh = randomBytes(keyBytes).toString('base64');
    const kept = await state
      .sandbox(serviceSandboxName)
      .update(keysSpace, name, (known = fresh) => ({ value: known, result: known }));
    return Buffer.from(kept, 'base64');
  }
  const [jwt, nonce, cursor] = await Promise.all([
    keyFor('jwt', jwtKey),
    keyFor('nonce', nonceKey),
    keyFor('cursor', cursorKey),
  ]);
  return { jwt, nonce, cursor };
}
