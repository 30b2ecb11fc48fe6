import { expect, test } from 'vitest';
import { createMemoryState } from '../../state/memory-state.js';
import { binsSpace, keptBodyBytes, maxRequestsPerBin } from './bins.js';
import type { CapturedItem } from './capture-request.js';
import { writeBin, writeCaptures } from './write-captures.js';

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

async function parse(pieces: AsyncIterable<string>) {
  let text = '';
  for await (const piece of pieces) text += piece;
  return JSON.parse(text);
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

test('has no more than a capture in hand, however full the bin is', async () => {
  // A control character is six characters of JSON.
  const log = await logWith(new Array(maxRequestsPerBin).fill('\u0001'.repeat(keptBodyBytes)));
  let total = 0;
  for await (const piece of writeCaptures(log, 0, maxRequestsPerBin)) {
    expect(piece.length).toBeLessThan(7 * keptBodyBytes);
    total += piece.length;
  }
  expect(total).toBeGreaterThan(maxRequestsPerBin * 6 * keptBodyBytes);
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
  const written = JSON.parse(pieces.join(''));
  expect(written.requestCount).toBe(maxRequestsPerBin - 10);
  expect(written.requests).toHaveLength(maxRequestsPerBin - 10);
  expect(written).toMatchObject({ id: 'b', response: null });
});
