import { expect, test } from 'vitest';
import { CheckBudget } from '#json-schema/budget.js';
import { modelOf, recordChecks } from './own-model.js';
import { type OwnObject, takeOwnData } from './read-own-data.js';

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
  [
    'a malformed percent sign in a reference',
    { items: { $ref: '#/default/%/%' }, default: { '%': { '%': {} } } },
    'a.items.$ref has "%/%" at character 11: two hexadecimal digits must follow %, as in %25 for %',
  ],
  [
    'a malformed tilde in a reference',
    { properties: { b: { $ref: '#/$defs/a~2' } }, $defs: { 'a~2': true } },
    'a.properties.b.$ref has "~2" at character 10: 0 or 1 must follow ~, as in ~0 for ~ and ~1 for /',
  ],
  [
    'a reference that is not UTF-8',
    { $ref: '#/$defs/%FF' },
    'a.$ref has "%FF" at character 9: the percent-encoded bytes are not UTF-8',
  ],
  ['an anchor', { $ref: '#name' }, 'must point to its own schema, such as #/$defs/name'],
  ['a dynamic reference', { $dynamicRef: '#/$defs/a' }, 'is not supported; refer to #/$defs/name'],
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
  [
    'a class of a script',
    { pattern: '^\\p{Script=Greek}$' },
    'must not use \\p{Script=Greek}; general categories such as \\p{L} are supported',
  ],
  [
    'an unknown class',
    { pattern: '^\\p{Letters}$' },
    'must be a regular expression of ECMAScript (Invalid regular expression: /\\p{Letters}/u',
  ],
  [
    'an open group behind a class',
    { pattern: '\\p{L}(' },
    '(Invalid regular expression: /\\p{L}(/u: Unterminated group)',
  ],
  [
    'nine patterns of many Unicode classes',
    { allOf: Array.from({ length: 9 }, (_, n) => ({ pattern: `[${'\\p{L}'.repeat(150)}]${n}` })) },
    'have more than 2000 parts; each keyword, list item and name is one, a pattern more',
  ],
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
  [
    'a reference with escapes',
    { $ref: '#/$defs/100%25~1~0', $defs: { '100%/~': { required: ['a'] } } },
    { a: 1 },
  ],
  [
    'a bracket of many Unicode classes',
    { properties: { a: { pattern: `^[${'\\p{L}'.repeat(150)}]+$` } } },
    { a: 'Ä' },
  ],
  [
    'the same pattern for many fields',
    {
      properties: Object.fromEntries(
        Array.from({ length: 100 }, (_, n) => [
          `f${n}`,
          { pattern: "^[\\p{L}\\p{M}\\p{N}' -]{1,80}$" },
        ]),
      ),
    },
    { f0: "Zoë O'Neil" },
  ],
  [
    'ten different patterns for names',
    {
      properties: Object.fromEntries(
        Array.from({ length: 10 }, (_, n) => [
          `f${n}`,
          { pattern: `^[\\p{L}\\p{M}' -]{1,${80 + n}}$` },
        ]),
      ),
    },
    { f9: 'Łódź' },
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

test.each<[string, object, string]>([
  [
    'a malformed percent sign',
    { allOf: Array(40).fill({ $ref: '#/default/%' }), default: { '%': {} } },
    '$schemas.a.allOf.0.$ref has "%" at character 11: two hexadecimal digits must follow %',
  ],
  ['a malformed tilde', { $ref: '#/$defs/~2', $defs: { '~2': true } }, '"~2" at character 9'],
  [
    'patterns that cost too much together',
    { allOf: Array.from({ length: 2 }, (_, n) => ({ pattern: `[${'\\p{L}'.repeat(190)}]${n}` })) },
    '$schemas have more than 2000 parts',
  ],
])('a stored schema with %s makes its collection read-only', (_name, schema, fault) => {
  const data = { $schemas: { a: schema }, a: [{ id: 1 }], b: [] };
  const model = modelOf(takeOwnData(data));
  const write = (name: string) => model.check(name, { id: 2 }, new CheckBudget());
  expect(() => write('a')).toThrow(
    expect.objectContaining({ status: 409, message: expect.stringContaining(fault) }),
  );
  expect(model.schemaOf('a')).toBeUndefined();
  expect(write('b')).toEqual([]);
  expect(model.data.members.get('a')?.records).toEqual([{ id: 1 }]);
});
