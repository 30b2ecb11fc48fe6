import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ResponseTooLargeError } from './request-context.js';
import { writeJson } from './write-json.js';

test('any data is written as JSON.stringify writes it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' }), (data) => {
      expect(writeJson(data, 1_000_000)).toBe(JSON.stringify(data));
    }),
  );
});

test.each([
  ['null', null],
  ['an empty list', []],
  ['an empty object', {}],
  ['an object without a prototype', Object.assign(Object.create(null), { a: 1 })],
  ['names that every object has', JSON.parse('{"__proto__": 1, "constructor": 2}')],
  ['control characters and half a pair', ['\u0000\n"', '\ud800']],
])('%s', (_name, data) => {
  expect(writeJson(data, 1000)).toBe(JSON.stringify(data));
});

test('what is too long is given up before the rest of it is looked at', () => {
  const read = new Set<number>();
  const rows = Array.from({ length: 1000 }, (_, index) => ({
    get name() {
      read.add(index);
      return 'x'.repeat(100);
    },
  }));
  expect(() => writeJson({ rows }, 10_000)).toThrow(ResponseTooLargeError);
  expect(read.size).toBeGreaterThan(80);
  expect(read.size).toBeLessThan(95);
});
