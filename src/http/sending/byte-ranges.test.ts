import { describe, expect, test } from 'vitest';
import { contentRange, ifRangeHolds, multipartOf, parseRanges } from './byte-ranges.js';

const range = (first: number, last: number) => ({ first, last });

describe('of 1,000 bytes', () => {
  test.each([
    ['the first 500', 'bytes=0-499', [range(0, 499)]],
    ['from a place on', 'bytes=900-', [range(900, 999)]],
    ['the last 50', 'bytes=-50', [range(950, 999)]],
    ['a longer suffix than there is', 'bytes=-5000', [range(0, 999)]],
    ['an end beyond the end', 'bytes=990-2000', [range(990, 999)]],
    ['the very last byte', 'bytes=999-999', [range(999, 999)]],
    ['several in their order', 'bytes=500-599, 0-9', [range(500, 599), range(0, 9)]],
    ['the first and the last', 'bytes=0-0,-1', [range(0, 0), range(999, 999)]],
    ['one beyond the end left out', 'bytes=0-9,1000-1001', [range(0, 9)]],
    ['empty elements of a list', 'bytes=, 0-9 ,', [range(0, 9)]],
    ['a unit in capitals', 'BYTES=0-9', [range(0, 9)]],
    ['overlapping ranges within the whole', 'bytes=0-99,50-149', [range(0, 99), range(50, 149)]],
    ['twenty ranges', `bytes=${Array(20).fill('5-5').join()}`, Array(20).fill(range(5, 5))],
    ['numbers beyond doubles', 'bytes=0-99999999999999999999999', [range(0, 999)]],
  ])('%s', (_name, header, expected) => {
    expect(parseRanges(header, 1000)).toEqual(expected);
  });

  test.each([
    ['beyond the end', 'bytes=1000-'],
    ['a suffix of nothing', 'bytes=-0'],
    ['none of several there', 'bytes=1000-1001,2000-'],
  ])('%s cannot be satisfied', (_name, header) => {
    expect(parseRanges(header, 1000)).toBe('unsatisfiable');
  });

  test.each([
    ['no header', undefined],
    ['another unit', 'items=0-9'],
    ['no unit', '0-9'],
    ['an end before the start', 'bytes=9-0'],
    ['no numbers', 'bytes=-'],
    ['letters', 'bytes=a-b'],
    ['a sign', 'bytes=+1-2'],
    ['white space inside', 'bytes=0 - 9'],
    ['nothing', 'bytes='],
    ['one malformed among others', 'bytes=0-9,x'],
    ['21 ranges', `bytes=${Array(21).fill('5-5').join()}`],
    ['more than the whole', 'bytes=0-999,0-0'],
  ])('%s requests no range', (_name, header) => {
    expect(parseRanges(header, 1000)).toBe('none');
  });
});

test('an empty content has no range', () => {
  expect(parseRanges('bytes=0-', 0)).toBe('unsatisfiable');
  expect(parseRanges('bytes=-5', 0)).toBe('unsatisfiable');
});

const lastModifiedMs = Date.UTC(2030, 0, 2, 3, 4, 5);
const nowMs = lastModifiedMs + 60_000;

test.each([
  ['no header', undefined, true],
  ['the same tag', '"a"', true],
  ['another tag', '"b"', false],
  ['the same tag, called weak', 'W/"a"', false],
  ['the tag without quotes', 'a', false],
  ['the same date', 'Wed, 02 Jan 2030 03:04:05 GMT', true],
  ['a later date', 'Wed, 02 Jan 2030 03:04:06 GMT', false],
  ['a date of another form', '2030-01-02T03:04:05Z', false],
])('If-Range with %s', (_name, header, holds) => {
  expect(ifRangeHolds(header, { entityTag: '"a"', lastModifiedMs }, nowMs)).toBe(holds);
});

test('a date of the current second is not a strong validator, and without Last-Modified no date matches', () => {
  const date = new Date(lastModifiedMs).toUTCString();
  expect(ifRangeHolds(date, { entityTag: '"a"', lastModifiedMs }, lastModifiedMs + 999)).toBe(
    false,
  );
  expect(ifRangeHolds(date, { entityTag: '"a"' }, nowMs)).toBe(false);
});

test('Content-Range has the range and the total', () => {
  expect(contentRange(range(0, 9), 1000)).toBe('bytes 0-9/1000');
  expect(contentRange(undefined, 1000)).toBe('bytes */1000');
});

test('several ranges make a multipart of known size', () => {
  const { parts, end, size } = multipartOf([range(0, 1), range(4, 4)], 'x', 'text/plain', 5);
  const text = `${parts[0]?.head}ab${parts[1]?.head}e${end}`;
  expect(text).toBe(
    '--x\r\nContent-Type: text/plain\r\nContent-Range: bytes 0-1/5\r\n\r\nab\r\n--x\r\nContent-Type: text/plain\r\nContent-Range: bytes 4-4/5\r\n\r\ne\r\n--x--\r\n',
  );
  expect(size).toBe(Buffer.byteLength(text));
});
