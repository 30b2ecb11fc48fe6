import { expect, test } from 'vitest';
import { redact } from '#base/text/redact.js';
import type { UploadRequest } from './upload-requests.js';
import { judgeUploads } from './upload-rules.js';

type Change = Partial<UploadRequest>;

const request = (second: number, method: string, more: Change = {}): UploadRequest => ({
  requestId: `at-${second}`,
  atMs: 0,
  arrival: { timeMs: second * 1000, connectionReused: true, connection: 'a' },
  respondedAtMs: second * 1000 + 10,
  method,
  upload: 'u',
  status: 204,
  type: redact('application/partial-upload'),
  version: 9,
  hasLength: false,
  ...more,
});

const creation = request(0, 'POST', { isComplete: false, status: 201, announcedOffset: 5 });
const append = (second: number, offset: number, more: Change = {}) =>
  request(second, 'PATCH', { offset, isComplete: false, announcedOffset: offset + 1, ...more });
const conflict = (second: number, offset: number, more: Change = {}) =>
  append(second, offset, { status: 409, fault: 'offset', announcedOffset: 5, ...more });
const head = (second: number, offset: number, more: Change = {}) =>
  request(second, 'HEAD', { announcedOffset: offset, ...more });
const end = (second: number, more: Change = {}) =>
  append(second, 5, { isComplete: true, isCompleted: true, status: 201, ...more });
const elsewhere = (second: number): Change => ({
  arrival: { timeMs: second * 1000, connectionReused: false, connection: 'b' },
});
const lost = { isInterrupted: true } as const;

/** An append whose headers the draft does not know. */
const { offset: _no, ...withoutOffset } = append(1, 5, { status: 400 });
const { isComplete: _none, ...withoutComplete } = append(1, 5, { status: 400 });
const { version: _absent, ...withoutVersion } = creation;

type Row = [name: string, rule: string, outcome: string, requests: UploadRequest[]];

const rows: Row[] = [
  ['the version of the draft', 'interop-version', 'kept', [creation]],
  ['no integer', 'interop-version', 'broken', [{ ...creation, version: null }]],
  ['another draft', 'interop-version', 'unclear', [{ ...creation, version: 8 }]],
  ['no version', 'interop-version', 'unclear', [withoutVersion]],
  ['the type', 'media-type', 'kept', [append(1, 5)]],
  ['another type', 'media-type', 'broken', [append(1, 5, { type: redact('text/plain') })]],
  ['the type of a creation', 'media-type', 'not-reached', [creation]],
  ['an offset', 'append-offset', 'kept', [append(1, 5)]],
  ['no offset', 'append-offset', 'broken', [withoutOffset]],
  ['Upload-Complete', 'append-complete', 'kept', [append(1, 5)]],
  ['no Upload-Complete', 'append-complete', 'broken', [withoutComplete]],
  ['a length', 'consistent-length', 'kept', [{ ...creation, hasLength: true }]],
  ['the last request', 'consistent-length', 'kept', [end(1)]],
  ['no length', 'consistent-length', 'not-reached', [creation]],
  ['an interrupted request', 'consistent-length', 'not-reached', [end(1, lost)]],
  [
    'lengths that differ',
    'consistent-length',
    'broken',
    [end(1, { status: 400, fault: 'length' })],
  ],
  ['a small request', 'append-limits', 'kept', [append(1, 5)]],
  [
    'too large an append',
    'append-limits',
    'broken',
    [append(1, 5, { status: 413, fault: 'append-size' })],
  ],
  [
    'too large a creation',
    'append-limits',
    'unclear',
    [{ ...creation, upload: null, status: 413, fault: 'append-size' }],
  ],
  ['the offset of the response', 'known-offset', 'kept', [creation, append(1, 5)]],
  [
    'after an interruption, by HEAD',
    'known-offset',
    'kept',
    [append(0, 5, lost), head(1, 6), append(2, 6)],
  ],
  [
    'after an interruption, right without HEAD',
    'known-offset',
    'kept',
    [append(0, 5, lost), append(1, 6)],
  ],
  [
    'after an interruption, a guess',
    'known-offset',
    'against-advice',
    [creation, append(1, 5, lost), conflict(2, 9)],
  ],
  [
    'an offset that was never announced',
    'known-offset',
    'against-advice',
    [creation, conflict(1, 7)],
  ],
  [
    'the newest offset, which another request changed',
    'known-offset',
    'unclear',
    [creation, conflict(1, 5)],
  ],
  ['a race', 'known-offset', 'unclear', [creation, conflict(1, 7, { isOverlapping: true })]],
  ['the offset of the 409', 'after-conflict', 'kept', [creation, conflict(1, 7), append(2, 5)]],
  [
    'HEAD after the 409',
    'after-conflict',
    'kept',
    [creation, conflict(1, 7), head(2, 5), append(3, 5)],
  ],
  [
    'the same offset again',
    'after-conflict',
    'against-advice',
    [creation, conflict(1, 7), conflict(2, 7)],
  ],
  [
    'the same offset on another connection, as the 409 may have been lost',
    'after-conflict',
    'unclear',
    [creation, conflict(1, 7), conflict(2, 7, elsewhere(2))],
  ],
  ['one after another', 'one-transfer', 'kept', [creation, append(1, 5)]],
  ['at the same time', 'one-transfer', 'unclear', [creation, head(1, 5, { isOverlapping: true })]],
  ['nothing after the end', 'completed', 'kept', [creation, end(1), head(2, 6)]],
  ['an append after the end', 'completed', 'against-advice', [creation, end(1), append(2, 6)]],
  [
    'the end again on another connection',
    'completed',
    'unclear',
    [creation, end(1), end(2, elsewhere(2))],
  ],
  ['another upload', 'completed', 'kept', [end(1), { ...append(2, 6), upload: 'v' }]],
];

test.each(rows)('%s: %s is %s', (_name, rule, outcome, requests) => {
  const verdict = judgeUploads(requests).find((each) => each.rule === rule);
  expect(verdict?.outcome).toBe(outcome);
  expect(verdict?.decidedBy !== undefined).toBe(outcome === 'unclear');
});

test('right clients break nothing, whatever the order of the records', () => {
  const requests = [creation, append(1, 5), head(2, 6), end(3, { offset: 6 })];
  for (const each of [requests, [...requests].reverse()]) {
    const outcomes = judgeUploads(each).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome !== 'not-reached')).toEqual(
      Array.from({ length: 9 }, () => 'kept'),
    );
  }
});

test('the table has right and wrong clients for each rule', () => {
  const seen = rows.map(([, rule, outcome]) => `${rule} ${outcome}`);
  for (const { rule, level } of judgeUploads([])) {
    // Requests at the same time may come from a client that has given up one of them.
    const worst = level === 'must' ? 'broken' : 'against-advice';
    const against = rule === 'one-transfer' ? 'unclear' : worst;
    expect(seen, rule).toEqual(expect.arrayContaining([`${rule} kept`, `${rule} ${against}`]));
  }
});
