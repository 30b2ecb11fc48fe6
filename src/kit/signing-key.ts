/** Signing keys: configured ones, or random ones from the state, which all its processes share. */

import { randomBytes } from 'node:crypto';
import { type Space, type State, serviceSandboxName } from '#state/state.js';

const keysSpace: Space<string> = { name: 'signing-keys', maxKeys: 10, isKeptWhenFull: true };

const keyBytes = 32;

export function signingKeyReader(state: State) {
  return async (name: string, set: string | undefined): Promise<Buffer> => {
    if (set !== undefined) return Buffer.from(set);
    const fresh = randomBytes(keyBytes).toString('base64');
    const kept = await state
      .sandbox(serviceSandboxName)
      .update(keysSpace, name, (known = fresh) => ({ value: known, result: known }));
    return Buffer.from(kept, 'base64');
  };
}
