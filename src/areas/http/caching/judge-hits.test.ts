import { expect, test } from 'vitest';
import { redact } from '../../../base/text/redact.js';
import { judgeHits } from './judge-hits.js';
import type { Hit, SentCaching } from './resource.js';

const storable: SentCaching = { isStorable: true, isDated: false, tag: 'a' };
const fresh = { ...storable, freshMs: 60_000 };

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
const both = ['at-0', 'at-90'];

test.each<[string, Hit[], object]>([
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
    [
      hit(0, { isStorable: true, isDated: true }),
      hit(1, fresh, { headers: { 'if-modified-since': redact('x') } }),
    ],
    { 'revalidate-stale': 'kept' },
  ],
  ['no validator', [hit(0, { isStorable: true, isDated: false }), hit(1, fresh)], {}],
  ['a response that may not be stored', [hit(0, { ...storable, isStorable: false }), hit(1)], {}],
  [
    'a response that was not stored',
    [hit(0, { ...storable, isStorable: false }), hit(1, storable)],
    { 'no-store': 'kept' },
  ],
  [
    'a response that was stored nevertheless',
    [hit(0, { ...storable, isStorable: false }), hit(1, storable, tagged('"b", W/"a"'))],
    { 'no-store': 'broken' },
  ],
  [
    'a stored tag that another response had',
    [
      hit(0, { ...storable, isStorable: true }, { target: redact('/page?a') }),
      hit(1, { ...storable, isStorable: false }),
      hit(2, { ...storable, isStorable: false }, tagged()),
    ],
    { 'no-store': 'unclear' },
  ],
  ...['no-cache', 'max-age=0', 'max-age=0, No-Cache', 'no-store', 'min-fresh=120'].map(
    (directive): [string, Hit[], object] => [
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
])('%s', (_name, hits, expected) => {
  const reached = judgeHits(hits).filter(({ outcome }) => outcome !== 'not-reached');
  expect(Object.fromEntries(reached.map(({ rule, outcome }) => [rule, outcome]))).toEqual(expected);
});

test('the evidence is the response and the next request', () => {
  const [reuse] = judgeHits([hit(0, fresh), hit(90, fresh)]);
  expect(reuse).toMatchObject({ id: 'cache-reuse-fresh', outcome: 'kept', evidence: both });
});
