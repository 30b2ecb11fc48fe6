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
  ['number', '12.5', 12.5],
  ['number', '.5', 0.5],
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
  expect(readValue(kind, text)).toBe(expected);
});
