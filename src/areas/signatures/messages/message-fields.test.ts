import { expect, test } from 'vitest';
import { MessageFields } from './message-fields.js';

const values = (...sent: string[]) =>
  new MessageFields(sent.map((value) => ['X', value] as const)).valuesOf('x');

test.each([
  ['surrounding space', [' \ta b\t '], ['a b']],
  ['a folded line', ['a \r\n \t b'], ['a b']],
  ['folded lines that are empty', ['a\n \n b\n '], ['a  b']],
  ['several fields', ['a', '', ' b'], ['a', '', 'b']],
])('normalizes %s', (_name, sent, normalized) => {
  expect(values(...sent)).toEqual(normalized);
});

test('parses structured fields up to 16384 characters a message, and counts each field once', () => {
  const long = `${'a, '.repeat(3000)}a`;
  const fields = new MessageFields([
    ['A', long],
    ['B', `${long}, c`],
  ]);
  expect(fields.serializedOf('a')).toBe(long);
  expect(fields.dictionaryOf('a')).toBeInstanceOf(Map);
  expect(fields.textOf('b')).toHaveLength(long.length + 3);
  expect(() => fields.dictionaryOf('b')).toThrow('16384 characters');
});
