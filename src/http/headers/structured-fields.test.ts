import { describe, expect, test } from 'vitest';
import { growthOf, maxExponent } from '../../../test/support/growth.js';
import type { Request } from '../exchange.js';
import { booleanItem, integerItem } from './structured-fields.js';

const having = (...values: string[]) =>
  ({ raw: { rawHeaders: values.flatMap((value) => ['Upload-Offset', value]) } }) as Request;

describe('integers', () => {
  test.each<[string, number | undefined]>([
    ['0', 0],
    [' 12 ', 12],
    ['999999999999999', 999_999_999_999_999],
    ['3;a=1;b', 3],
    ['3 ;a', undefined],
    ['-1', undefined],
    ['1.0', undefined],
    ['?1', undefined],
    ['"3"', undefined],
    ['1, 2', undefined],
    ['', undefined],
  ])('%j', (text, expected) => {
    expect(integerItem(having(text), 'upload-offset')).toBe(expected);
  });

  test('an absent or repeated header is none', () => {
    expect(integerItem(having(), 'upload-offset')).toBeUndefined();
    expect(integerItem(having('1', '1'), 'upload-offset')).toBeUndefined();
  });
});

test.each<[string, boolean | undefined]>([
  ['?0', false],
  ['?1;a=b', true],
  ['?2', undefined],
  ['1', undefined],
  ['true', undefined],
])('the boolean %j', (text, expected) => {
  expect(booleanItem(having(text), 'upload-offset')).toBe(expected);
});

test.each([
  ['spaces after parameters', (size: number) => `1${';a= '.repeat(size / 4)};!`],
  ['parameters', (size: number) => `1${';a=1'.repeat(size / 4)}`],
  ['spaces', (size: number) => `${' '.repeat(size)}!`],
])('the cost grows with the size: %s', async (_name, textOf) => {
  const make = (size: number) => having(textOf(size));
  const run = (request: Request) => integerItem(request, 'upload-offset');
  expect(await growthOf({ make, run, largest: 8000 })).toBeLessThan(maxExponent);
});
