/** How long, and how many, responses to requests with an Idempotency-Key are kept. */

import { expect, test } from 'vitest';
import { maxKeptCharacters, maxKeptResponses } from '../../src/areas/data/write/idempotency.js';
import { type SendOptions, useService } from '../support/service.js';

const service = useService();

function inSandbox(name: string) {
  const send = (target: string, { headers, ...options }: SendOptions = {}) => {
    const all = { 'X-Sandbox': `keys-${name}`, ...(headers as Record<string, string>) };
    return service.send(target, { ...options, headers: all });
  };
  /** Whether the request gets the response to an earlier one. */
  const isReplayed = async (target: string, key: string, json: unknown) => {
    const { headers } = await send(target, { headers: { 'Idempotency-Key': key }, json });
    return headers['idempotency-replayed'] === 'true';
  };
  return { send, isReplayed };
}

const day = 24 * 60 * 60;

test("a response is kept for a day of the sandbox's clock", async () => {
  const { send, isReplayed } = inSandbox('day');
  const setClock = (offsetSeconds: number) =>
    send('PUT /api/sandbox/clock', { json: { offsetSeconds } });
  const user = { name: 'Ada', job: 'Programmer', city: 'London' };
  const count = async () => (await send('GET /api/Users/count')).json.count;
  const before = await count();
  expect(await isReplayed('POST /api/Users', 'a', user)).toBe(false);
  expect(await isReplayed('POST /api/Users', 'refused', {})).toBe(false);
  await setClock(day - 60);
  expect(await isReplayed('POST /api/Users', 'a', user)).toBe(true);
  expect(await isReplayed('POST /api/Users', 'refused', {})).toBe(true);
  // A replay does not extend the time.
  await setClock(day);
  expect(await isReplayed('POST /api/Users', 'a', user)).toBe(false);
  expect(await isReplayed('POST /api/Users', 'refused', {})).toBe(false);
  expect(await count()).toBe(before + 2);
});

test.each([
  ['POST /api/Users', { name: 'Ada', job: 'Programmer', city: 'London' }],
  ['PATCH /api/Users/1', { city: 'Paris' }],
  ['POST /api/Todos/5/restore', undefined],
  ['POST /api/Users/batch', { operations: [{ method: 'DELETE', id: 2 }] }],
])('%s can require a key', async (target, json) => {
  const { send } = inSandbox('demanded');
  await send('DELETE /api/Todos/5');
  const before = (await send('GET /api/Users')).text;
  const body = json === undefined ? {} : { json };
  const rejected = await send(`${target}?requireIdempotency=true`, body);
  expect([rejected.status, rejected.json.message]).toEqual([
    400,
    expect.stringContaining('Idempotency-Key is missing'),
  ]);
  expect((await send('GET /api/Users')).text).toBe(before);
  const headers = { 'Idempotency-Key': 'one' };
  const done = await send(`${target}?requireIdempotency=true`, { ...body, headers });
  expect(done.status, done.text).toBeLessThan(300);
  expect((await send(`${target}?requireIdempotency=perhaps`, body)).json.errors).toMatchObject([
    { field: 'requireIdempotency' },
  ]);
});

test('keys apply to POST and PATCH; elsewhere they are ignored', async () => {
  const { send, isReplayed } = inSandbox('others');
  const user = { name: 'Ada', job: 'Programmer', city: 'London' };
  expect(await isReplayed('PUT /api/Users/1', 'a', user)).toBe(false);
  expect(await isReplayed('PUT /api/Users/1', 'a', user)).toBe(false);
  const headers = { 'Idempotency-Key': 'a' };
  expect((await send('DELETE /api/Users/1', { headers })).status).toBe(204);
  expect((await send('DELETE /api/Users/1', { headers })).status).toBe(404);
});

test.each([
  ['an empty key', '""'],
  ['a key that is too long', 'x'.repeat(256)],
  ['a key with a comma', 'a,b'],
  ['an unterminated key', '"a'],
])('%s is 400, and nothing is executed', async (_name, key) => {
  const { send } = inSandbox('faulty');
  const headers = { 'Idempotency-Key': key };
  const json = { name: 'Ada', job: 'Programmer', city: 'London' };
  expect((await send('POST /api/Users', { headers, json })).status).toBe(400);
  const longest = { 'Idempotency-Key': 'x'.repeat(255) };
  expect((await send('PATCH /api/Users/1', { headers: longest, json })).status).toBe(200);
});

test('a planned failure is not kept', async () => {
  const { send, isReplayed } = inSandbox('fault');
  const headers = { 'Idempotency-Key': 'a' };
  const json = { city: 'Paris' };
  expect((await send('PATCH /api/Users/1?error=503', { headers, json })).status).toBe(503);
  expect(await isReplayed('PATCH /api/Users/1', 'a', json)).toBe(false);
  expect(await isReplayed('PATCH /api/Users/1', 'a', json)).toBe(true);
});

test('of more responses than a sandbox keeps, the oldest are dropped', async () => {
  const { isReplayed } = inSandbox('many');
  const other = inSandbox('beside');
  const patch = (key: number) => isReplayed('PATCH /api/Users/99999', String(key), {});
  expect(await other.isReplayed('PATCH /api/Users/99999', '0', {})).toBe(false);
  for (let key = 0; key <= maxKeptResponses; key++) expect(await patch(key)).toBe(false);
  expect([await patch(1), await patch(maxKeptResponses)]).toEqual([true, true]);
  expect(await patch(0)).toBe(false);
  // The requests of one sandbox do not evict responses of another.
  expect(await other.isReplayed('PATCH /api/Users/99999', '0', {})).toBe(true);
});

test('large responses are kept until together they exceed the limit', async () => {
  const { send, isReplayed } = inSandbox('large');
  const text = 'x'.repeat(900_000);
  await send('PUT /api/sandbox/data', { json: { notes: [{ id: 1 }] } });
  const patch = (key: number) => isReplayed('PATCH /my/notes/1', String(key), { text });
  const last = Math.floor(maxKeptCharacters / text.length);
  for (let key = 0; key <= last; key++) expect(await patch(key)).toBe(false);
  // A response that is only repeated evicts no other.
  expect([await patch(last), await patch(1), await patch(1)]).toEqual([true, true, true]);
  expect(await patch(0)).toBe(false);
});
