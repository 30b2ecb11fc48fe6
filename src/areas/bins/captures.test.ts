import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { redact, redactFields } from '#base/text/redact.js';
import { turns } from '#base/work-in-turns.js';
import { inSlices, sliceBytes } from '#http/sending/stream-of.js';
import { createMemoryState } from '#state/memory/memory-state.js';
import { binsSpace, maxRequestsPerBin } from './bins.js';
import {
  type CapturedItem,
  describeCapture,
  writeBin,
  writeCapture,
  writeCaptures,
} from './captures.js';
import { keptBodyBytes } from './kept-body.js';

const id = 'A'.repeat(22);
const item: CapturedItem = {
  receivedAtMs: Date.UTC(2030, 0, 2, 3, 4, 5, 6),
  method: 'POST',
  url: redact(`/api/webhooks/${id}/a%2Fb/?x=1&x=2&y=%C5%BE`),
  rawHeaders: redactFields(['X-A', '1', 'content-type', 'text/plain', 'x-a', '2']),
  ip: '::1',
  bodySize: 3,
};
const describeItem = (more: Partial<CapturedItem>, bytes: Buffer = Buffer.alloc(0)) =>
  describeCapture({ sequence: 7, item: { ...item, bodySize: bytes.length, ...more }, bytes });

test('a captured request has all that arrived', () => {
  expect(describeItem({}, Buffer.from('abc'))).toEqual({
    id: '7',
    receivedAt: '2030-01-02T03:04:05.006Z',
    method: 'POST',
    path: `/api/webhooks/${id}/a%2Fb/`,
    subPath: '/a%2Fb/',
    query: Object.assign(Object.create(null), { x: ['1', '2'], y: 'ž' }),
    queryString: 'x=1&x=2&y=%C5%BE',
    headers: [
      { name: 'X-A', value: '1' },
      { name: 'content-type', value: 'text/plain' },
      { name: 'x-a', value: '2' },
    ],
    contentType: 'text/plain',
    bodySize: 3,
    bodyTruncated: false,
    bodyEncoding: 'utf-8',
    body: 'abc',
    ip: '::1',
  });
});

describe('the path after the id', () => {
  test.each([
    [`/api/webhooks/${id}`, ''],
    [`/api/webhooks/${id}/`, '/'],
    [`/API/Webhooks/${id}/B`, '/B'],
    [`/api/webhooks/${id}?a=/x`, ''],
    [`/api/webhooks/${id}//x`, '//x'],
    [`http://host.example/api/webhooks/${id}/x`, '/x'],
  ])('of %s is %j', (url, subPath) => {
    expect(describeItem({ url: redact(url) }).subPath).toBe(subPath);
  });
});

test('a query with odd names pollutes no prototype', () => {
  const { query } = describeItem({
    url: redact(`/api/webhooks/${id}?__proto__[x]=1&__proto__=2&a=%zz`),
  });
  expect(({} as { x?: unknown }).x).toBeUndefined();
  expect(Object.keys(query)).toEqual(['__proto__[x]', '__proto__', 'a']);
});

test('a malformed query is shown as sent, with the place of the error', () => {
  expect(describeItem({ url: redact(`/api/webhooks/${id}?a=%zz`) })).toMatchObject({
    query: { a: '%zz' },
    queryString: 'a=%zz',
    parseError: expect.stringContaining('character 3'),
  });
});

test.each<[string, Buffer, number, object]>([
  ['none', Buffer.alloc(0), 0, { bodyEncoding: 'none', body: null, bodyTruncated: false }],
  ['text', Buffer.from('ž'), 2, { bodyEncoding: 'utf-8', body: 'ž' }],
  ['a byte-order mark', Buffer.from('\ufeffx'), 4, { body: '\ufeffx' }],
  ['bytes', Buffer.from([0xff, 0]), 2, { bodyEncoding: 'base64', body: '/wA=' }],
  ['truncated text', Buffer.from('ab'), 9, { body: 'ab', bodySize: 9, bodyTruncated: true }],
  [
    'text truncated inside a character',
    Buffer.from('ab🐎').subarray(0, 4),
    6,
    { bodyEncoding: 'utf-8', body: 'ab' },
  ],
])('a body of %s is shown exactly', (_name, bytes, bodySize, expected) => {
  expect(describeItem({ bodySize }, bytes)).toMatchObject(expected);
});

const empty = { ...item, receivedAtMs: 0, url: redact('/'), rawHeaders: [], bodySize: 1 };
const bin = { id: 'b', name: null, createdAtMs: 0, response: null };

async function logWith(bodies: readonly string[]) {
  const sandbox = createMemoryState({ clock: () => 0 }).sandbox('');
  await sandbox.update(binsSpace, 'b', () => ({ value: bin, result: undefined }));
  const log = sandbox.log(binsSpace, 'b');
  for (const body of bodies) await log.append(empty, Buffer.from(body));
  return log;
}

