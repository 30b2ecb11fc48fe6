import fc from 'fast-check';
import { expect, test } from 'vitest';
import { caseCount } from '../../../test/support/case-count.js';
import { isFault } from '../credentials/fault.js';
import { parseAuthParams } from './parse-auth-params.js';

test.each([
  ['nothing', '', {}],
  ['plain and quoted values', 'a=1, b="2"', { a: '1', b: '2' }],
  ['names in any case', 'NC=00000001, Qop=auth', { nc: '00000001', qop: 'auth' }],
  ['no space after the comma', 'a=1,b=2', { a: '1', b: '2' }],
  ['spaces and tabs around signs', 'a \t= 1 ,\t b= "2"', { a: '1', b: '2' }],
  ['empty list elements (RFC 9110 section 5.6.1)', ', a=1,, ,b=2,', { a: '1', b: '2' }],
  ['commas and equals signs in quotes', 'a="x, b=y"', { a: 'x, b=y' }],
  ['escapes in quotes', String.raw`a="x\"y\\z\q"`, { a: 'x"y\\zq' }],
  ['an empty quoted value', 'a=""', { a: '' }],
  ['prototype keys', 'constructor=1, toString="2"', { constructor: '1', tostring: '2' }],
])('%s is parsed', (_name, text, expected) => {
  const params = parseAuthParams(text);
  expect(params).toBeInstanceOf(Map);
  expect([...(params as Map<string, string>)].sort()).toEqual(Object.entries(expected).sort());
});

test.each([
  ['a word alone', 'a', /character 1 .* name=value/],
  ['a name without a value', 'a=', /character 3 .* value/],
  ['quotes that do not close', 'a="b', /closed quotes/],
  ['an escape at the end', 'a="b\\', /closed quotes/],
  ['two values', 'a=1 2', /comma is expected/],
  ['text after quotes', 'a="1"2', /comma is expected/],
  ['a repeated name', 'a=1, A=2', /a is repeated/],
  ['a value of other characters', 'uri=/path', /character 5 .* value/],
])('%s is rejected with the position', (_name, text, fault) => {
  expect(parseAuthParams(text)).toEqual({ fault: expect.stringMatching(fault) });
});

test('any text is parsed or rejected, in linear time', () => {
  const piece = fc.constantFrom('a', '=', '"', '\\', ',', ' ', '\t', 'é', 'nonce', '"x"');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
      const params = parseAuthParams(pieces.join(''));
      expect(params instanceof Map || isFault(params)).toBe(true);
    }),
    { numRuns: caseCount(2000) },
  );
});

/** Quadratic time would be minutes for each. */
test.each([`a="${'\\"'.repeat(500_000)}`, ','.repeat(1_000_000), ' '.repeat(1_000_000)])(
  'a million characters are parsed quickly: %.10s',
  (text) => {
    const params = parseAuthParams(text);
    expect(params instanceof Map || isFault(params)).toBe(true);
  },
);
