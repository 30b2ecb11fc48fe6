import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { writeYaml } from './write-yaml.js';

const many = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => make(index));
const named = (count: number, value: (index: number) => unknown) =>
  Object.fromEntries(many(count, (index) => [`n${index}`, value(index)]));

const values: readonly [string, unknown][] = [
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

test.each(values)('YAML in pieces is the YAML of the library: %s', (_name, value) => {
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
