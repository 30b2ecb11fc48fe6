import { expect, test } from 'vitest';
import { onlyReads } from './only-reads.js';

test.each<[string, unknown, boolean | undefined]>([
  ['a query', { query: '{ books { title } }' }, true],
  ['a query after a comment', { query: '# mutation\nquery A { books { title } }' }, true],
  ['a mutation', { query: 'mutation { addTodo(title: "query") { id } }' }, false],
  [
    'the query of two operations',
    { query: 'query A { a } mutation B { b }', operationName: 'A' },
    true,
  ],
  ['the mutation of two', { query: 'query A { a } mutation B { b }', operationName: 'B' }, false],
  ['two operations without a choice', { query: 'query A { a } mutation B { b }' }, undefined],
  [
    'a hash',
    { extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } },
    undefined,
  ],
  ['no document', { query: '{' }, undefined],
  ['a deep document', { query: '{a'.repeat(5000) }, undefined],
  ['a list', [], undefined],
])('%s', (_name, body, expected) => {
  expect(onlyReads(Buffer.from(JSON.stringify(body)))).toBe(expected);
});

test('what is not JSON', () => expect(onlyReads(Buffer.from('x'))).toBeUndefined());
