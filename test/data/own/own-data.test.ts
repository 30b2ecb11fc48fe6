/** Own data: loaded, served, written, exported. */

import { expect, test } from 'vitest';
import { useService } from '../../support/service.js';

const { send } = useService();

let count = 0;
/** A new sandbox, with that data in it. */
async function withData(data: unknown) {
  const headers = { 'X-Sandbox': `own-${++count}` };
  const put = await send('PUT /api/sandbox/data', { headers, json: data });
  expect(put.status, put.text).toBe(200);
  return (target: string, json?: unknown, more: Record<string, string> = {}) =>
    send(target, { headers: { ...headers, ...more }, ...(json !== undefined && { json }) });
}

const blog = {
  posts: [
    { id: 1, title: 'json-server', author: { name: 'typicode' }, views: 100 },
    {
      id: 2,
      title: 'Another',
      author: { name: 'Ada' },
      tags: ['a', 'b'],
      at: '2027-03-12T18:00:00Z',
    },
  ],
  comments: [
    { id: 'x', body: 'some comment', postId: 1 },
    { id: 'y', body: 'other', postId: 2 },
  ],
  profile: { name: 'typicode' },
};

test.each(['application/json', 'application/yaml', 'text/csv', 'application/xml'])(
  'the response to a write shows numbers as stored, in %s',
  async (accept) => {
    await withData({ posts: [{ id: 1 }] });
    const headers = { 'X-Sandbox': `own-${count}`, Accept: accept };
    const read = () => send('GET /my/posts/2', { headers });
    for (const method of ['POST /my/posts', 'PUT /my/posts/2', 'PATCH /my/posts/2']) {
      const written = await send(method, {
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: '{"large":1e400,"zero":-0}',
      });
      expect(written.status, written.text).toBeLessThan(300);
      expect(written.text).toBe((await read()).text);
      expect(written.headers.etag).toBe((await read()).headers.etag);
    }
  },
);

test('arrays are collections, objects are single resources, and ids keep their type', async () => {
  const ask = await withData(blog);
  expect((await ask('GET /my/posts')).json).toEqual(blog.posts);
  expect((await ask('GET /my/posts/1')).json).toEqual(blog.posts[0]);
  expect((await ask('GET /my/Comments/x')).json).toEqual(blog.comments[0]);
  expect((await ask('GET /my/profile')).json).toEqual(blog.profile);
  const none = await ask('GET /my/nobody');
  expect(none.status).toBe(404);
  expect(none.json.message).toContain('you have posts, comments, profile');
});

test.each([
  ['title=JSON-SERVER', [1]],
  ['author.name=Ada', [2]],
  ['views_gte=100', [1]],
  ['views=null', [2]],
  ['tags=b', [2]],
  ['at_gt=2027-03-12T17:59:59Z', [2]],
  ['at=2027-03-12', [2]],
  ['q=typicode', [1]],
  ['id_in=1,2&sort=-id', [2, 1]],
  ['sort=author.name', [2, 1]],
  ['limit=1&page=2', [2]],
])('lists filter, sort and page: ?%s', async (query, ids) => {
  const ask = await withData(blog);
  const { json } = await ask(`GET /my/posts?${query}`);
  expect(json.map(({ id }: { id: number }) => id)).toEqual(ids);
});

test.each([
  ['_page=1', 'page and limit'],
  ['_limit=1', 'limit'],
  ['_per_page=1', 'limit'],
  ['_sort=id', 'sort'],
  ['_order=asc', 'order'],
  ['_start=1', 'offset'],
  ['_end=1', 'offset and limit'],
  ['_embed=comments', 'embed'],
  ['_expand=post', 'embed'],
  ['_where={}', 'the filters one by one'],
  ['title_like=a', 'q, which searches all texts'],
  ['views:gt=1', 'views_gt'],
  ['title:eq=a', 'title'],
  ['title:contains=a', 'q, which searches all texts'],
])('?%s of json-server is 400, and the response names our parameter', async (query, ours) => {
  const ask = await withData(blog);
  const { status, json } = await ask(`GET /my/posts?${query}`);
  expect(status).toBe(400);
  expect(json.errors[0].message).toContain(`is a parameter of json-server. Here, use ${ours}`);
});

test('a parameter that matches no field of any record returns an empty list; strict clients get 400', async () => {
  const ask = await withData(blog);
  expect((await ask('GET /my/posts?mood=good')).json).toEqual([]);
  const strict = { Prefer: 'handling=strict' };
  const rejected = await ask('GET /my/posts?mood=good', undefined, strict);
  expect(rejected.status).toBe(400);
  expect(rejected.json.message).toContain('title, author.name, views, tags, at');
  await ask('POST /my/posts', { mood: 'good' });
  expect((await ask('GET /my/posts?mood=good&sort=mood')).json).toEqual([{ id: 3, mood: 'good' }]);
  expect((await ask('GET /my/posts/count?mood=good')).json).toEqual({ count: 1 });
});

