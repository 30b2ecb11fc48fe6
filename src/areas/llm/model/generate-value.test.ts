import { expect, test } from 'vitest';
import { generateValue, NoValue } from './generate-value.js';

const text = { type: 'string' };
const self = { $ref: '#' };
const node = { $ref: '#/$defs/node' };

test.each<[string, object, unknown]>([
  [
    'a list through null',
    { type: 'object', properties: { value: text, next: { anyOf: [self, { type: 'null' }] } } },
    { value: 'value', next: null },
  ],
  [
    'a tree with optional children',
    { type: 'object', properties: { name: text, children: { type: 'array', items: self } } },
    { name: 'name', children: [] },
  ],
  [
    'an optional member',
    { type: 'object', properties: { name: text, parent: self }, required: ['name'] },
    { name: 'name' },
  ],
  [
    'a definition with a choice',
    {
      type: 'object',
      properties: { root: node },
      required: ['root'],
      $defs: {
        node: {
          anyOf: [
            { type: 'object', properties: { left: node }, required: ['left'] },
            { type: 'integer' },
          ],
        },
      },
    },
    { root: 1 },
  ],
  [
    'two definitions that refer to each other',
    {
      $ref: '#/$defs/a',
      $defs: {
        a: { type: 'object', properties: { b: { $ref: '#/$defs/b' } } },
        b: { type: 'object', properties: { a: { $ref: '#/$defs/a' } } },
      },
    },
    { b: {} },
  ],
])('the shortest value of %s', (_what, schema, expected) => {
  expect(generateValue({ ...schema })).toEqual(expected);
});

test('a schema whose values have no end has none', () => {
  const schema = { type: 'object', properties: { next: self }, required: ['next'] };
  expect(() => generateValue(schema)).toThrow(NoValue);
});
