import { expect, test } from 'vitest';
import { parseGivenDate, parseHttpDate } from './http-date.js';

const nowMs = Date.UTC(2026, 5, 1);

test.each([
  ['the usual form', 'Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37Z'],
  ['the form of RFC 850', 'Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37Z'],
  ['two digits of a year to come', 'Monday, 01-Jan-60 00:00:00 GMT', '2060-01-01T00:00:00Z'],
  ['two digits too far ahead', 'Saturday, 01-Jan-77 00:00:00 GMT', '1977-01-01T00:00:00Z'],
  ['the form of asctime', 'Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37Z'],
  ['a leap day', 'Thu, 29 Feb 2024 00:00:00 GMT', '2024-02-29T00:00:00Z'],
  ['a day that there is not', 'Fri, 30 Feb 2024 00:00:00 GMT', undefined],
  ['an hour that there is not', 'Sun, 06 Nov 1994 24:49:37 GMT', undefined],
  ['another zone', 'Sun, 06 Nov 1994 08:49:37 CET', undefined],
  ['small letters', 'sun, 06 nov 1994 08:49:37 gmt', undefined],
  ['ISO 8601', '1994-11-06T08:49:37Z', undefined],
  ['a number', '0', undefined],
  ['nothing', '', undefined],
])('parses %s', (_name, text, expected) => {
  expect(parseHttpDate(text, nowMs)).toBe(expected && Date.parse(expected));
});

test.each([
  ['an HTTP date', 'Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37Z'],
  ['a moment', '1994-11-06T08:49:37.5Z', '1994-11-06T08:49:37.5Z'],
  ['another zone', '1994-11-06T08:49:37+01:00', '1994-11-06T07:49:37Z'],
  ['a day', '1994-11-06', '1994-11-06T00:00:00Z'],
  ['a time of no zone', '1994-11-06T08:49:37', undefined],
  ['a month that there is not', '1994-13-06', undefined],
  ['words', 'tomorrow', undefined],
])('parses %s from callers', (_name, text, expected) => {
  expect(parseGivenDate(text)).toBe(expected && Date.parse(expected));
});
