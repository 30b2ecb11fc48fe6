import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indentJson } from '../../../pages/shared/indent-json.js';

test.each([
  ['{}', '{}'],
  ['[ ]', '[]'],
  ['{"a":1}', '{\n  "a": 1\n}'],
  ['[1,[2,{}],"x"]', '[\n  1,\n  [\n    2,\n    {}\n  ],\n  "x"\n]'],
  [
    '{"n":12345678901234567890.50,"n":1E400}',
    '{\n  "n": 12345678901234567890.50,\n  "n": 1E400\n}',
  ],
  ['{"a:,{}[]\\"b":"\\\\"}', '{\n  "a:,{}[]\\"b": "\\\\"\n}'],
  ['"text"', '"text"'],
  ['null', 'null'],
])('%s', (text, indented) => {
  expect(indentJson(text)).toBe(indented);
});

test.each(['', '{', '{a:1}', '[1,]', 'x', '{"a":1}}'])('%j is not JSON', (text) => {
  expect(indentJson(text)).toBeUndefined();
});

test('any JSON is formatted as by JSON.stringify, whatever its white space', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ noUnicodeString: false }),
      fc.constantFrom(0, 1, 3),
      (value, space) => {
        expect(indentJson(JSON.stringify(value, null, space))).toBe(JSON.stringify(value, null, 2));
      },
    ),
  );
});
