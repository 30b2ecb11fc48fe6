import { expect, test } from 'vitest';
import { parseCookieDate } from './parse-cookie-date.js';

const ofMozart = Date.UTC(1994, 10, 6, 8, 49, 37);

test.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', ofMozart],
  ['Sunday, 06-Nov-94 08:49:37 GMT', ofMozart],
  ['Sun Nov  6 08:49:37 1994', ofMozart],
  ['06-nov-94 8:49:37', ofMozart],
  ['1994 NOVEMBER 6 08:49:37 PST', ofMozart],
  ['Thu, 01-Jan-70 00:00:01 GMT', 1000],
  ['Tue, 01-Jan-69 00:00:00 GMT', Date.UTC(2069, 0, 1)],
  ['Fri, 29 Feb 2024 00:00:00 GMT', Date.UTC(2024, 1, 29)],
])('%j is parsed', (text, ms) => {
  expect(parseCookieDate(text)).toBe(ms);
});

test.each([
  '',
  'whenever',
  '2027-03-12T18:00:00Z',
  'Sun, 06 Nov 1994',
  'Sun, 06 Nov 1994 24:00:00 GMT',
  'Sun, 06 Nov 1994 08:60:00 GMT',
  'Sun, 31 Feb 2024 00:00:00 GMT',
  'Sun, 00 Nov 1994 08:49:37 GMT',
  'Sun, 06 Nov 1600 08:49:37 GMT',
  'Sun, 06 Nov 12345 08:49:37 GMT',
])('%j is ignored', (text) => {
  expect(parseCookieDate(text)).toBeUndefined();
});
