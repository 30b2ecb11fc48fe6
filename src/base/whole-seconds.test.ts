import { expect, test } from 'vitest';
import { unixSeconds, wholeSeconds } from './whole-seconds.js';

test.each([
  ['a whole second', 61_000, 61],
  ['the last millisecond of a second', 61_999, 61],
  ['a fraction of a millisecond', 60_999.9, 60],
  ['a time before 1970', -1, -1],
])('%s is rounded down', (_name, timeMs, seconds) => {
  expect(unixSeconds(timeMs)).toBe(seconds);
  expect(wholeSeconds(timeMs)).toBe(seconds * 1000);
});
