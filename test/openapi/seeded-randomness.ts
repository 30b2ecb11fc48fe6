/**
 * What is random in the service, made from a seed: responses that are recorded can be compared with those
 * of another day. Import it in a test file of its own process alone.
 */

import crypto, { createHash } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

let seed = '';
let drawn = 0;

/** What is drawn from now on depends on nothing but the seed. */
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
