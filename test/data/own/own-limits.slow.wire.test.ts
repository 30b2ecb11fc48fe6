/** The limits of own data, and the shapes that it may have. */

import { expect, test } from 'vitest';
import { type HttpResponse, useService } from '../../support/service.js';
import { shapes } from './shapes.js';

const { send } = useService({ sandboxBytes: 48 * 1024 * 1024 });

const mebibyte = 1024 * 1024;
const type = { 'Content-Type': 'application/json' };
const put = (sandbox: string, body: string | Uint8Array, more = {}) =>
  send('PUT /api/sandbox/data', { body, headers: { 'X-Sandbox': sandbox, ...type, ...more } });

test.each(shapes)('%s works unchanged', async (_name, data, path, response): Promise<void> => {
  const headers = { 'X-Sandbox': 'shapes' };
  expect((await send('PUT /api/sandbox/data', { headers, json: data })).status).toBe(200);
  for (const [name, value] of Object.entries(data)) {
    if (name === '$schema') continue;
    expect((await send(`GET /my/${name}`, { headers })).json, name).toEqual(value);
  }
  expect((await send(`GET ${path}`, { headers })).json).toEqual(response);
});

test('ten thousand records are accepted, paged and written one by one', async () => {
  const records = Array.from({ length: 10_000 }, (_, id) => ({
    id,
    title: `Record ${id}`,
    tags: ['a'],
  }));
  expect((await put('many', JSON.stringify({ records }))).status).toBe(200);
  const headers = { 'X-Sandbox': 'many' };
  const page = await send('GET /my/records?limit=2&page=5000', { headers });
  expect(page.json).toEqual(records.slice(-2));
  expect(page.headers['x-total-count']).toBe('10000');
  const full = await send('POST /my/records', { headers, json: {} });
  expect([full.status, full.json.message]).toEqual([
    409,
    expect.stringContaining('10000 of your records'),
  ]);
  expect((await send('DELETE /my/records/5', { headers })).status).toBe(204);
  expect((await send('POST /my/records', { headers, json: {} })).json.id).toBe(10_000);
  expect((await send('GET /my/records/count', { headers })).json).toEqual({ count: 10_000 });
});

test.each([
  [
    '5 MiB of open brackets',
    (): string | Uint8Array => '['.repeat(5 * mebibyte),
    400,
    'deeper than 20 levels',
  ],
  [
    'a million empty objects',
    (): string | Uint8Array => `{"a":[${Array(1_000_000).fill('{}').join()}]}`,
    400,
    'more than 500000 values',
  ],
  ['more than 5 MiB', (): string | Uint8Array => ' '.repeat(5 * mebibyte + 1), 413, '5 MiB'],
  [
    '5 MiB of white space',
    (): string | Uint8Array => ' '.repeat(5 * mebibyte),
    400,
    'invalid JSON',
  ],
  ['other bytes than UTF-8', (): string | Uint8Array => Buffer.from([0x22, 0xff]), 400, 'UTF-8'],
  ['nothing', (): string | Uint8Array => '', 400, 'no body'],
] as const)('%s are rejected', async (_name, body, status, message) => {
  const response: HttpResponse = await put('hostile', body());
  expect([response.status, response.json.message]).toEqual([
    status,
    expect.stringContaining(message),
  ]);
  expect((await send('GET /my', { headers: { 'X-Sandbox': 'hostile' } })).json.collections).toEqual(
    [],
  );
});

test('other types and codings are 415', async () => {
  expect((await put('t', '{}', { 'Content-Type': 'text/plain' })).status).toBe(415);
  expect((await put('t', '{}', { 'Content-Encoding': 'gzip' })).status).toBe(415);
});

test('own data counts against the limits of sandboxes, by its size in memory', async () => {
  // One and a half megabytes of JSON; half a million arrays in memory.
  const wide = `{"a":[{"x":[${Array(499_000).fill('[]').join()}]}]}`;
  expect((await put('wide', wide)).status).toBe(200);
  // This sandbox would hold the most.
  expect((await put('as-wide', wide)).status).toBe(503);
  const own = await send('GET /my/a/count', { headers: { 'X-Sandbox': 'wide' } });
  expect(own.json).toEqual({ count: 1 });
});

test('writes keep the data small enough to be loaded again', async () => {
  const headers = { 'X-Sandbox': 'growing' };
  await put('growing', JSON.stringify({ a: [{ id: 1, text: 'x'.repeat(4_900_000) }] }));
  const create = (length: number) =>
    send('POST /my/a', { headers, json: { text: 'x'.repeat(length) } });
  expect((await create(300_000)).status).toBe(201);
  const rejected = await create(300_000);
  expect([rejected.status, rejected.json.message]).toEqual([409, expect.stringContaining('5 MiB')]);
  const snapshot = await send('GET /api/sandbox/data', { headers });
  expect((await put('grown', snapshot.text)).status).toBe(200);
});

test('responses to batches, and to requests for changes, are limited', async () => {
  const headers = { 'X-Sandbox': 'large-answers' };
  const text = 'x'.repeat(3_000_000);
  await put('large-answers', JSON.stringify({ a: [{ id: 1, n: 0, text }] }));
  const { token } = (await send('GET /my/a/changes', { headers })).json;
  const batch = (count: number) => {
    const operations = Array.from({ length: count }, (_, n) => {
      return { method: 'PATCH', id: 1, body: { n: n + 1 } };
    });
    return send('POST /my/a/batch', { headers, json: { operations } });
  };
  const rejected = await batch(100);
  expect([rejected.status, rejected.json.message]).toEqual([
    400,
    expect.stringContaining('8388608'),
  ]);
  expect((await send('GET /my/a?fields=n', { headers })).json).toEqual([{ n: 0 }]);
  expect((await batch(2)).status).toBe(207);
  await send('PATCH /my/a/1?fields=n', { headers, json: { n: 3 } });
  const seen: number[] = [];
  let next = token;
  for (let last: unknown[] = [1]; last.length > 0; ) {
    const { json } = await send(`GET /my/a/changes?since=${next}`, { headers });
    last = json.changes;
    next = json.token;
    seen.push(...json.changes.map(({ record }: { record: { n: number } }) => record.n));
  }
  expect(seen).toEqual([2, 3]);
});
