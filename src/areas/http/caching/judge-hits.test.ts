import { expect, test } from 'vitest';
import { redact } from '#base/text/redact.js';
import type { JudgedDirective } from './choices.js';
import { judgeHits } from './judge-hits.js';
import type { Hit, Reuse, SentCaching } from './resource.js';

const storable: SentCaching = { isDated: false, tag: 'a' };
const fresh: SentCaching = { ...storable, freshMs: 60_000, sharedFreshMs: 60_000 };
const stale: SentCaching = { ...storable, freshMs: 0, sharedFreshMs: 0 };
const forbidden: SentCaching = { ...storable, forbiddenBy: 'no-store' };
const unknownStatus: SentCaching = { ...storable, forbiddenBy: 'must-understand' };
const withDirective = (name: JudgedDirective, sent = stale): SentCaching => ({
  ...sent,
  directives: [name],
});

type Change = Partial<Hit>;

const arrivedAt = (seconds: number) => ({ timeMs: seconds * 1000, connectionReused: false });

const hit = (seconds: number, sent?: SentCaching, more: Change = {}): Hit => ({
  requestId: `at-${seconds}`,
  atMs: 0,
  realMs: seconds * 1000,
  arrival: arrivedAt(seconds),
  client: 'a',
  method: 'GET',
  target: redact('/page'),
  status: 200,
  headers: {},
  ...(sent !== undefined && { sent }),
  ...more,
});

const tagged = (tag = '"a"') => ({ headers: { 'if-none-match': redact(tag) }, status: 304 });
const via = { headers: { via: redact('1.1 shared') } };
const viaTagged = { headers: { ...via.headers, 'if-none-match': redact('"a"') }, status: 304 };
const reload = (directive: string) => ({
  headers: { 'if-none-match': redact('"a"'), 'cache-control': redact(directive) },
  isEncrypted: true as const,
});
const error = (seconds: number, more: Change = {}) =>
  hit(seconds, undefined, { ...tagged(), ...more, status: 503 });
const reused = (seconds: number, reportedAt: number, cache: Reuse['cache'] = 'private'): Reuse => ({
  requestId: `at-${seconds}`,
  cache,
  reportedAtMs: reportedAt * 1000,
});

type Row = [name: string, hits: Hit[], expected: object, reuses?: Reuse[]];

