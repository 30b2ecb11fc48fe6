import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { type Held, hold, holdVariants, list } from './held.js';

const service = useService();
const { send } = service;

const post = { userId: 0, id: 0, title: '', body: '' };
const comment = { postId: 0, id: 0, name: '', email: '', body: '' };
const album = { userId: 0, id: 0, title: '' };
const photo = { albumId: 0, id: 0, title: '', url: '', thumbnailUrl: '' };
const todo = { userId: 0, id: 0, title: '', completed: true };
const user = {
  ...{ id: 0, name: '', username: '', email: '', phone: '', website: '' },
  address: { street: '', suite: '', city: '', zipcode: '', geo: { lat: '', lng: '' } },
  company: { name: '', catchPhrase: '', bs: '' },
};

const documented: readonly Held[] = [
  {
    ask: 'GET /posts',
    shape: list(100, post),
    sets: { 'Cache-Control': 'no-cache', Pragma: 'no-cache', Expires: '-1', ETag: /^W\// },
  },
  { ask: 'GET /posts/1', shape: post, has: { id: 1, userId: 1 } },
  { ask: 'GET /posts/1/comments', shape: list(5, comment) },
  { ask: 'GET /comments?postId=1', shape: list(5, comment) },
  { ask: 'GET /comments', shape: list(500, comment) },
  { ask: 'GET /albums', shape: list(100, album) },
  { ask: 'GET /albums/1/photos', shape: list(50, photo) },
  { ask: 'GET /photos', shape: list(5000, photo) },
  { ask: 'GET /todos', shape: list(200, todo) },
  { ask: 'GET /users', shape: list(10, user) },
  { ask: 'GET /users/1/posts', shape: list(10, post) },
  { ask: 'GET /users/1/todos', shape: list(20, todo) },
  { ask: 'GET /users/1/albums', shape: list(10, album) },
  {
    ask: 'POST /posts',
    json: { title: 'foo', body: 'bar', userId: 1 },
    status: 201,
    is: { title: 'foo', body: 'bar', userId: 1, id: 101 },
    sets: { Location: /\/jsonplaceholder\/posts\/101$/ },
  },
  {
    ask: 'PUT /posts/1',
    json: { id: 1, title: 'foo', body: 'bar', userId: 1 },
    is: { id: 1, title: 'foo', body: 'bar', userId: 1 },
  },
  { ask: 'PATCH /posts/1', json: { title: 'foo' }, shape: post, has: { id: 1, title: 'foo' } },
  { ask: 'DELETE /posts/1', is: {} },
];

/** Requests that the guide of the original does not show. */
const variants: readonly Held[] = [
  { ask: 'GET /posts/101', status: 404, is: {} },
  { ask: 'GET /nothing', status: 404, is: {} },
  {
    ask: 'GET /posts?_page=2&_limit=3',
    shape: list(3, post),
    sets: { 'X-Total-Count': '100', Link: /_page=3/ },
  },
  { ask: 'GET /posts?userId=1&userId=2', shape: list(20, post) },
  {
    ask: 'GET /posts?_sort=id&_order=desc&_start=0&_end=2',
    shape: list(2, post),
    has: [{ id: 100 }, { id: 99 }],
  },
  { ask: 'GET /posts/1?_embed=comments', shape: { ...post, comments: list(5, comment) } },
  { ask: 'GET /comments/1?_expand=post', shape: { ...comment, post } },
  { ask: 'GET /posts/101/comments', is: [] },
  {
    ask: 'PUT /posts/101',
    json: { title: 'x' },
    status: 500,
    type: 'text/plain',
    text: /reading 'id'/,
  },
  { ask: 'PATCH /posts/101', json: { title: 'x' }, is: { title: 'x' } },
  { ask: 'DELETE /posts/101', is: {} },
  { ask: 'DELETE /nothing/1', status: 404, is: {} },
  {
    ask: 'POST /posts',
    body: 'title=a&userId=1',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    status: 201,
    is: { title: 'a', userId: '1', id: 101 },
  },
  {
    ask: 'POST /posts',
    body: 'plain',
    headers: { 'Content-Type': 'text/plain' },
    status: 201,
    is: { id: 101 },
  },
  {
    ask: 'POST /posts/1/comments',
    json: { name: 'n' },
    status: 201,
    is: { name: 'n', postId: '1', id: 501 },
  },
  { ask: 'POST /posts/1', json: {}, status: 404, is: {} },
  {
    ask: 'POST /posts',
    body: '{"title"',
    headers: { 'Content-Type': 'application/json' },
    status: 400,
  },
  { ask: 'GET /posts/1', has: { id: 1 }, shape: post },
  { ask: 'GET /posts', shape: list(100, post) },
];

hold(service, '/jsonplaceholder', 'Documented requests', documented);
holdVariants(service, '/jsonplaceholder', 'Documented requests', documented);
hold(service, '/jsonplaceholder', 'Variants', variants);

test('with keepWrites, what was written is read', async () => {
  const base = '/s/kept/jsonplaceholder';
  await send('PUT /s/kept/api/sandbox/practice-apis', { json: { keepWrites: true } });
  expect((await send(`POST ${base}/posts`, { json: { title: 'a', userId: 1 } })).json.id).toBe(101);
  expect((await send(`POST ${base}/posts`, { json: { title: 'b' } })).json.id).toBe(102);
  expect((await send(`GET ${base}/posts`)).json).toHaveLength(102);
  expect((await send(`GET ${base}/posts?_limit=1`)).headers['x-total-count']).toBe('102');
  expect((await send(`GET ${base}/users/1/posts`)).json).toHaveLength(11);
  await send(`PATCH ${base}/posts/101`, { json: { title: 'c' } });
  expect((await send(`GET ${base}/posts/101`)).json).toEqual({ id: 101, title: 'c', userId: 1 });
  expect((await send(`DELETE ${base}/posts/1`)).json).toEqual({});
  expect((await send(`GET ${base}/posts/1`)).status).toBe(404);
  expect((await send(`DELETE ${base}/posts/1`)).status).toBe(404);
  expect((await send(`PUT ${base}/posts/1`, { json: {} })).status).toBe(404);
  expect((await send(`GET ${base}/comments?postId=1`)).json).toEqual([]);
  await send('DELETE /s/kept/api/sandbox');
  expect((await send(`GET ${base}/posts`)).json).toHaveLength(100);
  expect((await send('GET /jsonplaceholder/posts')).json).toHaveLength(100);
});

test('pictures exist at the URLs of the records', async () => {
  const { json } = await send('GET /jsonplaceholder/photos/7');
  for (const url of [json.url, json.thumbnailUrl]) {
    const response = await fetch(url);
    expect(response.headers.get('content-type')).toBe('image/png');
  }
  const streamed = await send('GET /jsonplaceholder/photos');
  expect(streamed.json[6]).toEqual(json);
  expect(streamed.text.slice(0, 60)).toMatch(/^\[\n {2}\{\n {4}"albumId": 1,\n {4}"id": 1,/);
});

test('the 5,000 photos are streamed', async () => {
  const response = await fetch(`${service.url}/jsonplaceholder/photos`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body ?? []) chunks.push(chunk);
  expect(response.headers.has('content-length')).toBe(false);
  expect(chunks.length).toBeGreaterThan(5);
  const { status } = await send('HEAD /jsonplaceholder/photos');
  expect(status).toBe(200);
});
