/** Changes since a token: which tokens are known, and how a request waits for a change. */

import { expect, test } from 'vitest';
import { keptChanges } from '../../src/state/rows/change-feed.js';
import { type SendOptions, useService } from '../support/service.js';

const service = useService();

function inSandbox(name: string) {
  const send = (target: string, { headers, ...options }: SendOptions = {}) => {
    const all = { 'X-Sandbox': `changes-${name}`, ...(headers as Record<string, string>) };
    return service.send(target, { ...options, headers: all });
  };
  const tokenNow = async () => (await send('GET /api/Users/changes')).json.token as string;
  return { send, tokenNow };
}

test.each([
  ['since=', 'since'],
  ['since=42', 'since'],
  ['since=c042', 'since'],
  ['since=c-1', 'since'],
  ['since=c99999999999999999999', 'since'],
  ['since=c1&since=c2', 'since'],
  ['since=c1&wait=61', 'wait'],
  ['since=c1&wait=-1', 'wait'],
  ['since=c1&wait=0.5', 'wait'],
  ['since=c1&wait=', 'wait'],
  ['from=c1', 'from'],
])('?%s is 400, and the response names %s', async (query, field) => {
  const { send } = inSandbox('faulty');
  const { status, json } = await send(`GET /api/Users/changes?${query}`);
  expect([status, json.errors]).toMatchObject([400, [{ field }]]);
});

test('a token older than the kept changes is 410, and the response says how to continue', async () => {
  const { send, tokenNow } = inSandbox('old');
  const start = await tokenNow();
  const change = (city: string) => ({ method: 'PATCH', id: 1, body: { city } });
  const batch = async (count: number) => {
    const operations = Array.from({ length: count }, (_, index) => change(`City ${index}`));
    expect((await send('POST /api/Users/batch', { json: { operations } })).status).toBe(207);
  };
  await batch(1);
  const next = await tokenNow();
  for (let told = 0; told < keptChanges; told += 100) await batch(100);
  const old = await send(`GET /api/Users/changes?since=${start}`);
  expect([old.status, old.json.message]).toEqual([
    410,
    expect.stringContaining('/api/Users/changes'),
  ]);
  // A wait with an unknown token ends at once.
  expect((await send(`GET /api/Users/changes?since=${start}&wait=60`)).status).toBe(410);
  const { json } = await send(`GET /api/Users/changes?since=${next}`);
  expect(json.changes).toMatchObject([{ id: 1, kind: 'updated', record: { city: 'City 99' } }]);
  expect((await send('GET /api/Users/changes?since=c9000000000000000')).status).toBe(410);
});

test('a wait ends with a write, by any route, and with a reset', async () => {
  const { send, tokenNow } = inSandbox('waits');
  /** Requests the next changes, whether the request arrives before them or after. */
  const wait = (token: string) => send(`GET /api/Users/changes?since=${token}&wait=60`);
  const updated = [{ id: 2, kind: 'updated', record: { city: 'Oslo' } }];

  let token = await tokenNow();
  const byRest = [wait(token), wait(token), wait(token)];
  await send('PATCH /api/Todos/1', { json: { completed: true } });
  await send('PATCH /api/Users/2', { json: { city: 'Oslo' } });
  for (const each of await Promise.all(byRest)) expect(each.json.changes).toMatchObject(updated);

  token = await tokenNow();
  const byGraphql = wait(token);
  const query = 'mutation { deleteUser(id: 3) }';
  await send('POST /graphql', { json: { query } });
  expect((await byGraphql).json.changes).toMatchObject([{ id: 3, kind: 'deleted' }]);

  const byReset = wait(await tokenNow());
  await send('DELETE /api/sandbox');
  expect((await byReset).status).toBe(410);
});

test('a wait without changes ends with its time, and returns the token of the request', async () => {
  const { send, tokenNow } = inSandbox('nothing');
  const token = await tokenNow();
  const { status, json } = await send(`GET /api/Users/changes?since=${token}&wait=1`);
  expect([status, json]).toEqual([200, { changes: [], token }]);
});