async function parse(pieces: AsyncIterable<Buffer | string>) {
  return JSON.parse((await Readable.from(pieces).toArray()).join(''));
}

test.each<[string, number, number, string[]]>([
  ['all, the newest first', 0, 50, ['d', 'c', 'b', 'a']],
  ['the newest two', 0, 2, ['d', 'c']],
  ['all after one', 2, 50, ['d', 'c']],
  ['the newest after one', 1, 1, ['d']],
  ['none after the last', 4, 50, []],
])('writes %s', async (_what, sequence, limit, expected) => {
  const captures = await parse(writeCaptures(await logWith(['a', 'b', 'c', 'd']), sequence, limit));
  expect(captures.map(({ body }: { body: string }) => body)).toEqual(expected);
});

test('writes captures that arrived after the bin was emptied', async () => {
  const log = await logWith(['a', 'b']);
  await log.clear();
  expect(await parse(writeCaptures(log, 0, 50))).toEqual([]);
  await log.append(empty, Buffer.from('c'));
  expect(await parse(writeCaptures(log, 0, 50))).toMatchObject([{ id: '4', body: 'c' }]);
});

test('holds at most one slice in memory, however full the bin is', async () => {
  // A control character becomes six characters of JSON.
  const log = await logWith(new Array(maxRequestsPerBin).fill('\u0001'.repeat(keptBodyBytes)));
  let total = 0;
  for await (const piece of inSlices(writeCaptures(log, 0, maxRequestsPerBin))) {
    expect(piece.length).toBeLessThanOrEqual(sliceBytes);
    total += piece.length;
  }
  expect(total).toBeGreaterThan(maxRequestsPerBin * 6 * keptBodyBytes);
});

describe('a capture written in parts is the same as one written at once', () => {
  const long = 30 * 1024;
  const zeros = Buffer.alloc(long);
  test.each<[string, Buffer, Partial<CapturedItem>]>([
    ['text', Buffer.from('ab"\\\n'.repeat(long / 5)), {}],
    ['characters of two bytes', Buffer.from('ž'.repeat(long)), {}],
    ['characters of three bytes', Buffer.from(`x${'€'.repeat(long)}`), {}],
    ['characters of four bytes', Buffer.from(`xy${'🐎'.repeat(long)}`), {}],
    ['a byte-order mark', Buffer.from(`\ufeff${'x'.repeat(long)}\ufeff`), {}],
    [
      'text truncated inside a character',
      Buffer.from(`xy${'🐎'.repeat(long)}`).subarray(0, -3),
      { bodySize: 9e6 },
    ],
    ['bytes', Buffer.concat([Buffer.from([0xff]), zeros]), {}],
    ['truncated bytes', Buffer.concat([Buffer.from([0xff, 0xfe]), zeros]), { bodySize: 9e6 }],
    [
      'text that looks like the parts',
      Buffer.from('","ip":"'.repeat(long / 8)),
      { url: redact('/?body=') },
    ],
    [
      'a signed request',
      Buffer.from('x'.repeat(long)),
      { signature: { provider: 'github', verified: false, part: 'body', message: 'm' } },
    ],
  ])('%s', (_name, bytes, more) => {
    const entry = { sequence: 7, item: { ...empty, bodySize: bytes.length, ...more }, bytes };
    const parts = [...writeCapture(entry)];
    expect(parts.join('')).toBe(JSON.stringify(describeCapture(entry)));
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(sliceBytes);
  });
});

test('counts the captures that it wrote, without those deleted meanwhile', async () => {
  const body = 'x'.repeat(keptBodyBytes);
  const log = await logWith(new Array(maxRequestsPerBin).fill(body));
  const view = { id: 'b', response: null, requestCount: 0 };
  const pieces = [];
  for await (const piece of inSlices(writeBin(view, log))) {
    pieces.push(piece);
    if (pieces.length === 2)
      for (let more = 0; more < 10; more++) await log.append(empty, Buffer.from('y'));
  }
  const written = JSON.parse(Buffer.concat(pieces).toString());
  expect(written.requestCount).toBe(maxRequestsPerBin - 10);
  expect(written.requests).toHaveLength(maxRequestsPerBin - 10);
  expect(written).toMatchObject({ id: 'b', response: null });
});

test('readers of long lists take turns: without time in this turn, each capture waits for the next', async () => {
  const busy = vi.spyOn(turns, 'hasTime').mockReturnValue(false);
  onTestFinished(() => busy.mockRestore());
  const log = await logWith(['a', 'b', 'c']);
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const order: string[] = [];
  const read = async (reader: string) => {
    const seen = new Set<number>();
    for await (const piece of writeCaptures(log, 0, 50)) {
      if (!String(piece).includes('"id":')) continue;
      order.push(reader);
      seen.add(turn);
    }
    return seen.size;
  };
  expect(await Promise.all([read('one'), read('other')])).toEqual([3, 3]);
  isOver = true;
  expect(order).toEqual(['one', 'other', 'one', 'other', 'one', 'other']);
});
