/**
 * Randomness of the service from a seed, so that recorded responses stay comparable. Import it only
 * in a test file with its own process.
 */

import crypto, { createHash } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

let seed = '';
let drawn = 0;

/** Makes all following random values depend only on the seed. */
export function seedRandomness(text: string): void {
  seed = text;
  drawn = 0;
}

function draw(size: number): Buffer {
  const blocks: Buffer[] = [];
  for (let length = 0; length < size; length += 32) {
    drawn += 1;
    blocks.push(createHash('sha256').update(`${seed} ${drawn}`).digest());
  }
  return Buffer.concat(blocks).subarray(0, size);
}

Object.assign(crypto, {
  randomBytes: draw,
  randomUUID: () => {
    const hex = draw(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  },
});
syncBuiltinESMExports();
