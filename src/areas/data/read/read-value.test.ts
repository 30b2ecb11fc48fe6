import { expect, test } from 'vitest';
import { readValue } from './read-value.js';

test.each([
  ['text', 'Jazz', 'jazz'],
  ['text', '', ''],
  ['texts', 'Outdoor', 'outdoor'],
  ['whole number', '12', 12],
  ['whole number', '-3', -3],
  ['whole number', '1e2', 100],
  ['whole number', '3.0', 3],
  ['whole number', '1.5', undefined],
  ['whole number', '9.9999999999999999', undefined],
  ['whole number', '0x10', undefined],
  ['whole number', ' 1', undefined],
  ['whole number', '', undefined],
  ['whole number', '3.000', 3],
  ['whole number', '1e10', 1e10],
  ['whole number', 'x1', undefined],
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
] as const)('%s %s goes to %s', (kind, text, last) => {
  expect(readValue({ kind, isNullable: false }, text)?.last).toBe(last);
});

test('null is a value where a field may be null, and a text elsewhere', () => {
  expect(readValue({ kind: 'number', isNullable: true }, 'null')).toEqual({
    first: null,
    last: null,
  });
  expect(readValue({ kind: 'number', isNullable: false }, 'null')).toBeUndefined();
  expect(readValue({ kind: 'text', isNullable: false }, 'null')?.first).toBe('null');
});

test('a text that is written in several ways is read by the field', () => {
  const isbn = {
    kind: 'text',
    isNullable: false,
    readText: (text: string) => text.replaceAll('-', ''),
  } as const;
  expect(readValue(isbn, '0-1')?.first).toBe('01');
});
