import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxInt, minInt, parseInt32, ValueError } from './parse-value.js';

test('every int is parsed from all its forms', () => {
  const space = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 });
  const zeros = fc.string({ unit: fc.constant('0'), maxLength: 20 });
  fc.assert(
    fc.property(
      fc.integer({ min: minInt, max: maxInt }),
      space,
      zeros,
      space,
      (value, before, padding, after) => {
        const sign = value < 0 ? '-' : '+';
        const digits = `${padding}${Math.abs(value)}`;
        expect(parseInt32(`${before}${sign}${digits}${after}`)).toBe(value);
        if (value >= 0) expect(parseInt32(`${before}${digits}${after}`)).toBe(value);
      },
    ),
  );
});

test('any other text is rejected', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!/^[ \t\r\n]*[+-]?\d+[ \t\r\n]*$/.test(text));
      expect(() => parseInt32(text)).toThrow(ValueError);
    }),
  );
});
