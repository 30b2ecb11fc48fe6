import { describe, expect, test } from 'vitest';
import {
  type DataRecord,
  type FieldKind,
  type FieldValue,
  fieldAt,
  type Operator,
} from '../source/fields.js';
import { matchField } from './match-field.js';

const record: DataRecord = {
  id: 7,
  name: 'Élan Jazz',
  startsAt: '2027-03-12T18:00:00.000Z',
  price: 12.5,
  available: true,
  tags: ['Jazz', 'outdoor'],
};

describe('a field matches', () => {
  test.each<[string, FieldKind, Operator, FieldValue[], boolean]>([
    ['name', 'text', '', ['élan jazz'], true],
    ['name', 'text', '', ['jazz'], false],
    ['name', 'text', '', ['folk', 'élan jazz'], true],
    ['name', 'text', '_ne', ['élan jazz'], false],
    ['name', 'text', '_ne', ['folk'], true],
    ['name', 'text', '_ne', ['folk', 'élan jazz'], false],
    ['name', 'text', '_gte', ['elan'], true],
    ['name', 'text', '_lt', ['f'], true],
    ['name', 'text', '_gt', ['élan jazz'], false],
    ['name', 'text', '_gte', ['élan jazz'], true],
    ['price', 'number', '', [12.5], true],
    ['price', 'number', '_gte', [12.5], true],
    ['price', 'number', '_gt', [12.5], false],
    ['price', 'number', '_lte', [12.5], true],
    ['price', 'number', '_lt', [12.5], false],
    ['price', 'number', '_gte', [9, 13], false],
    ['price', 'number', '_in', [1, 12.5], true],
    ['price', 'number', '_in', [1, 2], false],
    ['id', 'integer', '_gt', [10], false],
    ['id', 'integer', '_lt', [10], true],
    ['startsAt', 'timestamp', '', ['2027-03-12T18:00:00.000Z'], true],
    ['startsAt', 'timestamp', '_gte', ['2027-03-12T00:00:00.000Z'], true],
    ['startsAt', 'timestamp', '_lt', ['2027-03-12T00:00:00.000Z'], false],
    ['available', 'boolean', '', [true], true],
    ['available', 'boolean', '_ne', [true], false],
    ['tags', 'texts', '', ['jazz'], true],
    ['tags', 'texts', '', ['jaz'], false],
    ['tags', 'texts', '_ne', ['outdoor'], false],
    ['tags', 'texts', '_in', ['free', 'outdoor'], true],
  ])('%s (%s) %s %j: %s', (name, kind, operator, values, expected) => {
    const wanted = values.map((value) => ({ first: value, last: value }));
    expect(matchField(fieldAt([name], kind, false), operator, wanted)(record)).toBe(expected);
  });
});

describe('a day', () => {
  const day = { first: '2027-03-12T00:00:00.000Z', last: '2027-03-12T23:59:59.999Z' };
  const times = ['2027-03-11T23:59:59.999Z', day.first, day.last, '2027-03-13T00:00:00.000Z'];
  test.each([
    ['', [false, true, true, false]],
    ['_in', [false, true, true, false]],
    ['_ne', [true, false, false, true]],
    ['_gt', [false, false, false, true]],
    ['_gte', [false, true, true, true]],
    ['_lt', [true, false, false, false]],
    ['_lte', [true, true, true, false]],
  ] as const)('%s is compared with times as a whole day', (operator, expected) => {
    const matches = matchField(fieldAt(['at'], 'timestamp', false), operator, [day]);
    expect(times.map((at) => matches({ id: 1, at }))).toEqual(expected);
  });
});

test.each([
  ['', true, false],
  ['_ne', false, true],
  ['_gte', false, false],
  ['_lt', false, false],
] as const)('null%s null: %s, and of 5: %s', (operator, ofNull, ofFive) => {
  const field = fieldAt(['inner', 'size'], 'number', true);
  const matches = matchField(field, operator, [{ first: null, last: null }]);
  expect(matches({ id: 1, inner: null })).toBe(ofNull);
  expect(matches({ id: 2, inner: { size: 5 } })).toBe(ofFive);
});
