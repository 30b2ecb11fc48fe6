import { expect, test } from 'vitest';
import { parseRetryAfter } from './parse-retry-after.js';

const nowMs = Date.UTC(2030, 0, 1, 12, 0, 0, 250);

test.each<[string, string, number | undefined]>([
  ['seconds', '120', 120_000],
  ['no seconds', '0', 0],
  ['a date', 'Tue, 01 Jan 2030 12:00:02 GMT', 1750],
  ['a date that is over', 'Tue, 01 Jan 2030 11:59:59 GMT', 0],
  ['a date of RFC 850', 'Tuesday, 01-Jan-30 12:00:02 GMT', 1750],
  ['a date of asctime', 'Tue Jan  1 12:00:02 2030', 1750],
  ['nothing', '', undefined],
  ['a fraction', '1.5', undefined],
  ['a sign', '-1', undefined],
  ['a unit', '2 s', undefined],
  ['a date of ISO 8601', '2030-01-01T12:00:02Z', undefined],
  ['a day without a date', 'Tue, soon', undefined],
])('%s', (_name, value, expected) => {
  expect(parseRetryAfter(value, nowMs)).toBe(expected);
});
