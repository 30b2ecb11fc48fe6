import { expect, test } from 'vitest';

import { matchesEntityTag, matchesStrongEntityTag } from './matches-entity-tag.js';

test.each([
  ['no header', undefined, '"a"', false],
  ['the tag', '"a"', '"a"', true],
  ['another tag', '"b"', '"a"', false],
  ['the tag in a list', '"b", "a" ,"c"', '"a"', true],
  ['the tag marked weak', 'W/"a"', '"a"', true],
  ['a weak tag here', '"a"', 'W/"a"', true],
  ['anything', ' * ', '"a"', true],
  ['a star inside a tag', '"*"', '"a"', false],
  ['a tag with a comma', '"x,y", "a,b"', '"a,b"', true],
  ['a tag that only begins alike', '"ab"', '"a"', false],
  ['a tag without quotes', 'a', '"a"', false],
  ['a quote that is never closed', '"a', '"a"', false],
] as const)('%s: %s against %s → %s', (_case, header, tag, expected) => {
  expect(matchesEntityTag(header, tag)).toBe(expected);
});

test.each([
  ['no header', undefined, '"a"', false],
  ['the tag', '"a"', '"a"', true],
  ['the tag in a list', '"b", "a" ,"c"', '"a"', true],
  ['the tag marked weak', 'W/"a"', '"a"', false],
  ['a weak tag on both sides', 'W/"a"', 'W/"a"', false],
  ['anything', '*', '"a"', true],
  ['a tag without quotes', 'a', '"a"', false],
] as const)('strongly, %s: %s against %s → %s', (_case, header, tag, expected) => {
  expect(matchesStrongEntityTag(header, tag)).toBe(expected);
});

test('a long header of quotes is read in no time', () => {
  expect(matchesEntityTag('"'.repeat(16_001), '"a"')).toBe(false);
});
