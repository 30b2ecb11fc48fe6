import { createCipheriv, createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sliceBytes } from '#http/sending/stream-of.js';
import { seededBytes } from './seeded-bytes.js';

const bytes = (seed: string, first: number, last: number) =>
  Buffer.concat([...seededBytes(seed, { first, last })]);

test('they are a key stream that any program can reproduce', () => {
  const key = createHash('sha256').update('a').digest().subarray(0, 16);
  const expected = createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(1000));
  expect(bytes('a', 0, 999)).toEqual(expected);
});

const whole = bytes('a', 0, 200_000);

test.each([
  ['a byte', 0, 0],
  ['inside a block', 3, 9],
  ['across blocks', 15, 16],
  ['from the end of a block', 16, 40],
  ['across slices', sliceBytes - 1, 2 * sliceBytes],
  ['the end', 199_990, 200_000],
])('%s is that part of the complete bytes', (_name, first, last) => {
  expect(bytes('a', first, last)).toEqual(whole.subarray(first, last + 1));
});

test('an empty range has no bytes, and another seed has other bytes', () => {
  expect(bytes('a', 0, -1)).toHaveLength(0);
  expect(bytes('b', 0, 99)).not.toEqual(whole.subarray(0, 100));
});

test('positions beyond 2^32 blocks have different bytes', () => {
  const far = 2 ** 40;
  expect(bytes('a', far + 5, far + 20)).toEqual(bytes('a', far, far + 40).subarray(5, 21));
});
