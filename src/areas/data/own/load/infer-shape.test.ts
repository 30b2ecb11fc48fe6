import { expect, test } from 'vitest';
import type { DataRecord } from '../../source/fields.js';
import { ownFields } from '../query/own-fields.js';
import { inferShape, schemaOf } from './infer-shape.js';

test.each([
  ['nothing', [], {}],
  ['integers', [1, 2], { type: 'integer' }],
  ['numbers of both kinds', [1, 2.5], { type: 'number' }],
  ['texts and null', ['a', null], { type: ['string', 'null'] }],
  ['days', ['2027-03-12'], { type: 'string', format: 'date' }],
  ['times', ['2027-03-12T18:00:00Z'], { type: 'string', format: 'date-time' }],
  ['lists', [['a'], [1]], { type: 'array', items: { type: ['string', 'integer'] } }],
  [
    'objects',
    [{ a: 1, b: true }, { a: 2 }],
    {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'boolean' } },
      required: ['a'],
    },
  ],
])('%s have a schema', (_name, values, schema) => {
  expect(schemaOf(inferShape(values))).toEqual(schema);
});

test.each<[string, unknown[], string, unknown]>([
  ['an integer', [{ a: 1 }], 'integer', 1],
  ['a number', [{ a: 1 }, { a: 0.5 }], 'number', 1],
  ['text', [{ a: 'x' }], 'text', 'x'],
  ['numbers and texts, as text', [{ a: 1 }, { a: 'x' }], 'text', 1],
  ['a time', [{ a: '2027-03-12T18:00:00+02:00' }], 'timestamp', '2027-03-12T18:00:00+02:00'],
  ['a day', [{ a: '2027-03-12' }], 'date', '2027-03-12'],
  ['a list, with all its values', [{ a: ['x', { y: 1 }] }], 'texts', ['x', '1']],
  ['true and false', [{ a: true }], 'boolean', true],
])('a field has the kind of its values: %s', (_name, records, kind, value) => {
  const field = ownFields(inferShape(records)).find(({ name }) => name === 'a');
  expect(field).toMatchObject({ name: 'a', kind, isNullable: true });
  expect(field?.valueIn(records[0] as DataRecord)).toEqual(value);
});

test('nested fields are named with dots, and id comes first', () => {
  const fields = ownFields(inferShape([{ a: { b: { c: 1 } }, id: 'x' }, { a: null }]));
  expect(fields.map(({ name, kind }) => [name, kind])).toEqual([
    ['id', 'text'],
    ['a.b.c', 'integer'],
  ]);
});