const existing: readonly Row[] = [
  ['nothing', [], {}],
  ['one request', [hit(0, fresh)], {}],
  ['a request while fresh', [hit(0, fresh), hit(30, fresh)], { 'reuse-fresh': 'against-advice' }],
  ['a request at the end of freshness', [hit(0, fresh), hit(59.5, fresh)], {}],
  [
    'a stale response that is revalidated',
    [hit(0, fresh), hit(90, fresh, tagged())],
    { 'reuse-fresh': 'kept', 'revalidate-stale': 'kept' },
  ],
  [
    'a stale response that is requested without a condition',
    [hit(0, fresh), hit(90, fresh)],
    { 'reuse-fresh': 'kept', 'revalidate-stale': 'against-advice' },
  ],
  [
    'a date as the condition',
    [hit(0, { isDated: true }), hit(1, fresh, { headers: { 'if-modified-since': redact('x') } })],
    { 'revalidate-stale': 'kept' },
  ],
  ['no validator', [hit(0, { isDated: false }), hit(1, fresh)], {}],
  ['a response that may not be stored', [hit(0, forbidden), hit(1)], {}],
  ['a response that was not stored', [hit(0, forbidden), hit(1, storable)], { 'no-store': 'kept' }],
  [
    'a response that was stored nevertheless',
    [hit(0, forbidden), hit(1, storable, tagged('"b", W/"a"'))],
    { 'no-store': 'broken' },
  ],
  [
    'a stored tag that another response had',
    [
      hit(0, storable, { target: redact('/page?a') }),
      hit(1, forbidden),
      hit(2, forbidden, tagged()),
    ],
    { 'no-store': 'unclear' },
  ],
  ...['no-cache', 'max-age=0', 'max-age=0, No-Cache', 'no-store', 'min-fresh=120'].map(
    (directive): Row => [
      `Cache-Control: ${directive} in the request`,
      [hit(0, fresh), hit(1, fresh, { headers: { 'cache-control': redact(directive) } })],
      {},
    ],
  ),
  ['Pragma', [hit(0, fresh), hit(1, fresh, { headers: { pragma: redact('no-cache') } })], {}],
  ['a range', [hit(0, fresh), hit(1, fresh, { headers: { range: redact('bytes=0-9') } })], {}],
  ['another client', [hit(0, fresh), hit(1, fresh, { client: 'b' })], {}],
  ['requests that overlap', [hit(2, fresh), hit(3, fresh, { arrival: arrivedAt(1) })], {}],
  ['requests that may have crossed', [hit(0, fresh), hit(0.04, fresh)], {}],
  [
    'requests that overlap, after a response that both could use',
    [
      hit(0, fresh),
      hit(3, fresh, { arrival: arrivedAt(2) }),
      hit(4, fresh, { arrival: arrivedAt(2) }),
    ],
    { 'reuse-fresh': 'against-advice' },
  ],
  ['another URL', [hit(0, fresh), hit(1, fresh, { target: redact('/page?a') })], {}],
  ['a URL of which less is shown', [hit(0, fresh), hit(1, fresh, { sentAs: 'a' })], {}],
  [
    'another variant',
    [hit(0, fresh), hit(1, fresh, { headers: { accept: redact('text/a') } })],
    {},
  ],
  ['HEAD', [hit(0, fresh), hit(1, fresh, { method: 'HEAD' })], {}],
  ['a change in between', [hit(0, fresh), hit(1, undefined, { method: 'PUT' }), hit(2, fresh)], {}],
];

const noCache = withDirective('noCache', storable);
const mustRevalidate = withDirective('mustRevalidate');
const whileFresh = withDirective('mustRevalidate', fresh);
const proxyRevalidate = withDirective('proxyRevalidate');
const noTransform = withDirective('noTransform', fresh);
const immutable = withDirective('immutable', fresh);
const swr: SentCaching = { ...stale, swrMs: 60_000 };
const sie: SentCaching = { ...stale, sieMs: 60_000 };
const revalidated = { 'revalidate-stale': 'kept' };
const repeated = { 'revalidate-stale': 'against-advice' };
const later = { ...revalidated, 'reuse-fresh': 'kept' };

