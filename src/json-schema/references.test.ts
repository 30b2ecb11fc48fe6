import { expect, test } from 'vitest';
import { admitSchemas } from './admit-schemas.js';
import { CheckBudget } from './budget.js';
import { findFaults } from './find-faults.js';
import { referenceFault, targetOf } from './references.js';

test.each([
  ['#/default/%/%', '"%/%" at character 11: two hexadecimal digits must follow %'],
  ['#/%', '"%" at character 3: two hexadecimal'],
  ['#/$defs/100%', '"%" at character 12: two hexadecimal'],
  ['#/%4', '"%4" at character 3: two hexadecimal'],
  ['#/a%GGb', '"%GG" at character 4: two hexadecimal'],
  ['#/a%FF', '"%FF" at character 4: the percent-encoded bytes are not UTF-8'],
  ['#/%C3%A4%C3', '"%C3%A4%C3" at character 3: the percent-encoded bytes are not UTF-8'],
  ['#/%C3/%A4', '"%C3" at character 3: the percent-encoded bytes are not UTF-8'],
  ['#/a~2', '"~2" at character 4: 0 or 1 must follow ~'],
  ['#/a~', '"~" at character 4: 0 or 1 must follow ~'],
  ['#/~/a', '"~/" at character 3: 0 or 1 must follow ~'],
  ['#/%7E2', '"%7E2" at character 3: 0 or 1 must follow ~'],
  ['#a', 'must point to its own schema, such as #/$defs/name'],
  ['a#/b', 'must point to its own schema'],
])('the fault of %s says what is wrong and where', (reference, fault) => {
  expect(referenceFault(reference)).toContain(fault);
});

test.each([
  ['#', '$defs'],
  ['#/$defs/a~1b', 'slash'],
  ['#/$defs/a~0b', 'tilde'],
  ['#/$defs/a%7E0b', 'tilde'],
  ['#/$defs/a~%30b', 'tilde'],
  ['#/$defs/a~01b', 'tilde and 1'],
  ['#/$defs/a%25b', 'percent'],
  ['#/$defs/%C3%A4', 'umlaut'],
  ['#/$defs/ä', 'umlaut'],
  ['#/%24defs/a%7e1b', 'slash'],
  ['#/$defs/list/1', 'item'],
  ['#/$defs/', 'empty'],
])('%s resolves', (reference, expected) => {
  const schema = { $ref: reference };
  const names = { 'a/b': 'slash', 'a~b': 'tilde', 'a~1b': 'tilde and 1', 'a%b': 'percent' };
  const root = {
    $defs: { ...names, ä: 'umlaut', list: [0, 'item'], '': 'empty' },
    items: schema,
  };
  expect(referenceFault(reference)).toBeUndefined();
  expect(targetOf(root, schema)).toEqual(reference === '#' ? root : expected);
});

test.each(['#/$defs/none', '#/constructor', '#/$defs/a/b', '#/%', 'https://example.com/a'])(
  '%s does not resolve',
  (reference) => {
    expect(targetOf({ $defs: { a: true } }, { $ref: reference })).toBeUndefined();
  },
);

test('a reference is resolved once in its schema, and again in another schema', () => {
  const schema = { $ref: '#/$defs/a' };
  const root = { $defs: { a: { type: 'string' } }, items: schema };
  const { a } = root.$defs;
  expect(targetOf(root, schema)).toBe(a);
  root.$defs.a = { type: 'number' };
  expect(targetOf(root, schema)).toBe(a);
  expect(targetOf({ ...root }, schema)).toBe(root.$defs.a);
});

test('36,000 uses of one reference of 900 characters need few checks', () => {
  const name = 'x'.repeat(890);
  const schema = {
    items: { allOf: Array.from({ length: 40 }, () => ({ $ref: `#/$defs/${name}` })) },
    $defs: { [name]: { type: 'number' } },
  };
  const value = Array(900).fill(1);
  expect(findFaults(schema, value, new CheckBudget(36_000 * 8))).toEqual({ isValid: true });
});

const admit = (schema: object) => admitSchemas({ a: schema }, { allowsRecursion: true });

const self = { $ref: '#' };
const b = { $ref: '#/$defs/b' };

test.each([
  ['in a property', { properties: { next: self } }],
  ['in items', { items: self }],
  ['in a choice of a property', { properties: { next: { anyOf: [self, { type: 'null' }] } } }],
  ['through a definition', { ...b, $defs: { b: { properties: { next: b } } } }],
])('accepts a schema that refers back to itself %s', (_what, schema) => {
  expect(admit(schema)).toEqual([]);
});

test.each([
  ['at once', { $ref: '#/$defs/b', $defs: { b } }],
  ['in allOf', { allOf: [self] }],
  ['in a condition', { if: { not: self } }],
  // It is also reached for another value, first.
  ['in a definition', { properties: { x: b }, allOf: [b], $defs: { b: self } }],
])('rejects a schema that refers back to itself for the same value %s', (_what, schema) => {
  expect(admit(schema)).toMatchObject([{ path: ['a'], what: expect.stringContaining('itself') }]);
});

test('other schemas of callers do not refer back to themselves', () => {
  const [fault] = admitSchemas({ a: { properties: { next: self } } });
  expect(fault?.what).toBe('must not refer back to itself');
});
