import { expect, test } from 'vitest';
import { CheckBudget } from '../../../../json-schema/budget.js';
import { recordChecks } from './own-model.js';
import type { OwnObject } from './read-own-data.js';

function faultsIn(schema: unknown): string[] {
  return recordChecks({ a: schema }).faults.map(({ path, what }) => `${path.join('.')} ${what}`);
}

test.each([
  [
    'a reference to another document',
    { $ref: 'https://example.com/s.json' },
    'must point to its own schema',
  ],
  ['a reference to a file', { $ref: 'other.json#/a' }, 'must point to its own schema'],
  ['a reference to itself', { properties: { a: { $ref: '#' } } }, 'must not refer back to itself'],
  [
    'two references to each other',
    { $ref: '#/$defs/x', $defs: { x: { $ref: '#/$defs/y' }, y: { $ref: '#/$defs/x' } } },
    'must not refer back to itself',
  ],
  ['a reference to an unknown target', { $ref: '#/$defs/x' }, 'does not resolve in its schema'],
  [
    'a reference through the prototype',
    { $ref: '#/constructor' },
    'does not resolve in its schema',
  ],
  ['an id', { $id: 'https://example.com/s' }, 'is not supported; refer to #/$defs/name'],
  [
    'another draft',
    { $schema: 'http://json-schema.org/draft-07/schema#' },
    'the only supported draft',
  ],
  [
    'an unknown keyword',
    { requierd: ['a'] },
    'is not a supported keyword of JSON Schema draft 2020-12',
  ],
  ['an unknown type', { type: 'text' }, 'is not a JSON Schema'],
  ['an unknown format', { format: 'isbn' }, 'must be one of date-time'],
  ['a schema that is not a schema', [], 'must be a JSON Schema'],
  ['nested repetitions', { pattern: '^(a+)+$' }, 'must not repeat a repetition'],
  ['nested repetitions of a class', { pattern: '([a-z]*)*' }, 'must not repeat a repetition'],
  [
    'such a pattern for names',
    { patternProperties: { '(.*)+': true } },
    'must not repeat a repetition',
  ],
  ['lookahead', { pattern: '^(?=.*x)a' }, 'without lookaround'],
  ['a back reference', { pattern: '(a)\\1' }, 'without lookaround'],
  ['an invalid pattern', { pattern: '(' }, 'must be a regular expression of ECMAScript'],
  [
    'a pattern of another regular expression syntax',
    { pattern: '(?i)a' },
    'must be a regular expression of ECMAScript',
  ],
  ['a huge pattern', { pattern: '(a{100}b?){8}' }, 'must be a smaller pattern'],
  ['a long pattern', { pattern: 'a'.repeat(1001) }, 'at most 1000 characters'],
])('%s is rejected', (_name, schema, fault) => {
  expect(faultsIn(schema)).toEqual([expect.stringContaining(fault)]);
});

const check = (schema: unknown, record: OwnObject) => {
  const checks = recordChecks({ a: schema });
  expect(checks.faults).toEqual([]);
  return checks
    .check('a', record, new CheckBudget())
    .map(({ field, message }) => `${field}: ${message}`);
};

test.each([
  ['a missing field', { required: ['title'] }, {}, 'title: title is missing.'],
  [
    'a wrong type',
    { properties: { n: { type: 'integer', minimum: 1 } } },
    { n: 0 },
    'n: n must be an integer of at least 1; got 0.',
  ],
  [
    'a nested field',
    { properties: { a: { properties: { b: { type: 'string' } } } } },
    { a: { b: 1 } },
    'a.b: a.b must be a string; got 1.',
  ],
  [
    'an undeclared field',
    { properties: { a: true }, additionalProperties: false },
    { b: 1 },
    'b: Unknown field b. Use a.',
  ],
  [
    'a format',
    { properties: { mail: { type: 'string', format: 'email' } } },
    { mail: 'x' },
    'mail: mail must be an email address',
  ],
  [
    'a pattern',
    { properties: { a: { type: 'string', pattern: '^[a-z]+(-[a-z]+)*$' } } },
    { a: 'A' },
    'a: a must be a string that matches ^[a-z]+(-[a-z]+)*$; got "A".',
  ],
  [
    'a pattern with a description beside it',
    {
      properties: {
        a: { type: 'string', pattern: '^[A-Z]{3}$', maxLength: 9, description: 'The currency.' },
      },
    },
    { a: 'eur' },
    'a: a must be a string of at most 9 characters that matches ^[A-Z]{3}$; got "eur".',
  ],
  [
    'a missing field with a pattern',
    { properties: { a: { type: 'string', pattern: '^a$', description: 'It.' } }, required: ['a'] },
    {},
    'a: a is missing; it must be a string that matches ^a$.',
  ],
  [
    'equal items',
    { properties: { a: { uniqueItems: true } } },
    {
      a: [
        { x: 1, y: 2 },
        { y: 2, x: 1 },
      ],
    },
    'a: a must have items that are all different; got equal ones.',
  ],
  [
    'a referenced definition',
    { properties: { a: { $ref: '#/$defs/n' } }, $defs: { n: { type: 'number' } } },
    { a: 'x' },
    'a: a must be a number; got "x".',
  ],
  [
    'an id that the schema restricts',
    { properties: { id: { type: 'string' } } },
    { id: 1 },
    'id: id must be a string; got 1.',
  ],
])('%s is found', (_name, schema, record, fault) => {
  expect(check(schema, record)).toEqual([expect.stringContaining(fault)]);
});

test.each([
  [
    'an id that the schema does not mention',
    { properties: { a: true }, additionalProperties: false },
    { id: 1, a: 1 },
  ],
  [
    'words with hyphens',
    { properties: { a: { pattern: '^[a-z]+(-[a-z]+)*$' } } },
    { a: 'one-two' },
  ],
  ['letters of any language', { properties: { a: { pattern: '^\\p{L}+$' } } }, { a: 'Ünïcode' }],
])('%s is accepted', (_name, schema, record) => {
  expect(check(schema, record as OwnObject)).toEqual([]);
});

test('a pattern with backtracking in other engines ends quickly, and a record that is too long is rejected', () => {
  const schema = { properties: { a: { pattern: '(a|aa)+b$' } } };
  expect(check(schema, { a: 'a'.repeat(100_000) })).toEqual([expect.stringContaining('a: ')]);
  const many = { properties: { a: { items: { pattern: '^(a|b|c|d|e){1,80}x' } } } };
  const long = { a: Array(100).fill('a'.repeat(10_000)) };
  expect(check(many, long)).toEqual([': The record needs too many checks by its schema.']);
});

/** Each level occurs twice in the level above. */
const doubling = {
  $ref: '#/$defs/l0',
  $defs: Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => {
      const next = { $ref: `#/$defs/l${n + 1}` };
      return [`l${n}`, n === 29 ? true : { anyOf: [next, next] }];
    }),
  ),
};

test('a schema that doubles with each level is accepted, and its checks end', () => {
  expect(check(doubling, { a: 1 })).toEqual([]);
  const failing = JSON.parse(JSON.stringify(doubling).replace('"l29":true', '"l29":false'));
  expect(check(failing, { a: 1 })).toEqual([': The record needs too many checks by its schema.']);
});
