import { expect, test } from 'vitest';
import {
  type CachingFacts,
  type Choices,
  cachingHeaders,
  checkChoices,
  directivesOf,
} from './choices.js';

test.each([
  ['nothing', {}, ''],
  ['max-age', { maxAge: 60 }, 'max-age=60'],
  ['max-age=0', { maxAge: 0 }, 'max-age=0'],
  ['s-maxage', { sMaxage: 5 }, 's-maxage=5'],
  ['no-store', { noStore: true }, 'no-store'],
  ['private', { private: true, maxAge: 1 }, 'private, max-age=1'],
  ['must-revalidate', { mustRevalidate: true }, 'must-revalidate'],
  ['stale-while-revalidate', { swr: 7 }, 'stale-while-revalidate=7'],
  ['stale-if-error', { sie: 9 }, 'stale-if-error=9'],
  ['directives set to false', { private: false, noStore: false, mustRevalidate: false }, ''],
  ['no-cache', { noCache: true, maxAge: 1 }, 'no-cache, max-age=1'],
  ['proxy-revalidate', { proxyRevalidate: true }, 'proxy-revalidate'],
  ['must-understand', { mustUnderstand: true, noStore: true }, 'no-store, must-understand'],
  ['immutable', { immutable: true, maxAge: 1 }, 'max-age=1, immutable'],
  ['no-transform', { noTransform: true }, 'no-transform'],
  [
    'all directives',
    { maxAge: 1, sMaxage: 2, swr: 3, sie: 4, private: true, noStore: true, mustRevalidate: true },
    'private, no-store, max-age=1, s-maxage=2, must-revalidate, stale-while-revalidate=3, stale-if-error=4',
  ],
] satisfies [string, Choices, string][])('%s', (_name, choices, expected) => {
  expect(directivesOf(choices)).toBe(expected);
});

const facts: CachingFacts = {
  nowMs: Date.UTC(2026, 0, 2),
  keptForMs: 90_500,
  changedAtMs: Date.UTC(2026, 0, 1),
  tag: 'a',
};

test.each([
  ['a strong tag by default', {}, {}, { etag: '"a"' }],
  ['a weak tag', {}, { etag: 'weak' }, { etag: 'W/"a"' }],
  ['no tag', { etag: 'none' }, {}, {}],
  [
    "a request's choice before a stored choice",
    { etag: 'none' },
    { etag: 'weak' },
    { etag: 'W/"a"' },
  ],
  [
    'the time of the last change',
    { etag: 'none' },
    { lastModified: 'true' },
    { 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' },
  ],
  [
    'a given date',
    { etag: 'none', lastModified: '2025-12-24' },
    {},
    { 'last-modified': 'Wed, 24 Dec 2025 00:00:00 GMT' },
  ],
  ['an age of this request', { etag: 'none' }, { age: 5 }, { age: '5' }],
  ['a stored age, which has increased', { etag: 'none', age: 5 }, {}, { age: '95' }],
  [
    'an expiry of this request',
    { etag: 'none' },
    { expires: '60' },
    { expires: 'Fri, 02 Jan 2026 00:01:00 GMT' },
  ],
  [
    'a stored expiry, which has come nearer',
    { etag: 'none', expires: '60' },
    {},
    { expires: 'Thu, 01 Jan 2026 23:59:29 GMT' },
  ],
  [
    'an expiry on a date',
    { etag: 'none', expires: '2027-01-01T00:00:00Z' },
    {},
    { expires: 'Fri, 01 Jan 2027 00:00:00 GMT' },
  ],
  [
    'directives of both',
    { etag: 'none', maxAge: 60, private: true },
    { maxAge: 5 },
    { 'cache-control': 'private, max-age=5' },
  ],
] satisfies [string, Choices, Choices, object][])('%s', (_name, kept, asked, expected) => {
  expect(cachingHeaders(kept, asked, facts).headers).toEqual(expected);
});

test('setting the clock back does not decrease the age', () => {
  const { headers } = cachingHeaders({ age: 5 }, {}, { ...facts, keptForMs: -1000 });
  expect(headers.age).toBe('5');
});

test.each([
  [{}, []],
  [{ lastModified: 'true', expires: '-1' }, []],
  [{ lastModified: '2026-01-01', expires: 'Thu, 01 Jan 2026 00:00:00 GMT' }, []],
  [{ lastModified: 'yes', expires: 'soon' }, ['lastModified', 'expires']],
])('%j: faults %j', (choices, expected) => {
  expect(checkChoices(choices).map(({ field }) => field)).toEqual(expected);
});

test.each<[Choices, object]>([
  [{ noStore: true }, { forbiddenBy: 'no-store' }],
  [{ noStore: true, mustUnderstand: true, status: 203 }, {}],
  [{ mustUnderstand: true, status: 299 }, { forbiddenBy: 'must-understand' }],
  [{ status: 299 }, {}],
  [{ maxAge: 60, noCache: true }, { directives: ['noCache'] }],
  [
    { maxAge: 60, sMaxage: 5, age: 10, immutable: true },
    { directives: ['immutable'], freshMs: 50_000, sharedFreshMs: 0 },
  ],
  [{ sMaxage: 5 }, { sharedFreshMs: 5000 }],
  [
    { expires: '60', swr: 1, sie: 2 },
    { freshMs: 60_000, sharedFreshMs: 60_000, swrMs: 1000, sieMs: 2000 },
  ],
  [{ expires: '-60' }, { freshMs: 0, sharedFreshMs: 0 }],
])('%j is judged as %j', (choices, expected) => {
  const { sent } = cachingHeaders({}, { etag: 'none', ...choices }, facts);
  expect(sent).toEqual({ isDated: false, ...expected });
});
