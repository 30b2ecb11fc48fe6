import { expect, test } from 'vitest';
import type { Fault, GivenRule } from '#faults/plan/fault-plan.js';
import { DeniedHeaders } from '#http/denied-headers.js';
import { checkPlan } from './check-plan.js';

const denied = new DeniedHeaders();
const fieldsOf = (...rules: GivenRule[]) => checkPlan({ rules }, denied).map(({ field }) => field);
const of = (fault: Fault) => fieldsOf({ sequence: [fault] });
const at = 'rules.0.sequence.0';

test.each<[string, Fault]>([
  ['nothing', {}],
  ['a status', { status: 503 }],
  [
    'a status with all its members',
    { status: 503, headers: { 'X-A': ['1', '2'] }, body: 'x', retryAfter: 1, after: true },
  ],
  ['a shape', { status: 503, shape: 'protocol', retryAfter: { seconds: 1, as: 'date' } }],
  ['a delay', { delayMs: 5 }],
  ['a delay and another fault', { delayMs: { min: 1, max: 1 }, truncate: 0 }],
  ['a log-normal delay', { delayMs: { median: 1, p99: 1 } }],
  ['chance', { probability: 0.5, fault: { hang: true, after: true }, delayMs: 1 }],
  ['a type', { contentType: 'text/html' }],
  ['headers', { headers: { 'WWW-Authenticate': 'Bearer', Link: ['a', 'b'] } }],
  ['headers in UTF-8', { headers: { 'X-A': '안녕' }, headerEncoding: 'utf-8', delayMs: 1 }],
])('%s is valid', (_name, fault) => {
  expect(of(fault)).toEqual([]);
});

test.each<[string, Fault, string[]]>([
  [
    'a delay of at most one less than its min',
    { delayMs: { min: 2, max: 1 } },
    [`${at}.delayMs.max`],
  ],
  ['a p99 one below the median', { delayMs: { median: 2, p99: 1 } }, [`${at}.delayMs.p99`]],
  ['a median of 0', { delayMs: { median: 0, p99: 1 } }, [`${at}.delayMs.median`]],
  ['two faults in one', { hang: true, reset: true }, [`${at}.reset`]],
  ['headers beside another fault', { headers: { a: 'b' }, truncate: 1 }, [`${at}.headers`]],
  ['an encoding without headers', { headerEncoding: 'utf-8' }, [`${at}.headerEncoding`]],
  [
    'denied headers without a status',
    { headers: { 'Content-Length': '2', 'Content-Encoding': 'gzip', 'Set-Cookie': 'a=b' } },
    [`${at}.headers.Content-Length`, `${at}.headers.Content-Encoding`, `${at}.headers.Set-Cookie`],
  ],
  ['headers after the work', { headers: { a: 'b' }, after: true }, [`${at}.after`]],
  ['a body without a status', { body: 'x' }, [`${at}.body`]],
  [
    'members of a status beside another fault',
    { hang: true, retryAfter: 1, shape: 'protocol' },
    [`${at}.retryAfter`, `${at}.shape`],
  ],
  [
    'after for a fault that always acts after the work',
    { truncate: 1, after: true },
    [`${at}.after`],
  ],
  ['after, alone', { after: false }, [`${at}.after`]],
  ['a body beside a shape', { status: 500, body: 'x', shape: 'protocol' }, [`${at}.body`]],
  [
    'Retry-After twice',
    { status: 503, retryAfter: 1, headers: { 'Retry-After': '2' } },
    [`${at}.retryAfter`],
  ],
  [
    'a header of message framing',
    { status: 503, headers: { 'Content-Length': '2' } },
    [`${at}.headers.Content-Length`],
  ],
  [
    'a header that the service sets',
    { status: 503, headers: { 'X-Fault': 'a#1', 'x-simulated': 'no' } },
    [`${at}.headers.X-Fault`, `${at}.headers.x-simulated`],
  ],
  [
    'a header for proxies',
    { status: 503, headers: [['X-Accel-Redirect', '/']] },
    [`${at}.headers.0`],
  ],
  [
    'a header with a line break',
    { status: 503, headers: { 'X-A': 'a\r\nb: c' } },
    [`${at}.headers.X-A`],
  ],
  ['a body that is too large', { status: 503, body: 'x'.repeat(65_537) }, [`${at}.body`]],
  ['a script', { contentType: 'text/javascript' }, [`${at}.contentType`]],
  ['a type with a line break', { contentType: 'text/html\r\nx: y' }, [`${at}.contentType`]],
  ['a delay whose max is below min', { delayMs: { min: 2, max: 1 } }, [`${at}.delayMs.max`]],
  ['half a delay', { delayMs: { min: 2 } as never }, [`${at}.delayMs`]],
  ['a mixed delay', { delayMs: { min: 2, p99: 3 } as never }, [`${at}.delayMs`]],
  ['an empty delay', { delayMs: {} as never }, [`${at}.delayMs`]],
  ['a median of 0', { delayMs: { median: 0, p99: 1 } }, [`${at}.delayMs.median`]],
  ['a percentile below the median', { delayMs: { median: 2, p99: 1 } }, [`${at}.delayMs.p99`]],
  ['probability without a fault', { probability: 0.5 }, [`${at}.fault`]],
  ['a fault without probability', { fault: { hang: true } }, [`${at}.probability`]],
  [
    'probability beside a fault',
    { probability: 0.5, status: 500 },
    [`${at}.status`, `${at}.fault`],
  ],
  [
    'an invalid fault with a probability',
    { probability: 0.5, fault: { hang: true, slow: 1 } },
    [`${at}.fault.hang`],
  ],
])('%s is named', (_name, fault, fields) => {
  expect(of(fault)).toEqual(fields);
});

test('names of rules must be unique', () => {
  const sequence = [{}];
  expect(fieldsOf({ name: 'a', sequence }, { name: 'a', sequence })).toEqual(['rules.1.name']);
  expect(fieldsOf({ name: 'rule-2', sequence }, { sequence })).toEqual(['rules.1.name']);
  expect(fieldsOf({ name: 'a b#1', sequence })).toEqual(['rules.0.name']);
});

test('the conditions of a rule are checked', () => {
  const sequence = [{}];
  const match = { method: 'FETCH', path: '/(a)', header: { 'a b': 'c', ok: 'd' } };
  expect(fieldsOf({ match, sequence })).toEqual([
    'rules.0.match.method',
    'rules.0.match.path',
    'rules.0.match.header.a b',
  ]);
});
