import fc from 'fast-check';
import { Lexer, Source, TokenKind } from 'graphql';
import { describe, expect, test } from 'vitest';
import { caseCount } from '../../../../test/support/case-count.js';
import { scanDocument } from './scan-document.js';

describe('scanDocument', () => {
  const cases: readonly [title: string, text: string, tokens: number, nesting: number][] = [
    ['nothing', '', 0, 0],
    ['names and braces', '{ books { id title } }', 7, 2],
    ['commas and other white space', '\uFEFF{a,b\t,\r\nc}', 5, 1],
    ['a comment', '{ a # { b }\n c }', 4, 1],
    ['a comment without an end', '{ a } # {{{', 3, 1],
    ['brackets of every kind', '{a(b:[[1]])}', 12, 4],
    ['a string with braces and an escaped quote', '{a(b:"}{\\"{")}', 8, 2],
    ['a string that its line ends', '{a(b:"{{{\n)}', 8, 2],
    ['a string that ends with the text', '"\\', 1, 0],
    ['a block string', '{a(b:"""}{"{\n{""")}', 8, 2],
    ['a block string with its end escaped', '{a(b:"""{\\"""{""")}', 8, 2],
    ['a block string without an end', '"""{{{', 1, 0],
    ['numbers', '[-1 2.5 3e-4 4E+5]', 6, 1],
    ['spreads', '{...a ...b}', 6, 1],
    ['a variable with a default', '($a: Int! = 1)', 9, 1],
    ['closing more than was opened', '}}}{', 4, 0],
    ['fifty thousand braces', '{'.repeat(50_000), 50_000, 50_000],
  ];

  test.each(cases)('counts %s', (_title, text, tokens, nesting) => {
    const scan = scanDocument(text);
    expect(scan.tokens).toBe(tokens);
    if (nesting > 0) expect(scan.nesting).toBe(nesting);
  });

  test('counts the same tokens as the lexer of graphql-js, for any well-formed tokens', () => {
    const token = fc.oneof(
      fc.constantFrom('{', '}', '(', ')', '[', ']', '...', ':', '!', '$', '=', '|', '&', '@'),
      fc.stringMatching(/^[_A-Za-z][_0-9A-Za-z]{0,5}$/),
      fc.integer().map(String),
      fc.constantFrom('0.5', '-1.5e10', '2E-3', '1e+2'),
      fc.stringMatching(/^[ -!#-[\]-~{}]{0,8}$/).map((text) => `"${text}"`),
      fc.stringMatching(/^[ -!#-[\]-~\n{}]{0,8}$/).map((text) => `"""${text}"""`),
      fc.constantFrom('"\\""', '"\\\\"', '"""\\""""""', '""', '""""""'),
    );
    const between = fc.constantFrom(' ', ',', '\n', '\t ', ' # {"\n', '\r\n');
    const document = fc
      .array(fc.tuple(token, between))
      .map((pairs) => pairs.map((pair) => pair.join('')).join(''));
    fc.assert(
      fc.property(document, (text) => {
        expect(scanDocument(text).tokens).toBe(countByLexer(text));
      }),
      { numRuns: caseCount(500) },
    );
  });
});

function countByLexer(text: string): number {
  const lexer = new Lexer(new Source(text));
  let count = 0;
  while (lexer.advance().kind !== TokenKind.EOF) count += 1;
  return count;
}
