/** Single resources of own data support the write patterns of records. */

import { expect, test } from 'vitest';
import { type HttpResponse, useService } from '../../support/service.js';

const { send } = useService();

let count = 0;
/** A new sandbox with a profile and some settings. */
async function fresh(more: Record<string, unknown> = {}) {
  const headers = { 'X-Sandbox': `own-singles-${++count}` };
  const data = { profile: { name: 'Ada', tags: ['a'] }, posts: [{ id: 1 }], ...more };
  const put = await send('PUT /api/sandbox/data', { headers, json: data });
  expect(put.status, put.text).toBe(200);
  return (
    target: string,
    json?: unknown,
    own: Record<string, string> = {},
  ): Promise<HttpResponse> =>
    send(target, { headers: { ...headers, ...own }, ...(json !== undefined && { json }) });
}

const jsonPatch = { 'Content-Type': 'application/json-patch+json' };

test('a PATCH with a key is executed once', async () => {
  const ask = await fresh();
  const key = { ...jsonPatch, 'Idempotency-Key': '"k1"' };
  const patch = [{ op: 'add', path: '/tags/-', value: 'b' }];
  const first = await ask('PATCH /my/profile', patch, key);
  expect([first.status, first.json]).toEqual([200, { name: 'Ada', tags: ['a', 'b'] }]);
  await ask('PATCH /my/profile', { name: 'Grace' });
  const again = await ask('PATCH /my/profile', patch, key);
  expect([again.status, again.text, again.headers.etag]).toEqual([
    200,
    first.text,
    first.headers.etag,
  ]);
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect((await ask('PATCH /my/profile', [], key)).status).toBe(422);
  expect((await ask('GET /my/profile')).json).toEqual({ name: 'Grace', tags: ['a', 'b'] });
  expect((await ask('PATCH /my/profile?requireIdempotency=true', {})).status).toBe(400);
  const asJsonApi = { ...key, Accept: 'application/vnd.api+json' };
  expect((await ask('PATCH /my/profile', patch, asJsonApi)).json.data).toMatchObject({
    type: 'profile',
    id: 'profile',
    attributes: { name: 'Ada' },
    links: { self: expect.stringMatching(/\/my\/profile$/) },
  });
});

test('preferences are honoured', async () => {
  const ask = await fresh();
  for (const method of ['PUT', 'PATCH']) {
    const minimal = await ask(`${method} /my/profile`, { age: 36 }, { Prefer: 'return=minimal' });
    expect([minimal.status, minimal.text, minimal.headers['preference-applied']]).toEqual([
      204,
      '',
      'return=minimal',
    ]);
    const { headers } = await ask('GET /my/profile');
    expect([headers.etag, headers['last-modified']]).toEqual([
      minimal.headers.etag,
      minimal.headers['last-modified'],
    ]);
    const strict = { Prefer: 'handling=strict' };
    const strange = await ask(`${method} /my/profile?colour=red`, {}, strict);
    expect([strange.status, strange.json.errors?.[0].field]).toEqual([400, 'colour']);
    const format = { ...strict, Accept: 'image/png' };
    expect((await ask(`${method} /my/profile`, {}, format)).status).toBe(406);
  }
  expect(
    (await ask('PUT /my/profile', { a: 1 }, { Prefer: 'return=representation' })).json,
  ).toEqual({ a: 1 });
});

test.each([
  ['PUT', { theme: 'dark' }, { theme: 'dark' }],
  ['PATCH', { theme: 'dark' }, { name: 'Ada', tags: ['a'], theme: 'dark' }],
])('a %s becomes a job, which runs when it is due', async (method, sent, made) => {
  const ask = await fresh();
  const later = { Prefer: 'respond-async' };
  const job = await ask(`${method} /my/profile?jobSeconds=60`, sent, later);
  expect(job.status, job.text).toBe(202);
  expect((await ask('GET /my/profile')).json.theme).toBeUndefined();
  await ask('PUT /api/sandbox/clock', { offsetSeconds: 61 });
  expect((await ask('GET /my/profile')).json).toEqual(made);
  const ended = await ask(`GET ${new URL(job.headers.location ?? '').pathname}`);
  expect([ended.status, new URL(ended.headers.location ?? '').pathname]).toEqual([
    303,
    '/my/profile',
  ]);
  const waited = await ask(
    `${method} /my/profile?jobSeconds=0.1`,
    { theme: 'light' },
    { Prefer: 'respond-async, wait=60' },
  );
  expect([waited.status, waited.json.theme]).toEqual([200, 'light']);
});

