import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { sliceBytes } from '../../http/sending/stream-of.js';
import { createMemoryState } from '../../state/memory/memory-state.js';
import { binsSpace, keptBodyBytes, maxRequestsPerBin } from './bins.js';
import { type CapturedItem, describeCapture } from './capture-request.js';
import { writeBin, writeCapture, writeCaptures } from './write-captures.js';

const item: CapturedItem = {
  receivedAtMs: 0,
  method: 'POST',
  url: '/',
  rawHeaders: [],
  ip: '::1',
  bodySize: 1,
};
const bin = { id: 'b', name: null, createdAtMs: 0, response: null };

async function logWith(bodies: readonly string[]) {
  const sandbox = createMemoryState({ clock: () => 0 }).sandbox('');
  await sandbox.update(binsSpace, 'b', () => ({ value: bin, result: undefined }));
  const log = sandbox.log(binsSpace, 'b');
  for (const body of bodies) await log.append(item, Buffer.from(body));
  return log;
}

async function parse(pieces: AsyncIterable<Buffer>) {
  return JSON.parse(Buffer.concat(await Readable.from(pieces).toArray()).toString());
}

test.each<[string, number, number, string[]]>([
  ['all, the newest first', 0, 50, ['d', 'c', 'b', 'a']],
  ['the newest so many', 0, 2, ['d', 'c']],
  ['those beyond one', 2, 50, ['d', 'c']],
  ['the newest beyond one', 1, 1, ['d']],
  ['none beyond the last', 4, 50, []],
])('writes %s', async (_what, sequence, limit, expected) => {
  const captures = await parse(writeCaptures(await logWith(['a', 'b', 'c', 'd']), sequence, limit));
  expect(captures.map(({ body }: { body: string }) => body)).toEqual(expected);
});

test('writes what came after the bin was emptied', async () => {
  const log = await logWith(['a', 'b']);
  await log.clear();
  expect(await parse(writeCaptures(log, 0, 50))).toEqual([]);
  await log.append(item, Buffer.from('c'));
  expect(await parse(writeCaptures(log, 0, 50))).toMatchObject([{ id: '4', body: 'c' }]);
});

test('has no more than a slice in hand, however full the bin is', async () => {
  // A control character is six characters of JSON.
  const log = await logWith(new Array(maxRequestsPerBin).fill('\u0001'.repeat(keptBodyBytes)));
  let total = 0;
  for await (const piece of writeCaptures(log, 0, maxRequestsPerBin)) {
    expect(piece.length).toBeLessThanOrEqual(sliceBytes);
    total += piece.length;
  }
  expect(total).toBeGreaterThan(maxRequestsPerBin * 6 * keptBodyBytes);
});

describe('a capture that is written in parts is the same as in one', () => {
  const long = 30 * 1024;
  const zeros = Buffer.alloc(long);
  test.each<[string, Buffer, Partial<CapturedItem>]>([
    ['text', Buffer.from('ab"\\\n'.repeat(long / 5)), {}],
    ['characters of two bytes', Buffer.from('ž'.repeat(long)), {}],
    ['characters of three bytes', Buffer.from(`x${'€'.repeat(long)}`), {}],
    ['characters of four bytes', Buffer.from(`xy${'🐎'.repeat(long)}`), {}],
    ['a byte-order mark', Buffer.from(`\ufeff${'x'.repeat(long)}\ufeff`), {}],
    [
      'text cut inside a character',
      Buffer.from(`xy${'🐎'.repeat(long)}`).subarray(0, -3),
      { bodySize: 9e6 },
    ],
    ['bytes', Buffer.concat([Buffer.from([0xff]), zeros]), {}],
    ['bytes that were cut', Buffer.concat([Buffer.from([0xff, 0xfe]), zeros]), { bodySize: 9e6 }],
    [
      'text that looks like the parts',
      Buffer.from('","ip":"'.repeat(long / 8)),
      { url: '/?body=' },
    ],
    [
      'a signed one',
      Buffer.from('x'.repeat(long)),
      { signature: { provider: 'github', verified: false, part: 'body', message: 'm' } },
    ],
  ])('%s', (_name, bytes, more) => {
    const entry = { sequence: 7, item: { ...item, bodySize: bytes.length, ...more }, bytes };
    const parts = [...writeCapture(entry)];
    expect(parts.join('')).toBe(JSON.stringify(describeCapture(entry)));
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(sliceBytes);
  });
});

test('counts the captures of a bin that it wrote, not those that went meanwhile', async () => {
  const body = 'x'.repeat(keptBodyBytes);
  const log = await logWith(new Array(maxRequestsPerBin).fill(body));
  const view = { ...bin, createdAt: '', url: '', inspectUrl: '', requestCount: maxRequestsPerBin };
  const pieces = [];
  for await (const piece of writeBin(view, log)) {
    pieces.push(piece);
    if (pieces.length === 2)
      for (let more = 0; more < 10; more++) await log.append(item, Buffer.from('y'));
  }
  const written = JSON.parse(Buffer.concat(pieces).toString());
  expect(written.requestCount).toBe(maxRequestsPerBin - 10);
  expect(written.requests).toHaveLength(maxRequestsPerBin - 10);
  expect(written).toMatchObject({ id: 'b', response: null });
});