const byDirective: Readonly<Record<string, readonly Row[]>> = {
  'no-cache': [
    [
      'a condition',
      [hit(0, noCache), hit(1, noCache, tagged())],
      { ...revalidated, 'no-cache': 'kept' },
    ],
    ['nothing is stored', [hit(0, noCache), hit(1, noCache)], repeated],
    ['reuse', [hit(0, noCache)], { 'no-cache': 'broken' }, [reused(0, 1)]],
    [
      'reuse after an error',
      [hit(0, noCache), error(1)],
      { ...revalidated, 'no-cache': 'broken' },
      [reused(0, 2)],
    ],
    [
      'reuse that a later request may have validated',
      [hit(0, noCache), hit(1, noCache, tagged())],
      { ...revalidated, 'no-cache': 'unclear' },
      [reused(0, 2)],
    ],
    [
      'reuse after a request of another client',
      [hit(0, noCache), hit(1, noCache, { client: 'b' })],
      { 'no-cache': 'broken' },
      [reused(0, 2)],
    ],
  ],
  'must-revalidate': [
    [
      'a condition when stale',
      [hit(0, mustRevalidate), hit(1, mustRevalidate, tagged())],
      { ...revalidated, 'must-revalidate': 'kept' },
    ],
    ['nothing is stored', [hit(0, mustRevalidate), hit(1, mustRevalidate)], repeated],
    ['reuse', [hit(0, mustRevalidate)], { 'must-revalidate': 'broken' }, [reused(0, 1)]],
    [
      'reuse when the validation failed',
      [hit(0, mustRevalidate), error(1)],
      { ...revalidated, 'must-revalidate': 'broken' },
      [reused(0, 2)],
    ],
    [
      'reuse while fresh',
      [hit(0, whileFresh)],
      { 'reuse-fresh': 'kept', 'must-revalidate': 'kept' },
      [reused(0, 30)],
    ],
    ['a late report', [hit(0, whileFresh)], { 'must-revalidate': 'unclear' }, [reused(0, 90)]],
    [
      'no lifetime',
      [hit(0, withDirective('mustRevalidate', storable))],
      { 'must-revalidate': 'unclear' },
      [reused(0, 1)],
    ],
  ],
  'proxy-revalidate': [
    [
      'a shared cache with a condition',
      [hit(0, proxyRevalidate, via), hit(1, proxyRevalidate, viaTagged)],
      { ...revalidated, 'proxy-revalidate': 'kept' },
    ],
    [
      'a private cache with a condition',
      [hit(0, proxyRevalidate), hit(1, proxyRevalidate, tagged())],
      revalidated,
    ],
    ['reuse by a private cache', [hit(0, proxyRevalidate)], {}, [reused(0, 1)]],
    ['reuse by a private cache behind a proxy', [hit(0, proxyRevalidate, via)], {}, [reused(0, 1)]],
    [
      'reuse by a shared cache',
      [hit(0, proxyRevalidate, via)],
      { 'proxy-revalidate': 'broken' },
      [reused(0, 1, 'shared')],
    ],
  ],
  'must-understand': [
    [
      'an unknown status is not stored',
      [hit(0, unknownStatus), hit(1, unknownStatus)],
      { 'must-understand': 'kept' },
    ],
    [
      'an unknown status was stored',
      [hit(0, unknownStatus), hit(1, unknownStatus, tagged())],
      { 'must-understand': 'broken' },
    ],
    [
      'an unknown status is used again',
      [hit(0, unknownStatus)],
      { 'must-understand': 'broken' },
      [reused(0, 1)],
    ],
    [
      'another response had its tag',
      [
        hit(0, storable, { target: redact('/b') }),
        hit(1, unknownStatus),
        hit(2, unknownStatus, tagged()),
      ],
      { 'must-understand': 'unclear' },
    ],
  ],
  'no-store': [
    ['reuse', [hit(0, forbidden)], { 'no-store': 'broken' }, [reused(0, 1)]],
    [
      'a tag in a reload',
      [hit(0, forbidden), hit(1, forbidden, reload('max-age=0'))],
      { 'no-store': 'broken' },
    ],
  ],
  'no-transform': [
    [
      'a proxy returns the tag',
      [hit(0, noTransform, via), hit(90, noTransform, viaTagged)],
      { ...later, 'no-transform': 'kept' },
    ],
    [
      'a client without a proxy returns the tag',
      [hit(0, noTransform), hit(90, noTransform, tagged())],
      later,
    ],
    ...['"a-gzip"', '"a;br"', 'W/"b", W/"a--gzip"'].map((tags): Row => {
      const next = hit(90, noTransform, { headers: { 'if-none-match': redact(tags) } });
      return [tags, [hit(0, noTransform, via), next], { ...later, 'no-transform': 'broken' }];
    }),
    [
      'a weakened tag',
      [hit(0, noTransform), hit(90, noTransform, tagged('W/"a"'))],
      { ...later, 'no-transform': 'unclear' },
    ],
    [
      'a weak tag',
      [hit(0, { ...noTransform, isWeak: true }), hit(90, noTransform, tagged('W/"a"'))],
      later,
    ],
    [
      'another response had its tag',
      [
        hit(0, fresh, { target: redact('/b') }),
        hit(1, noTransform),
        hit(91, noTransform, tagged('"a-gzip"')),
      ],
      { ...later, 'no-transform': 'unclear' },
    ],
  ],
  immutable: [
    [
      'a reload while fresh',
      [hit(0, immutable), hit(30, immutable, reload('max-age=0'))],
      { immutable: 'against-advice' },
    ],
    ['a forced reload', [hit(0, immutable), hit(30, immutable, reload('no-cache'))], {}],
    [
      'a request when stale',
      [hit(0, immutable), hit(90, immutable, { ...tagged(), isEncrypted: true })],
      { ...later, immutable: 'kept' },
    ],
    [
      'nothing is stored',
      [hit(0, immutable), hit(30, immutable, { isEncrypted: true })],
      { 'reuse-fresh': 'against-advice' },
    ],
    [
      'a reload without TLS, where clients should ignore it',
      [hit(0, immutable), hit(30, immutable, { headers: reload('max-age=0').headers })],
      {},
    ],
  ],
  'stale-while-revalidate': [
    [
      'a condition in time',
      [hit(0, swr), hit(30, swr, tagged())],
      { ...revalidated, 'stale-while-revalidate': 'kept' },
    ],
    ['a condition later', [hit(0, swr), hit(90, swr, tagged())], revalidated],
    ['reuse in time', [hit(0, swr)], { 'stale-while-revalidate': 'kept' }, [reused(0, 30)]],
    ['a late report', [hit(0, swr)], { 'stale-while-revalidate': 'unclear' }, [reused(0, 90)]],
    [
      'reuse when the time is over',
      [hit(0, { ...stale, swrMs: 0 })],
      { 'stale-while-revalidate': 'against-advice' },
      [reused(0, 1)],
    ],
  ],
  'stale-if-error': [
    [
      'stored after the error',
      [hit(0, sie), error(1), hit(2, sie, tagged())],
      { ...revalidated, 'stale-if-error': 'kept' },
    ],
    [
      'dropped at the error',
      [hit(0, sie), error(1), hit(2, sie)],
      { ...repeated, 'stale-if-error': 'against-advice' },
    ],
    ['nothing was stored', [hit(0, sie), error(1, { headers: {} }), hit(2, sie)], repeated],
    ['a request when the time is over', [hit(0, sie), error(1), hit(90, sie)], repeated],
  ],
  'shared caches': [
    [
      's-maxage=0',
      [hit(0, { ...fresh, sharedFreshMs: 0 }, via), hit(1, fresh, viaTagged)],
      revalidated,
    ],
    ['private', [hit(0, withDirective('private', fresh), via), hit(1, fresh, via)], {}],
    ['a report about an unknown response', [hit(0, mustRevalidate)], {}, [reused(5, 6)]],
  ],
};