test('a JSON patch is applied completely or not at all', async () => {
  const ask = await fresh();
  const patch = [
    { op: 'replace', path: '/name', value: 'Grace' },
    { op: 'test', path: '/tags/0', value: 'b' },
  ];
  const failed = await ask('PATCH /my/profile', patch, jsonPatch);
  expect([failed.status, failed.json.index, failed.json.path]).toEqual([409, 1, '/tags/0']);
  const replaced = await ask(
    'PATCH /my/profile',
    [{ op: 'replace', path: '', value: 1 }],
    jsonPatch,
  );
  expect(replaced.status).toBe(400);
  expect(
    (await ask('PATCH /my/profile', {}, { 'Content-Type': 'text/plain' })).headers,
  ).toHaveProperty('accept-patch');
  expect((await ask('GET /my/profile')).json).toEqual({ name: 'Ada', tags: ['a'] });
  const moved = [{ op: 'move', from: '/name', path: '/id' }];
  // A single resource has no id that must stay.
  expect((await ask('PATCH /my/profile', moved, jsonPatch)).json).toEqual({
    tags: ['a'],
    id: 'Ada',
  });
  expect((await ask('PATCH /my/profile', { id: { any: 1 } })).json.id).toEqual({ any: 1 });
  expect((await ask('PUT /my/profile', { id: 'other' })).json).toEqual({ id: 'other' });
});

test('conditions work by entity tag and by date', async () => {
  const ask = await fresh();
  const { headers } = await ask('GET /my/profile');
  const since = headers['last-modified'] ?? '';
  expect((await ask('GET /my/profile', undefined, { 'If-Modified-Since': since })).status).toBe(
    304,
  );
  await ask('PUT /api/sandbox/clock', { offsetSeconds: 7200 });
  const tagged = await ask('PATCH /my/profile', { age: 1 }, { 'If-Match': headers.etag ?? '' });
  expect(tagged.status).toBe(200);
  const stale = await ask('PUT /my/profile', {}, { 'If-Unmodified-Since': since });
  expect([stale.status, stale.headers.etag]).toEqual([412, tagged.headers.etag]);
});

test('every kind of write is validated against the schema', async () => {
  const schema = { required: ['name'], properties: { name: { type: 'string' } } };
  const ask = await fresh({ $schemas: { profile: schema } });
  for (const [target, json, headers] of [
    ['PUT /my/profile', {}, {}],
    ['PATCH /my/profile', { name: null }, {}],
    ['PATCH /my/profile', [{ op: 'remove', path: '/name' }], jsonPatch],
  ] as const) {
    const { status, json: error } = await ask(target, json, headers);
    expect([status, error.errors], target).toMatchObject([400, [{ field: 'name' }]]);
  }
});

test('OPTIONS distinguishes single resources from collections', async () => {
  const ask = await fresh();
  const single = await ask('OPTIONS /my/profile');
  expect([single.status, single.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS, PATCH, PUT']);
  expect(single.headers['accept-patch']).toContain('application/json-patch+json');
  expect(single.headers).not.toHaveProperty('accept-post');
  expect((await ask('OPTIONS /my/posts')).headers.allow).toBe('GET, HEAD, OPTIONS, POST');
});

test('fields can be selected, and tables have columns for all current fields', async () => {
  const ask = await fresh();
  expect((await ask('GET /my/profile?fields=name')).json).toEqual({ name: 'Ada' });
  expect((await ask('GET /my/profile?fields=mood')).json).toEqual({});
  await ask('PATCH /my/profile', { mood: 'good', tags: null });
  expect((await ask('GET /my/profile?fields=mood')).json).toEqual({ mood: 'good' });
  const csv = { Accept: 'text/csv' };
  expect((await ask('GET /my/profile', undefined, csv)).text).toBe(
    'name,tags,mood\r\nAda,,good\r\n',
  );
  const created = await ask('POST /my/posts', { mood: 'bad', views: { day: 1 } }, csv);
  expect(created.text).toBe('id,mood,views.day\r\n2,bad,1\r\n');
  expect((await ask('GET /my/posts', undefined, csv)).text).toBe(
    'id,mood,views.day\r\n1,,\r\n2,bad,1\r\n',
  );
});

test('tables show values unchanged, of whatever type they are by now', async () => {
  const ask = await fresh({ posts: [{ id: 1, views: 7, at: '2027-03-12T18:00:00+02:00' }] });
  await ask('POST /my/posts', { views: 'many', at: ['a', { b: 'c' }] });
  await ask('POST /my/posts', { views: { day: 1 }, at: true });
  const { text } = await ask('GET /my/posts', undefined, { Accept: 'text/csv' });
  expect(text.split('\r\n')).toEqual([
    'id,views,at,views.day',
    '1,7,2027-03-12T18:00:00+02:00,',
    '2,many,a;c,',
    '3,,true,1',
    '',
  ]);
});

test.each([
  ['application/yaml', 'name: Grace\ntags: [x, y]\n'],
  ['text/csv', 'name,tags\r\nGrace,x;y\r\n'],
  ['application/x-www-form-urlencoded', 'name=Grace&tags=x&tags=y'],
])('a PUT accepts %s', async (type, body) => {
  await fresh();
  const headers = { 'X-Sandbox': `own-singles-${count}`, 'Content-Type': type };
  const { status, text, json } = await send('PUT /my/profile', { headers, body });
  expect(status, text).toBe(200);
  expect(json).toEqual({ name: 'Grace', tags: ['x', 'y'] });
});
