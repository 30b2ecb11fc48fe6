import { expect, test } from 'vitest';
import { keepLatest } from './latest-values.js';

test('values are made once, and again when they were not among the latest', () => {
  const made: string[] = [];
  const get = keepLatest(2, (key) => {
    made.push(key);
    return key.toUpperCase();
  });
  expect([get('a'), get('b'), get('a')]).toEqual(['A', 'B', 'A']);
  expect(made).toEqual(['a', 'b']);
  // `a` was used later than `b`, which therefore goes.
  get('c');
  get('a');
  expect(made).toEqual(['a', 'b', 'c']);
  get('b');
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});
