import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { MersenneTwister } from './mersenne-twister.js';

/** The results of Python 3.13 for `random.seed(seed)` and ten calls of `random.randint(0, 255)`. */
test.each([
  ['zero', 0n, 'c5d71484f8cf9bf4b76f'],
  ['one', 1n, '4420823cfde6f1c26b30'],
  ['a negative number, as its absolute value', -1n, '4420823cfde6f1c26b30'],
  ['a small number', 42n, '390c8c7d7247342cd810'],
  ['the largest number in one word', 2n ** 32n - 1n, '686e95aec38fb5fed220'],
  ['the smallest number in two words', 2n ** 32n, '39b3d5080ba9e7074626'],
  ['two words', 12345678901234567890n, 'e5a7b575f4ba4226591f'],
  ['more than two words', -(10n ** 40n), 'b14a6479fe5923dc9a5a'],
  ['three words with a zero between', 2n ** 64n + 5n, '33b122a016c5ccc003c1'],
])('the seed %s', (_name, seed, hex) => {
  expect(new MersenneTwister(seed).bytes(10).toString('hex')).toBe(hex);
});

test('continues after its first 624 numbers', () => {
  const bytes = new MersenneTwister(7n).bytes(102_400);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(
    '5f4f7d6b6978b3f4486a95e854dc551e9a976de5721eea250a81061216b463df',
  );
});

test('bytes drawn in parts are the same as drawn at once', () => {
  const twister = new MersenneTwister(9n);
  const parts = [twister.bytes(3), twister.bytes(0), twister.bytes(4)];
  expect(Buffer.concat(parts)).toEqual(new MersenneTwister(9n).bytes(7));
});
