/** The measurement of growth must distinguish a quadratic cost from a linear one. */

import { expect, test } from 'vitest';
import { growthOf, maxExponent } from './growth.js';

const numbers = (size: number) => Array.from({ length: size }, (_, index) => (index * 7919) % size);

function sumOfPairs(items: readonly number[]): number {
  let sum = 0;
  for (const first of items) for (const second of items) sum += first ^ second;
  return sum;
}

test.each<[string, number, (items: readonly number[]) => unknown]>([
  ['a loop', 200_000, (items) => items.reduce((sum, item) => sum + item, 0)],
  ['sorting', 40_000, (items) => [...items].sort((a, b) => a - b)],
])('%s does not grow too fast', async (_name, largest, run) => {
  expect(await growthOf({ make: numbers, run, largest })).toBeLessThan(maxExponent);
});

test.each<[string, number, (items: readonly number[]) => unknown]>([
  ['a loop in a loop', 3000, sumOfPairs],
  ['a search of a list for each item', 6000, (items) => items.map((item) => items.indexOf(item))],
])('%s grows too fast', async (_name, largest, run) => {
  expect(await growthOf({ make: numbers, run, largest })).toBeGreaterThan(maxExponent);
});
