import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prefersPage, readPreferences, weightOf } from './read-preferences.js';

describe('readPreferences', () => {
  test.each<[string | undefined, Record<string, number>]>([
    [undefined, {}],
    ['', {}],
    [',, ;q=1,', {}],
    ['application/json', { 'application/json': 1 }],
    ['Application/JSON', { 'application/json': 1 }],
    [
      'text/html, application/json;q=0.9,*/*; q=0.1',
      { 'text/html': 1, 'application/json': 0.9, '*/*': 0.1 },
    ],
    ['application/json;charset=utf-8;Q=0.5', { 'application/json': 0.5 }],
    ['a/b;title="x, y; q=0.1", c/d', { 'a/b': 1, 'c/d': 1 }],
    ['a/b;q=0', { 'a/b': 0 }],
    ['a/b ; q=0.000', { 'a/b': 0 }],
    ['a/b;q=1.000', { 'a/b': 1 }],
    ['GZip, , br ; q=0.5', { gzip: 1, br: 0.5 }],
    // Malformed weights
    ['a/b;q=much', { 'a/b': 1 }],
    ['a/b;q=2', { 'a/b': 1 }],
    ['a/b;q=-1', { 'a/b': 1 }],
    ['a/b;q=0.1234', { 'a/b': 1 }],
    ['a/b;q="0.5"', { 'a/b': 1 }],
    ['a/b;q=', { 'a/b': 1 }],
    ['a/b;q', { 'a/b': 1 }],
    // Several weights of one name
    ['a/b;q=0.2, a/b;q=0.7, a/b;q=0.5', { 'a/b': 0.7 }],
    ['a/b;q=0, A/B', { 'a/b': 1 }],
    ['a/b;q=0.2;q=0.9', { 'a/b': 0.2 }],
  ])('%j', (header, expected) => {
    expect([...readPreferences(header)]).toEqual(Object.entries(expected));
  });

  test('no header makes it throw or run long', () => {
    const header = fc.string({ unit: fc.constantFrom(...'a/b;q=0.5,*" \\'), maxLength: 200 });
    fc.assert(
      fc.property(header, (text) => {
        const weights = [...readPreferences(text).values()];
        expect(weights.every((weight) => weight >= 0 && weight <= 1)).toBe(true);
      }),
    );
    expect(readPreferences('"'.repeat(16_000)).size).toBe(1);
    expect([...readPreferences(`a/b;"${'\\"'.repeat(8000)}`)]).toEqual([['a/b', 1]]);
  });
});

describe('weightOf uses the most specific item', () => {
  test.each<[string, [string, ...string[]], number]>([
    ['', ['a/b'], 0],
    ['a/c', ['a/b'], 0],
    ['a/*', ['a/b'], 1],
    ['*/*;q=0.3', ['a/b'], 0.3],
    ['a/b;q=0.1, a/*;q=0.2, */*;q=0.3', ['a/b'], 0.1],
    ['*/*;q=0.3, a/*;q=0.2', ['a/b'], 0.2],
    ['a/b;q=0, */*', ['a/b'], 0],
    ['a/*;q=0, */*', ['c/d'], 1],
    ['*;q=0.5', ['gzip'], 0.5],
    ['*, gzip;q=0', ['gzip'], 0],
    ['x-gzip;q=0.4, *', ['gzip', 'x-gzip'], 0.4],
    ['gzip;q=0.6, x-gzip;q=0.4', ['gzip', 'x-gzip'], 0.6],
  ])('%j weighs %j as %d', (header, names, weight) => {
    expect(weightOf(readPreferences(header), ...names)).toBe(weight);
  });
});

test.each([
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', true],
  ['text/html', true],
  ['TEXT/HTML;q=0.9, */*;q=0.1', true],
  ['text/html;q=0', false],
  ['text/html;q=high, application/json', true],
  ['text/html, application/json;q=high', true],
  ['text/html;q=0.5, application/json;q=high', false],
  ['application/json, text/html;q=0.5', false],
  ['*/*', false],
  ['text/*', false],
  ['', false],
  [undefined, false],
])('Accept: %s → %s', (accept, isPage) => {
  expect(prefersPage(accept)).toBe(isPage);
});
