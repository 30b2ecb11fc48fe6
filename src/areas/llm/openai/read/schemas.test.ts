import { expect, test } from 'vitest';
import { acceptSchemas } from './schemas.js';

const accept = (schema: object, isStrict = false) =>
  acceptSchemas([{ path: 'tools[0]', schema: { ...schema }, isStrict }], 'code');

const loose = { type: 'object', properties: {} };
const strict = { ...loose, additionalProperties: false };

/** A strict schema with one property. */
const having = (a: object) => ({ ...strict, properties: { a }, required: ['a'] });

test('renames the definitions of draft 7', () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { definitions: { $ref: '#/definitions/a' } },
    definitions: { a: { type: 'string' } },
  };
  expect(accept(schema)).toEqual([
    {
      type: 'object',
      properties: { definitions: { $ref: '#/$defs/a' } },
      $defs: { a: { type: 'string' } },
    },
  ]);
});

test('accepts annotations of a schema that is not strict', () => {
  const given = {
    type: 'object',
    properties: {
      encrypted: true,
      message: { type: 'string', encrypted: true },
      size: { type: 'integer', format: 'uint32', 'x-mcp-header': 'Size' },
    },
  };
  expect(accept(given)).toEqual([given]);
});

test.each([
  ['nothing inside', strict],
  ['objects in arrays', having({ type: 'array', items: strict })],
  ['an array or null', having({ type: ['array', 'null'], items: { type: 'string' } })],
  ['a reference', { ...having({ $ref: '#/$defs/b' }), $defs: { b: strict } }],
  ['a choice', having({ anyOf: [{ type: 'string' }, { type: 'null' }] })],
  ['a constant', having({ const: 'a' })],
  ['limits', having({ type: 'integer', minimum: 1, exclusiveMaximum: 9, multipleOf: 2 })],
  ['a pattern and a format', having({ type: 'string', pattern: '^a', format: 'date' })],
  [
    'a property named oneOf',
    { ...strict, properties: { oneOf: { type: 'null' } }, required: ['oneOf'] },
  ],
  [
    'a property named items',
    { ...strict, properties: { items: { type: 'string' } }, required: ['items'] },
  ],
])('accepts a strict schema with %s', (_what, schema) => {
  expect(() => accept(schema, true)).not.toThrow();
});

test.each([
  ['an array', { type: 'array' }, /its type must be 'object'/],
  ['other properties', loose, /need additionalProperties false\.$/],
  ['other properties in anyOf', { ...strict, anyOf: [loose] }, /false at anyOf\.0\.$/],
  ['other properties in $defs', { ...strict, $defs: { a: loose } }, /false at \$defs\.a\.$/],
  ['an optional property', { ...strict, properties: { a: {} } }, /add 'a' to required/],
  ['oneOf', having({ oneOf: [{ type: 'null' }] }), /do not support oneOf at properties\.a\.$/],
  ['allOf', having({ allOf: [{ type: 'null' }] }), /do not support allOf/],
  ['not', having({ type: 'string', not: { const: 'a' } }), /do not support not/],
  ['if', having({ type: 'string', if: {}, then: {} }), /do not support if/],
  ['dependent members', { ...strict, dependentRequired: {} }, /do not support dependentRequired/],
  ['dependent schemas', { ...strict, dependentSchemas: {} }, /do not support dependentSchemas/],
  ['patterns of names', { ...strict, patternProperties: {} }, /do not support patternProperties/],
  ['rules for names', { ...strict, propertyNames: {} }, /do not support propertyNames/],
  [
    'unique items',
    having({ type: 'array', items: { type: 'string' }, uniqueItems: true }),
    /do not support uniqueItems/,
  ],
  [
    'another format',
    having({ type: 'string', format: 'uri' }),
    /this format at properties\.a; use/,
  ],
  ['a property without a type', having({}), /need a type at properties\.a\.$/],
  ['a described property', having({ description: 'Anything' }), /need a type/],
  ['an array without items', having({ type: 'array' }), /need items of an array at properties\.a/],
  [
    'a described reference',
    having({ $ref: '#/$defs/b', description: 'a' }),
    /nothing beside \$ref/,
  ],
  ['allOf in a definition', { ...strict, $defs: { b: { allOf: [] } } }, /allOf at \$defs\.b/],
  [
    'an extension',
    having({ type: 'string', 'x-mcp-header': 'Region' }),
    /do not support x-mcp-header at properties\.a/,
  ],
  ['an unknown keyword', { ...strict, propertys: {} }, /propertys is not a supported keyword/],
])('rejects a strict schema with %s', (_what, schema, message) => {
  expect(() => accept(schema, true)).toThrow(message);
});

test('rejects a deep schema', () => {
  let deep: object = { type: 'object' };
  for (let level = 0; level < 5000; level++) deep = { type: 'object', properties: { a: deep } };
  expect(() => accept(deep)).toThrow(/deeper/);
});
