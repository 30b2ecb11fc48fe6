import { describe, expect, test } from 'vitest';
import { isTaken, matchField, operators } from './match-field.js';
import type { FieldKind, FieldValue, ResourceRecord } from './record-fields.js';

const record: ResourceRecord = {
  id: 7,
  name: 'Élan Jazz',
  startsAt: '2027-03-12T18:00:00.000Z',
  price: 12.5,
  available: true,
  tags: ['Jazz', 'outdoor'],
};

describe('a field matches', () => {
  test.each<[string, FieldKind, string, FieldValue[], boolean]>([
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
    ['id', 'whole number', '_gt', [10], false],
    ['id', 'whole number', '_lt', [10], true],
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
    const known = operators.find((each) => each === operator) ?? '';
    expect(matchField({ name, kind }, known, values)(record)).toBe(expected);
  });
});

test('truth and lists have no order to compare by', () => {
  const taken = (kind: FieldKind) => operators.filter((operator) => isTaken(kind, operator));
  expect(taken('boolean')).toEqual(['', '_ne', '_in']);
  expect(taken('texts')).toEqual(['', '_ne', '_in']);
  expect(taken('text')).toEqual([...operators]);
});
