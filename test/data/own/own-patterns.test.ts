/** The write patterns on own collections: as on every other collection. */

import { expect, test } from 'vitest';
import { useService } from '../../support/service.js';

const { send } = useService();
const headers = { 'X-Sandbox': 'own-patterns' };

async function ask(target: string, json?: unknown, more: Record<string, string> = {}) {
  return send(target, { headers: { ...headers, ...more }, ...(json !== undefined && { json }) });
}

async function fresh() {
  const data = {
    posts: [
      { id: 1, title: 'one' },
      { id: 2, title: 'two' },
    ],
    tags: [{ id: 'a' }],
  };
  expect((await ask('PUT /api/sandbox/data', data)).status).toBe(200);
}

test('a key has one effect', async () => {
  await fresh();
  const key = { 'Idempotency-Key': '"k1"' };
  const first = await ask('POST /my/posts', { title: 'new' }, key);
  const again = await ask('POST /my/posts', { title: 'new' }, key);
  expect([first.status, again.status, again.headers['idempotency-replayed']]).toEqual([
    201,
    201,
    'true',
  ]);
  expect(again.json).toEqual(first.json);
  expect((await ask('POST /my/posts', { title: 'other' }, key)).status).toBe(422);
  expect((await ask('GET /my/posts/count')).json).toEqual({ count: 3 });
});

test('preferences are honoured', async () => {
  await fresh();
  const minimal = await ask('PATCH /my/posts/1', { title: 'x' }, { Prefer: 'return=minimal' });
  expect([minimal.status, minimal.headers['preference-applied']]).toEqual([204, 'return=minimal']);
});

test('a JSON patch is applied, and a failed test is 409', async () => {
  await fresh();
  const type = { 'Content-Type': 'application/json-patch+json' };
  const patch = [
    { op: 'add', path: '/tags', value: ['a'] },
    { op: 'replace', path: '/title', value: 'x' },
  ];
  expect((await ask('PATCH /my/posts/1', patch, type)).json).toEqual({
    id: 1,
    title: 'x',
    tags: ['a'],
  });
  const failed = await ask('PATCH /my/posts/1', [{ op: 'test', path: '/title', value: 'y' }], type);
  expect([failed.status, failed.json.index]).toEqual([409, 0]);
});

test('several writes in one request succeed together or not at all', async () => {
  await fresh();
  const operations = [
    { method: 'POST', body: { title: 'three' } },
    { method: 'PATCH', id: 1, body: { title: 'uno' } },
    { method: 'DELETE', id: 9 },
  ];
  const whole = await ask('POST /my/posts/batch', { operations, atomic: true });
  expect([whole.status, whole.json.index]).toEqual([404, 2]);
  expect((await ask('GET /my/posts')).json).toHaveLength(2);
  const each = await ask('POST /my/posts/batch', { operations });
  expect(each.json.results.map(({ status }: { status: number }) => status)).toEqual([
    201, 200, 404,
  ]);
  expect((await ask('GET /my/posts/1')).json).toEqual({ id: 1, title: 'uno' });
});

test('PUT creates an unknown record when allowed, with an id of the same type as the others', async () => {
  await fresh();
  expect((await ask('PUT /my/posts/7', {})).status).toBe(404);
  const created = await ask('PUT /my/posts/7?upsert=true', { title: 'seven' });
  expect([created.status, created.json]).toEqual([201, { id: 7, title: 'seven' }]);
  expect((await ask('PUT /my/tags/7?upsert=true', {})).json).toEqual({ id: '7' });
  expect((await ask('POST /my/posts', {})).json.id).toBe(8);
});

test('changes since a token are listed', async () => {
  await fresh();
  const { token } = (await ask('GET /my/posts/changes')).json;
  await ask('PATCH /my/posts/1', { title: 'x' });
  await ask('DELETE /my/posts/2');
  const { changes } = (await ask(`GET /my/posts/changes?since=${token}`)).json;
  expect(changes).toMatchObject([
    { id: 1, kind: 'updated', record: { id: 1, title: 'x' } },
    { id: 2, kind: 'deleted' },
  ]);
});

test('a write becomes a job, which runs when it is due', async () => {
  await fresh();
  const job = await ask(
    'POST /my/posts?jobSeconds=60',
    { title: 'later' },
    { Prefer: 'respond-async' },
  );
  expect(job.status).toBe(202);
  expect((await ask('GET /my/posts')).json).toHaveLength(2);
  await ask('PUT /api/sandbox/clock', { offsetSeconds: 61 });
  expect((await ask('GET /my/posts')).json.at(-1)).toEqual({ id: 3, title: 'later' });
  const { pathname } = new URL(job.headers.location ?? '');
  const ended = await ask(`GET ${pathname}`);
  expect(ended.status).toBe(303);
  expect(new URL(ended.headers.location ?? '').pathname).toBe('/my/posts/3');
});

test('several ids are read at once, in their order, of both types', async () => {
  await fresh();
  await ask('POST /my/posts', { id: 'count' });
  expect((await ask('GET /my/posts?id=count,9,1')).json).toEqual([
    { id: 'count' },
    { id: 1, title: 'one' },
  ]);
  expect((await ask('GET /my/posts?id=count')).json).toEqual([{ id: 'count' }]);
});

test('OPTIONS lists what is supported, and records have Last-Modified', async () => {
  await fresh();
  const options = await ask('OPTIONS /my/posts');
  expect([options.status, options.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
  const { headers: before } = await ask('GET /my/posts/1');
  const since = before['last-modified'] ?? '';
  expect(Math.abs(Date.parse(since) - Date.now())).toBeLessThan(3_600_000);
  await ask('PUT /api/sandbox/clock', { offsetSeconds: 7200 });
  await ask('PATCH /my/posts/1', { title: 'x' });
  const stale = await ask('PATCH /my/posts/1', { title: 'y' }, { 'If-Unmodified-Since': since });
  expect(stale.status).toBe(412);
});
