import { expect, test } from 'vitest';
import { readValue } from './read-value.js';

test.each([
  ['text', 'Jazz', 'jazz'],
  ['text', '', ''],
  ['texts', 'Outdoor', 'outdoor'],
  ['integer', '12', 12],
  ['integer', '-3', -3],
  ['integer', '1e2', 100],
  ['integer', '3.0', 3],
  ['integer', '1.5', undefined],
  ['integer', '9.9999999999999999', undefined],
  ['integer', '0x10', undefined],
  ['integer', ' 1', undefined],
  ['integer', '', undefined],
  ['integer', '3.000', 3],
  ['integer', '1e10', 1e10],
  ['integer', 'x1', undefined],
  ['number', '12.5', 12.5],
  ['number', '.5', 0.5],
  ['number', '.25', 0.25],
  ['number', '1e10', 1e10],
  ['number', '1e-2', 0.01],
  ['number', 'x1', undefined],
  ['number', '1x', undefined],
  ['number', '0x10', undefined],
  ['number', ' 1', undefined],
  ['number', '1e999', undefined],
  ['number', 'NaN', undefined],
  ['number', 'Infinity', undefined],
  ['number', '.', undefined],
  ['number', '1,5', undefined],
  ['boolean', 'true', true],
  ['boolean', 'FALSE', false],
  ['boolean', '1', undefined],
  ['timestamp', '2027-03-12', '2027-03-12T00:00:00.000Z'],
  ['timestamp', 'soon', undefined],
] as const)('%s %j is %j', (kind, text, expected) => {
  expect(readValue({ kind, isNullable: false }, text)?.first).toBe(expected);
});

test.each([
  ['timestamp', '2027-03-12', '2027-03-12T23:59:59.999Z'],
  ['timestamp', '2027-03-12T00:00:00Z', '2027-03-12T00:00:00.000Z'],
  ['date', '2027-03-12', '2027-03-12'],
] as const)('%s %s becomes %s', (kind, text, last) => {
  expect(readValue({ kind, isNullable: false }, text)?.last).toBe(last);
});

test('null is a value for a field that may be null, and otherwise text', () => {
  expect(readValue({ kind: 'number', isNullable: true }, 'null')).toEqual({
    first: null,
    last: null,
  });
  expect(readValue({ kind: 'number', isNullable: false }, 'null')).toBeUndefined();
  expect(readValue({ kind: 'text', isNullable: false }, 'null')?.first).toBe('null');
});

test('a text with several spellings is normalized by the field', () => {
  const isbn = {
    kind: 'text',
    isNullable: false,
    readText: (text: string) => text.replaceAll('-', ''),
  } as const;
  expect(readValue(isbn, '0-1')?.first).toBe('01');
});
