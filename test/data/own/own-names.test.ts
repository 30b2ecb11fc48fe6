/** Own data whose ids and references have other names. */

import { expect, test } from 'vitest';
import { useService } from '../../support/service.js';

const data = {
  posts: [
    { _id: 'p1', title: 'Hello', id: 'not the id' },
    { _id: 'p2', title: 'Again' },
  ],
  comments: [
    { _id: 1, post_id: 'p1', tag_ids: ['t'] },
    { _id: 2, post_id: 'p2', postId: 'p1' },
  ],
  tags: [{ _id: 't' }],
  config: { _id: 'x', theme: 'dark' },
};

const { send } = useService({ data, dataId: '_id', dataForeignKeySuffix: '_id' });
let count = 0;
const newSandbox = () => {
  const headers = { 'X-Sandbox': `names-${++count}` };
  return (target: string, json?: unknown, more: Record<string, string> = {}) =>
    send(target, { headers: { ...headers, ...more }, ...(json !== undefined && { json }) });
};

test('records are read and written by that id', async () => {
  const ask = newSandbox();
  expect((await ask('GET /my/posts/p1')).json).toEqual(data.posts[0]);
  const created = await ask('POST /my/posts', { title: 'New' });
  expect(created.json).toEqual({ _id: '1', title: 'New' });
  expect(new URL(created.headers.location ?? '').pathname).toBe('/my/posts/1');
  expect((await ask('PUT /my/posts/p2', { id: 5 })).json).toEqual({ _id: 'p2', id: 5 });
  expect((await ask('PATCH /my/posts/p2', { title: 'x' })).json).toEqual({
    ...{ _id: 'p2', id: 5 },
    title: 'x',
  });
  expect((await ask('PUT /my/posts/p2', { _id: 'p1' })).json.errors[0].field).toBe('_id');
  const patch = [{ op: 'replace', path: '/_id', value: 'other' }];
  const type = { 'Content-Type': 'application/json-patch+json' };
  expect((await ask('PATCH /my/posts/p2', patch, type)).json.errors[0].field).toBe('_id');
  expect((await ask('POST /my/posts', { _id: 'p1' })).status).toBe(409);
  expect((await ask('POST /my/posts', { _id: {} })).json.errors[0].field).toBe('_id');
  expect((await ask('PUT /my/posts/p9?upsert=true', {})).status).toBe(201);
  expect((await ask('DELETE /my/posts/p1')).status).toBe(204);
  expect((await ask('GET /my/posts/p1')).status).toBe(404);
  expect((await ask('GET /my/config')).json).toEqual(data.config);
});

test('lists filter and sort by it', async () => {
  const ask = newSandbox();
  const ids = async (query: string) =>
    (await ask(`GET /my/posts?${query}`)).json.map(({ _id }: { _id: string }) => _id);
  expect(await ids('_id=p2')).toEqual(['p2']);
  expect(await ids('_id=p2,p1')).toEqual(['p2', 'p1']);
  expect(await ids('_id=P2')).toEqual([]);
  expect(await ids('order=desc')).toEqual(['p2', 'p1']);
});

test('relations use that suffix', async () => {
  const ask = newSandbox();
  expect((await ask('GET /my/posts/p1/comments')).json).toEqual([data.comments[0]]);
  expect((await ask('GET /my/comments/1?embed=post,tags&fields=_id')).json).toEqual({
    ...{ _id: 1, post: data.posts[0] },
    tags: data.tags,
  });
  expect((await ask('POST /my/posts/p1/comments', {})).json).toEqual({ _id: 3, post_id: 'p1' });
  const document = await ask('GET /my/comments/1', undefined, {
    Accept: 'application/vnd.api+json',
  });
  expect(document.json.data).toMatchObject({
    ...{ type: 'comments', id: '1' },
    relationships: { post: { data: { type: 'posts', id: 'p1' } } },
  });
  const csv = await ask('GET /my/posts/p2', undefined, { Accept: 'text/csv' });
  expect(csv.text.split('\r\n')[0]).toBe('_id,title,id');
});

test('a snapshot can be loaded again, and batches and changes use that id', async () => {
  const ask = newSandbox();
  const operations = [{ method: 'PATCH', id: 'p1', body: { title: 'x' } }];
  const batch = await ask('POST /my/posts/batch', { operations });
  expect(batch.json.results[0].body._id).toBe('p1');
  const { json } = await ask('GET /api/sandbox/data');
  const summary = await ask('PUT /api/sandbox/data', json);
  expect(summary.json.relations).toEqual([
    { children: 'comments', field: 'post_id', parents: 'posts' },
    { children: 'comments', field: 'tag_ids', parents: 'tags' },
  ]);
  expect((await ask('GET /my/posts/p1')).json.title).toBe('x');
});

test("json-server's paths support these names", async () => {
  const ask = newSandbox();
  expect((await ask('GET /json-server/posts/p1?_embed=comments')).json.comments).toHaveLength(1);
  expect((await ask('GET /json-server/comments/2?_expand=post')).json.post._id).toBe('p2');
  const created = await ask('POST /json-server/comments', { a: 1 });
  expect(created.json).toEqual({ a: 1, _id: 3 });
  expect((await ask('DELETE /json-server/posts/p1')).json).toEqual({});
  const left = (await ask('GET /json-server/comments')).json;
  expect(left.map(({ _id }: { _id: number }) => _id)).toEqual([2, 3]);
});
