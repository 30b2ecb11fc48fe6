import { parseValue } from 'graphql';
import { describe, expect, test } from 'vitest';
import { decimal, long } from './scalars.js';

const beyondJson = 'A Long must be from -9007199254740991';

describe('Decimal', () => {
  test.each([0, -0, 12.99, -1, 1e300, 61_250_000.5])(
    'is the same number %d in both directions',
    (value) => {
      expect(decimal.serialize(value)).toBe(value);
      expect(decimal.parseValue(value)).toBe(value);
    },
  );

  test.each([
    ['12', 12],
    ['12.50', 12.5],
    ['-1e3', -1000],
  ])('parses the literal %s', (text, value) => {
    expect(decimal.parseLiteral(parseValue(text))).toBe(value);
  });

  test.each(['12', true, null, Number.NaN, Number.POSITIVE_INFINITY, 1n, {}, []])(
    'rejects the value %s',
    (value) => {
      expect(() => decimal.parseValue(value)).toThrow('A Decimal must be a number');
      expect(() => decimal.serialize(value)).toThrow('A Decimal must be a number');
    },
  );

  test.each(['"12"', 'true', 'TWELVE', '[1]', '{a: 1}', '1e999'])(
    'rejects the literal %s',
    (text) => {
      expect(() => decimal.parseLiteral(parseValue(text))).toThrow('A Decimal must be a number');
    },
  );
});

describe('Long', () => {
  test.each([0, 2 ** 31, -(2 ** 40), Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])(
    'is the same number %d in both directions',
    (value) => {
      expect(long.serialize(value)).toBe(value);
      expect(long.parseValue(value)).toBe(value);
      expect(long.parseLiteral(parseValue(String(value)))).toBe(value);
    },
  );

  test.each([1.5, '1', true, null, Number.NaN, 1n])('rejects the value %s', (value) => {
    expect(() => long.parseValue(value)).toThrow('A Long must be an integer');
    expect(() => long.serialize(value)).toThrow('A Long must be an integer');
  });

  test('rejects integers that JSON would round', () => {
    expect(() => long.parseValue(2 ** 53)).toThrow(beyondJson);
    expect(() => long.serialize(2 ** 53)).toThrow(beyondJson);
    expect(() => long.parseLiteral(parseValue('9007199254740993'))).toThrow(beyondJson);
    expect(() => long.parseLiteral(parseValue('9223372036854775807'))).toThrow(beyondJson);
  });

  test.each([
    ['9223372036854775808', '64 bits'],
    ['-9223372036854775809', '64 bits'],
    ['1.0', 'integer without quotes'],
    ['"1"', 'integer without quotes'],
  ])('rejects the literal %s', (text, message) => {
    expect(() => long.parseLiteral(parseValue(text))).toThrow(message);
  });
});
