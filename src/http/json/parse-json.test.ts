import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { caseCount } from '../../../test/support/case-count.js';
import { JsonSyntaxError, maxJsonDepth, parseJson } from './parse-json.js';

test('returns what JSON.parse returns, for any JSON', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test.each([
  ['{"a":1,}', 1, 8, 'no comma may precede }'],
  ['{"a":1,:', 1, 8, 'a property name in double quotes is expected'],
  ['{"a" 1}', 1, 6, 'a colon is expected'],
  ['{\n  "a": nope\n}', 2, 8, 'unknown word (strings need double quotes)'],
  ["{'a': 1}", 1, 2, 'a single quote; strings need double quotes'],
  ['[1 2]', 1, 4, 'a comma is expected'],
  ['{"a":1', 1, 7, 'a closing brace is expected'],
  ['[1', 1, 3, 'a closing bracket is expected'],
  ['{} {}', 1, 4, 'the end is expected here'],
  ['{"a":"b', 1, 6, 'a string is not closed'],
  ['// x\n1', 1, 1, 'JSON has no comments'],
  ['"\\x"', 1, 1, 'unknown escape'],
  ['01', 1, 2, 'the end is expected here'],
  ['', 1, 1, 'a value is expected'],
  [`[${' '.repeat(40)}x]`, 1, 42, 'unknown word (strings need double quotes)'],
  [`${'\n'.repeat(40)}[1,${'\n'.repeat(30)}  2 3]`, 71, 5, 'a comma is expected'],
  [`["${' '.repeat(40)}", "\\x"]`, 1, 46, 'unknown escape'],
  [`["${'\\\\'.repeat(40)}", x]`, 1, 86, 'unknown word (strings need double quotes)'],
  [' '.repeat(100), 1, 101, 'a value is expected'],
])('reports where %j is malformed', (text, line, column, what) => {
  expect(() => parseJson(text)).toThrow(
    new JsonSyntaxError(`Invalid JSON at line ${line}, column ${column}: ${what}.`),
  );
});

describe('a fault far into a long text', () => {
  const ones = (count: number) => '1,'.repeat(count);

  test('is reported by line and column up to 256 Ki characters', () => {
    expect(() => parseJson(`[${ones(131_000)}x]`)).toThrow('line 1, column 262002: unknown word');
    const spaces = ' '.repeat(500_000);
    expect(() => parseJson(`[1,${spaces}${ones(131_000)}x]`)).toThrow(
      'line 1, column 762004: unknown word',
    );
  });

  test.each([
    ['a word', `[${ones(140_000)}nope]`],
    ['a string that is not closed', `[${ones(1_000)}"${'x'.repeat(300_000)}`],
    ['a bracket that is not closed', `[${ones(140_000)}1`],
  ])('is reported with the surrounding text beyond: %s', (_what, text) => {
    let inWords = '';
    try {
      JSON.parse(text);
    } catch (error) {
      inWords = (error as Error).message;
    }
    expect(() => parseJson(text)).toThrow(new JsonSyntaxError(`Invalid JSON: ${inWords}.`));
  });
});

test('throws nothing but its own error, for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      try {
        parseJson(text);
      } catch (error) {
        expect(error).toBeInstanceOf(JsonSyntaxError);
      }
    }),
    { numRuns: caseCount(2000) },
  );
});

test('accepts nesting up to its limit and rejects deeper nesting, ignoring brackets in strings', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  expect(() => parseJson(nested(maxJsonDepth))).not.toThrow();
  expect(() => parseJson(nested(maxJsonDepth + 1))).toThrow('nested deeper than 500 levels');
  expect(() => parseJson(nested(500_000))).toThrow(JsonSyntaxError);
  expect(() => parseJson('['.repeat(500_000))).toThrow(JsonSyntaxError);
  const quoted = JSON.stringify({ text: `\\"${'['.repeat(2000)}` });
  expect(parseJson(quoted)).toEqual(JSON.parse(quoted));
});

test('makes __proto__ a member like any other', () => {
  const value = parseJson('{"__proto__":{"polluted":true}}') as Record<string, unknown>;
  expect(Object.keys(value)).toEqual(['__proto__']);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

describe('a limit on the number of values', () => {
  test.each([
    ['[1,[2],{"a":3}]', 6],
    ['{"a":"[,{","b":"\\",,"}', 3],
    ['"a,b"', 1],
  ])('counts the values of %s', (text, values) => {
    expect(parseJson(text, values)).toEqual(JSON.parse(text));
    if (values > 1)
      expect(() => parseJson(text, values - 1)).toThrow(`more than ${values - 1} values`);
  });
});
