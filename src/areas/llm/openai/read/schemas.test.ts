import { expect, test } from 'vitest';
import { acceptSchemas } from './schemas.js';

const accept = (schema: object, isStrict = false) =>
  acceptSchemas([{ path: 'tools[0]', schema: { ...schema }, isStrict }], 'code');

const loose = { type: 'object', properties: {} };
const strict = { ...loose, additionalProperties: false };

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

test.each([
  ['nothing inside', strict],
  ['objects in arrays', { ...strict, properties: { a: { items: strict } }, required: ['a'] }],
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
  ['an unknown keyword', { ...strict, propertys: {} }, /propertys is not a supported keyword/],
])('rejects a strict schema with %s', (_what, schema, message) => {
  expect(() => accept(schema, true)).toThrow(message);
});

test('rejects a deep schema', () => {
  let deep: object = { type: 'object' };
  for (let level = 0; level < 5000; level++) deep = { type: 'object', properties: { a: deep } };
  expect(() => accept(deep)).toThrow(/deeper/);
});
