/** Ids and times of responses. */

import { hash, randomBytes } from 'node:crypto';
import { createdAt } from '../messages/models.js';
import type { Stamp } from '../messages/provider.js';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** With a seed, ids follow from it and from the body, and the time is when the models were created. */
export function stampOf(body: object, seed: number | undefined, nowMs: number): Stamp {
  if (seed === undefined) return { id: (length) => spell(randomBytes(length)), nowMs };
  const base = hash('sha256', JSON.stringify(body), 'base64url');
  let made = 0;
  return {
    id(length) {
      const bytes = hash('sha512', `${base} ${made++}`, 'buffer');
      return spell(bytes.subarray(0, length));
    },
    nowMs: createdAt * 1000,
  };
}

function spell(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => letters[byte % letters.length]).join('');
}