const rows: readonly Row[] = [
  ...existing,
  ...Object.entries(byDirective).flatMap(([directive, each]) =>
    each.map(([name, ...row]): Row => [`${directive}: ${name}`, ...row]),
  ),
];

const outcomesOf = (hits: Hit[], reuses?: Reuse[]) => {
  const reached = judgeHits(hits, reuses).filter(({ outcome }) => outcome !== 'not-reached');
  return Object.fromEntries(reached.map(({ rule, outcome }) => [rule, outcome]));
};

test.each(rows)('%s', (_name, hits, expected, reuses) => {
  expect(outcomesOf(hits, reuses)).toEqual(expected);
});

test('the table has right and wrong clients for each rule', () => {
  const seen = rows.flatMap(([, , expected]) =>
    Object.entries(expected).map((each) => each.join(' ')),
  );
  for (const { rule, level } of judgeHits([])) {
    const against = level === 'must' ? 'broken' : 'against-advice';
    expect(seen, rule).toEqual(expect.arrayContaining([`${rule} kept`, `${rule} ${against}`]));
  }
});

test('an unclear outcome says what would decide', () => {
  const verdicts = judgeHits([hit(0, whileFresh)], [reused(0, 90)]);
  const unclear = verdicts.find(({ outcome }) => outcome === 'unclear');
  expect(unclear?.decidedBy).toContain('maxAge=60');
});

test('the evidence is the response and the next request', () => {
  const [reuse] = judgeHits([hit(0, fresh), hit(90, fresh)]);
  expect(reuse).toMatchObject({ outcome: 'kept', evidence: ['at-0', 'at-90'] });
});
