import { expect, test } from 'vitest';
import {
  checkPreconditions,
  matchesEntityTag,
  matchesStrongEntityTag,
  type Preconditions,
  type Validators,
} from './conditional.js';

const strong: Validators = {
  entityTag: '"a"',
  lastModifiedMs: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
};
const weak: Validators = { ...strong, entityTag: 'W/"a"' };
const undated: Validators = { entityTag: '"a"' };
const untagged: Validators = { lastModifiedMs: strong.lastModifiedMs };
const before = 'Fri, 02 Jan 2026 03:04:04 GMT';
const same = 'Fri, 02 Jan 2026 03:04:05 GMT';
const after = 'Fri, 02 Jan 2026 03:04:06 GMT';
const noDate = 'yesterday';

type Sent = Omit<Preconditions, 'method'>;
type Row = readonly [name: string, sent: Sent, there: Validators, get: number, put: number];

/** 0 means: perform the method. */
const rows: readonly Row[] = [
  ['no condition', {}, strong, 0, 0],
  // Step 1
  ['If-Match of the tag', { ifMatch: '"a"' }, strong, 0, 0],
  ['If-Match of a list with the tag', { ifMatch: '"b", "a"' }, strong, 0, 0],
  ['If-Match of another tag', { ifMatch: '"b"' }, strong, 412, 412],
  ['If-Match of the tag marked weak', { ifMatch: 'W/"a"' }, strong, 412, 412],
  ['If-Match of a weak tag', { ifMatch: 'W/"a"' }, weak, 412, 412],
  ['If-Match of anything', { ifMatch: '*' }, untagged, 0, 0],
  ['If-Match where there is no tag', { ifMatch: '"a"' }, untagged, 412, 412],
  // Step 2
  ['If-Unmodified-Since before the change', { ifUnmodifiedSince: before }, strong, 412, 412],
  ['If-Unmodified-Since at the change', { ifUnmodifiedSince: same }, strong, 0, 0],
  ['If-Unmodified-Since after the change', { ifUnmodifiedSince: after }, strong, 0, 0],
  ['If-Unmodified-Since no date', { ifUnmodifiedSince: noDate }, strong, 0, 0],
  ['If-Unmodified-Since of what has no date', { ifUnmodifiedSince: before }, undated, 0, 0],
  ['If-Match beats it', { ifMatch: '"a"', ifUnmodifiedSince: before }, strong, 0, 0],
  ['also when it fails', { ifMatch: '"b"', ifUnmodifiedSince: after }, strong, 412, 412],
  // Step 3
  ['If-None-Match of the tag', { ifNoneMatch: '"a"' }, strong, 304, 412],
  ['If-None-Match of a list with the tag', { ifNoneMatch: '"b","a"' }, strong, 304, 412],
  ['If-None-Match of the tag marked weak', { ifNoneMatch: 'W/"a"' }, strong, 304, 412],
  ['If-None-Match of a weak tag', { ifNoneMatch: '"a"' }, weak, 304, 412],
  ['If-None-Match of another tag', { ifNoneMatch: '"b"' }, strong, 0, 0],
  ['If-None-Match of anything', { ifNoneMatch: '*' }, untagged, 304, 412],
  ['If-None-Match where there is no tag', { ifNoneMatch: '"a"' }, untagged, 0, 0],
  // Step 4
  ['If-Modified-Since before the change', { ifModifiedSince: before }, strong, 0, 0],
  ['If-Modified-Since at the change', { ifModifiedSince: same }, strong, 304, 0],
  ['If-Modified-Since after the change', { ifModifiedSince: after }, strong, 304, 0],
  ['If-Modified-Since no date', { ifModifiedSince: noDate }, strong, 0, 0],
  ['If-Modified-Since of what has no date', { ifModifiedSince: after }, undated, 0, 0],
  ['If-None-Match beats it', { ifNoneMatch: '"b"', ifModifiedSince: after }, strong, 0, 0],
  ['also when it matches', { ifNoneMatch: '"a"', ifModifiedSince: before }, strong, 304, 412],
  // Both conditions
  ['a failed If-Match first', { ifMatch: '"b"', ifNoneMatch: '"a"' }, strong, 412, 412],
  ['a kept If-Match, then the rest', { ifMatch: '"a"', ifNoneMatch: '"a"' }, strong, 304, 412],
  [
    'a failed If-Unmodified-Since first',
    { ifUnmodifiedSince: before, ifNoneMatch: '"a"' },
    strong,
    412,
    412,
  ],
  [
    'a kept If-Unmodified-Since, then the rest',
    { ifUnmodifiedSince: same, ifModifiedSince: same },
    strong,
    304,
    0,
  ],
];

test.each(rows)('%s', (_name, sent, there, get, put) => {
  const outcomeOf = (method: string) => {
    const outcome = checkPreconditions({ method, ...sent }, there);
    return outcome === 'proceed' ? 0 : outcome;
  };
  expect(outcomeOf('GET')).toBe(get);
  expect(outcomeOf('HEAD')).toBe(get);
  expect(outcomeOf('PUT')).toBe(put);
  expect(outcomeOf('DELETE')).toBe(put);
});

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

test('a long header of quotes is parsed quickly', () => {
  expect(matchesEntityTag('"'.repeat(16_001), '"a"')).toBe(false);
});