test('records are created with a given or a generated id', async () => {
  const ask = await withData(blog);
  const created = await ask('POST /my/posts', { title: 'Third' });
  expect(created.status).toBe(201);
  expect(created.json).toEqual({ id: 3, title: 'Third' });
  expect(new URL(created.headers.location ?? '').pathname).toBe('/my/posts/3');
  // Generated ids are strings if all others are.
  expect((await ask('POST /my/comments', { body: 'new' })).json.id).toBe('1');
  expect((await ask('POST /my/comments', { id: 'ü/1', body: 'own' })).json.id).toBe('ü/1');
  expect((await ask('GET /my/comments/%C3%BC%2F1')).json.body).toBe('own');
  const twice = await ask('POST /my/comments', { id: 'x' });
  expect(twice.status).toBe(409);
  for (const id of [null, {}, '', true]) {
    expect((await ask('POST /my/posts', { id })).status, JSON.stringify(id)).toBe(400);
  }
});

test('an id is never used twice', async () => {
  const ask = await withData(blog);
  expect((await ask('POST /my/posts', {})).json.id).toBe(3);
  expect((await ask('DELETE /my/posts/3')).status).toBe(204);
  expect((await ask('POST /my/posts', {})).json.id).toBe(4);
  expect((await ask('POST /my/posts', { id: 40 })).status).toBe(201);
  expect((await ask('POST /my/posts', {})).json.id).toBe(41);
});

test('records are replaced, changed and deleted, with their entity tags', async () => {
  const ask = await withData(blog);
  const replaced = await ask('PUT /my/posts/1', { title: 'New' });
  expect(replaced.json).toEqual({ id: 1, title: 'New' });
  const changed = await ask('PATCH /my/comments/x', { body: null, likes: 1 });
  expect(changed.json).toEqual({ id: 'x', postId: 1, likes: 1 });
  const stale = await ask('PUT /my/posts/1', {}, { 'If-Match': '"stale"' });
  expect(stale.status).toBe(412);
  const known = await ask('GET /my/posts/1', undefined, {
    'If-None-Match': replaced.headers.etag ?? '',
  });
  expect(known.status).toBe(304);
  const other = await ask('PUT /my/posts/1', { id: 2 });
  expect(other.json.errors[0].field).toBe('id');
  expect((await ask('DELETE /my/posts/1')).status).toBe(204);
  expect((await ask('GET /my/posts/1')).status).toBe(404);
});

test('an id is found only in its exact spelling', async () => {
  const ask = await withData({
    n: [{ id: 1 }, { id: 2.5 }, { id: -3 }],
    t: [{ id: '01' }, { id: '1' }],
  });
  for (const [path, status] of [
    ['n/1', 200],
    ['n/2.5', 200],
    ['n/-3', 200],
    ['n/01', 404],
    ['n/1.0', 404],
    ['n/0x1', 404],
    ['n/%201', 404],
    ['n/1e0', 404],
    ['t/01', 200],
    ['t/1', 200],
    ['t/001', 404],
  ] as const) {
    expect((await ask(`GET /my/${path}`)).status, path).toBe(status);
  }
});

