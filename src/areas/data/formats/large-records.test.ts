import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import type { FieldValue } from '../source/fields.js';
import { textPieces, writeXml } from './xml.js';
import { writeYaml } from './yaml.js';

const many = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => make(index));
const named = (count: number, value: (index: number) => FieldValue) =>
  Object.fromEntries(many(count, (index) => [`n${index}`, value(index)]));

const values: readonly [string, FieldValue][] = [
  ['a small object', { id: 1, a: [1, 'two', null], b: {} }],
  ['many numbers', { id: 1, a: many(5000, (index) => index), b: 2 }],
  ['many objects', { id: 1, a: many(3000, (index) => ({ x: index, y: ['z'] })), b: [] }],
  ['many members', { id: 1, ...named(5000, (index) => index) }],
  ['large values inside large ones', many(3, () => ({ a: many(40, () => many(100, String)) }))],
  ['members with large values', { a: { b: named(3000, () => null) }, c: [named(2000, () => [])] }],
  ['large lists in lists', [[many(2500, () => true)], [[many(2500, () => [1, [2]])]]]],
  ['texts of several lines', { a: many(800, (i) => `one\n\n  two ${i}\n`), b: ' lead\n x', c: '' }],
  ['names that need quotes', { 'a: b': many(2000, () => ({ 'yes ': 'no', '': '- x' })), '- y': 1 }],
  ['texts that look like something else', { a: many(2000, () => 'yes'), b: many(2000, () => '1') }],
];

test.each(values)('YAML in pieces is what the library writes: %s', (_name, value) => {
  const pieces = [...writeYaml(value)];
  const whole = stringify(value, {
    compat: 'yaml-1.1',
    lineWidth: 0,
    aliasDuplicateObjects: false,
  });
  expect(pieces.join('')).toBe(whole);
  const values = JSON.stringify(value).split(',').length;
  if (values > 2000) expect(pieces.length).toBeGreaterThan(values / 2000);
});

test('a name that is too long for a line keeps its value in YAML', () => {
  const value = { ['k'.repeat(1100)]: many(2000, (index) => index), b: 1 };
  expect(parse([...writeYaml(value)].join(''))).toEqual(value);
});

test('XML in pieces has the same elements and texts', () => {
  const text = `${'&<'.repeat(40_000)}😀\u0001`;
  const value = { id: 1, tags: many(2000, (index) => index), text, inner: { a: null, b: [] } };
  const pieces = [...writeXml('book', value, new Map())];
  const tags = value.tags.map((each) => `<tag>${each}</tag>`).join('');
  const escaped = `${'&amp;&lt;'.repeat(40_000)}😀\ufffd`;
  const none = '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>';
  expect(pieces.join('')).toBe(
    `<book><id>1</id><tags>${tags}</tags><text>${escaped}</text><inner>${none}<b></b></inner></book>`,
  );
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200_000);
});

test('a text is cut between characters, not inside one of two halves', () => {
  const text = `x${'😀'.repeat(40_000)}`;
  const pieces = [...textPieces(text)];
  expect(pieces.join('')).toBe(text);
  expect(pieces.every((piece) => !/\p{Surrogate}/u.test(piece))).toBe(true);
  expect(pieces.length).toBeGreaterThan(2);
});
