import { expect, test } from 'vitest';
import { notBlankPattern, plainTextPattern } from '#base/text/text-patterns.js';
import { describeSchema } from './describe-schema.js';

test.each([
  ['an integer', { type: 'integer' }],
  ['an integer from 1 to 100', { type: 'integer', minimum: 1, maximum: 100 }],
  ['a number of at least 0', { type: 'number', minimum: 0 }],
  ['a number of at most 5', { type: 'number', maximum: 5 }],
  ['a string', { type: 'string' }],
  ['a string of at most 9 characters', { type: 'string', maxLength: 9 }],
  ['a string of at least 1 character', { type: 'string', minLength: 1 }],
  ['a string of 1 to 9 characters', { type: 'string', minLength: 1, maxLength: 9 }],
  ['a string that is not blank', { type: 'string', pattern: notBlankPattern }],
  ['a string without control characters', { type: 'string', pattern: plainTextPattern }],
  ['a time such as 2027-03-12T18:00:00Z', { type: 'string', format: 'date-time' }],
  ['true or false', { type: 'boolean' }],
  ['true or false, or null', { type: ['boolean', 'null'] }],
  [
    'an array of at most 3 items, each a string of at most 9 characters, all different',
    {
      type: 'array',
      maxItems: 3,
      uniqueItems: true,
      items: { type: 'string', maxLength: 9 },
    },
  ],
  ['a string or a number', { type: ['string', 'number'] }],
  [
    'an object or an array, each an array of exactly 2 items, or null',
    { type: ['object', 'array', 'null'], items: { type: 'array', minItems: 2, maxItems: 2 } },
  ],
  ['one of asc, desc', { type: 'string', enum: ['asc', 'desc'] }],
  ['one of asc, desc, or null', { type: ['string', 'null'], enum: ['asc', 'desc', null] }],
  ['one of null', { enum: [null] }],
  ['"note"', { type: 'string', const: 'note' }],
  ['an array', { type: 'array' }],
  ['an object', { type: 'object' }],
  [
    'an integer or an object such as {"a": [1, {"b": "c"}]}',
    { type: ['integer', 'object'], examples: [{ a: [1, { b: 'c' }] }] },
  ],
  [undefined, { type: 'string', pattern: '^a$' }],
  ['an email address such as ada@example.com', { type: 'string', format: 'email' }],
  [undefined, { type: ['string', 'tuple'] }],
  [undefined, { type: 'null' }],
  [undefined, {}],
] as const)('%s', (expected, schema) => {
  expect(describeSchema(schema)).toBe(expected);
});
