import { expect, test } from 'vitest';
import { notBlankPattern, plainTextPattern } from '../data/text-patterns.js';
import { describeSchema } from './describe-schema.js';

test.each([
  ['a whole number', { type: 'integer' }],
  ['a whole number from 1 to 100', { type: 'integer', minimum: 1, maximum: 100 }],
  ['a number of at least 0', { type: 'number', minimum: 0 }],
  ['a number of at most 5', { type: 'number', maximum: 5 }],
  ['text', { type: 'string' }],
  ['text of at most 9 characters', { type: 'string', maxLength: 9 }],
  ['text of at least 1 characters', { type: 'string', minLength: 1 }],
  ['text of 1 to 9 characters', { type: 'string', minLength: 1, maxLength: 9 }],
  ['text that is not blank', { type: 'string', pattern: notBlankPattern }],
  ['text without control characters', { type: 'string', pattern: plainTextPattern }],
  ['a time such as 2027-03-12T18:00:00Z', { type: 'string', format: 'date-time' }],
  ['true or false', { type: 'boolean' }],
  ['true or false, or null', { type: ['boolean', 'null'] }],
  [
    'a list of at most 3 items, each text of at most 9 characters, all different',
    {
      type: 'array',
      maxItems: 3,
      uniqueItems: true,
      items: { type: 'string', maxLength: 9 },
    },
  ],
  ['text or a number', { type: ['string', 'number'] }],
  [
    'an object or a list, each a list of exactly 2 items, or null',
    { type: ['object', 'array', 'null'], items: { type: 'array', minItems: 2, maxItems: 2 } },
  ],
  ['one of asc, desc', { type: 'string', enum: ['asc', 'desc'] }],
  ['"note"', { type: 'string', const: 'note' }],
  ['a list', { type: 'array' }],
  ['an object', { type: 'object' }],
  [undefined, { type: 'string', pattern: '^a$' }],
  ['an email address such as ada@example.com', { type: 'string', format: 'email' }],
  [undefined, { type: ['string', 'tuple'] }],
  [undefined, { type: 'null' }],
  [undefined, {}],
] as const)('%s', (expected, schema) => {
  expect(describeSchema(schema)).toBe(expected);
});