test('single resources are read, replaced and changed', async () => {
  const ask = await withData(blog);
  const { headers } = await ask('GET /my/profile');
  expect(
    (await ask('GET /my/profile', undefined, { 'If-None-Match': headers.etag ?? '' })).status,
  ).toBe(304);
  expect((await ask('PATCH /my/profile', { age: 3 })).json).toEqual({ name: 'typicode', age: 3 });
  expect((await ask('PUT /my/profile', { id: 7 }, { 'If-Match': headers.etag ?? '' })).status).toBe(
    412,
  );
  expect((await ask('PUT /my/profile', { id: 7 })).json).toEqual({ id: 7 });
  expect((await ask('GET /my/profile')).json).toEqual({ id: 7 });
  const post = await ask('POST /my/profile', {});
  expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD, PUT, PATCH']);
  const put = await ask('PUT /my/posts', {});
  expect([put.status, put.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
  expect((await ask('GET /my/profile/1')).status).toBe(404);
});

test('every write is validated against the schema, and the response names the errors', async () => {
  const schema = {
    type: 'object',
    required: ['title'],
    properties: { title: { type: 'string', minLength: 2 }, views: { type: 'integer', minimum: 0 } },
    additionalProperties: false,
  };
  const ask = await withData({ $schemas: { posts: schema }, posts: [{ id: 1, title: 'Good' }] });
  const faulty = await ask('POST /my/posts', { views: -1, mood: 1 });
  expect(faulty.status).toBe(400);
  expect(faulty.json.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
    'mood',
    'title',
    'views',
  ]);
  expect((await ask('PATCH /my/posts/1', { title: 'x' })).status).toBe(400);
  expect((await ask('PUT /my/posts/1', {})).status).toBe(400);
  expect((await ask('PATCH /my/posts/1', { views: 1 })).json).toEqual({
    id: 1,
    title: 'Good',
    views: 1,
  });
  expect((await ask('GET /api/sandbox/data')).json.$schemas).toEqual({ posts: schema });
});

test('an exported snapshot can be loaded again, and is the same', async () => {
  const ask = await withData({
    ...blog,
    'odd name': [{ id: '__', constructor: { x: [null, 1e21, 'é\u2028'] } }],
  });
  await ask('POST /my/posts', { id: 'text', deep: [[[{}]]] });
  await ask('DELETE /my/comments/x');
  await ask('PATCH /my/profile', { more: true });
  const snapshot = await ask('GET /api/sandbox/data');
  expect(snapshot.json.posts).toHaveLength(3);
  const other = await withData(snapshot.json);
  expect((await other('GET /api/sandbox/data')).text).toBe(snapshot.text);
  expect((await other('GET /my/odd%20name/__')).json.constructor).toEqual({
    x: [null, 1e21, 'é\u2028'],
  });
});

test('a PUT replaces all data, and an invalid PUT changes nothing', async () => {
  const ask = await withData(blog);
  await ask('POST /my/posts', { title: 'mine' });
  const rejected = await ask('PUT /api/sandbox/data', {
    posts: [{ id: 1 }, { id: {} }],
    users: [],
  });
  expect(rejected.status).toBe(400);
  expect(rejected.json.errors).toEqual([
    {
      field: 'posts.1.id',
      message: 'posts.1.id must be a number or a string, at line 1, column 26.',
    },
  ]);
  expect((await ask('GET /my/posts')).json).toHaveLength(3);
  expect((await ask('PUT /api/sandbox/data', { posts: [{ id: 3 }], users: [] })).json).toEqual({
    collections: { posts: 1, users: 0 },
    singles: [],
    relations: [],
  });
  expect((await ask('GET /my/posts')).json).toEqual([{ id: 3 }]);
  expect((await ask('GET /my/comments')).status).toBe(404);
  expect((await ask('DELETE /api/sandbox/data')).status).toBe(204);
  expect((await ask('GET /api/sandbox/data')).json).toEqual({});
});

test('no other sandbox sees the data, and the shared sandbox accepts none', async () => {
  const ask = await withData(blog);
  expect((await ask('GET /my/posts')).status).toBe(200);
  expect((await send('GET /my/posts')).status).toBe(404);
  expect((await send('GET /my/posts', { headers: { 'X-Sandbox': 'another' } })).status).toBe(404);
  for (const target of ['PUT /api/sandbox/data', 'DELETE /api/sandbox/data']) {
    expect((await send(target, { json: {} })).status, target).toBe(403);
  }
  expect((await send('GET /api/sandbox/data')).json).toEqual({});
});

test('a reset of the sandbox deletes the data', async () => {
  const ask = await withData(blog);
  await ask('POST /my/posts', {});
  expect((await ask('DELETE /api/sandbox')).status).toBe(204);
  expect((await ask('GET /my/posts')).status).toBe(404);
});

test('a record that is no object, is too deep or is dangerous is rejected', async () => {
  const ask = await withData({ a: [] });
  expect((await ask('POST /my/a', [])).status).toBe(400);
  expect((await ask('POST /my/a', JSON.parse('{"x":{"__proto__":{"isAdmin":true}}}'))).status).toBe(
    400,
  );
  let deep: unknown = 1;
  for (let level = 0; level < 18; level++) deep = [deep];
  expect((await ask('POST /my/a', { deep })).json.message).toContain('deeper than 18 levels');
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
});

test('the index lists the collections, and the description documents them', async () => {
  const ask = await withData(blog);
  const { json } = await ask('GET /my');
  expect(json.collections).toEqual([
    { name: 'posts', url: expect.stringMatching(/\/my\/posts$/), records: 2, parents: [] },
    {
      name: 'comments',
      url: expect.stringMatching(/\/my\/comments$/),
      records: 2,
      parents: ['posts'],
    },
  ]);
  expect(json.singles).toEqual([{ name: 'profile', url: expect.stringMatching(/\/my\/profile$/) }]);
  const description = (await ask('GET /my/openapi.json')).json;
  expect(Object.keys(description.paths)).toContain('/my/posts/{id}');
  expect(description.components.schemas.comments).toEqual({
    type: 'object',
    properties: { id: { type: 'string' }, body: { type: 'string' }, postId: { type: 'integer' } },
    required: ['id', 'body', 'postId'],
  });
});

test('concurrent creations in one collection get different ids', async () => {
  const ask = await withData({ a: [{ id: 5 }] });
  const created = await Promise.all(Array.from({ length: 20 }, () => ask('POST /my/a', {})));
  const ids = created.map(({ json }) => json.id).sort((a, b) => a - b);
  expect(ids).toEqual(Array.from({ length: 20 }, (_, n) => n + 6));
});
