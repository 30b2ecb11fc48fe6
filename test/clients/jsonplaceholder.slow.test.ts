/** JSONPlaceholder, request by request beside json-server 0.17.4 with fake writes and the same data. */

import { afterAll, beforeAll, expect } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import { testsWith } from '../support/foreign-program.js';
import { type JsonServers, serveByJsonServer } from './serve-by-json-server.js';

const counts = { posts: 100, comments: 500, albums: 100, photos: 5000, todos: 200, users: 10 };
const names = Object.keys(counts);

const reads = [
  ...names.flatMap((name) => [
    `/${name}?_limit=3`,
    `/${name}/1`,
    `/${name}/0`,
    `/${name}?_page=2&_limit=4`,
    `/${name}?_page=999`,
    `/${name}?_sort=id&_order=desc&_limit=2`,
    `/${name}?id=3&id=5`,
    `/${name}?id_gte=4&id_lte=6`,
    `/${name}?_start=2&_end=4`,
    `/${name}?ghost=1&_limit=1`,
  ]),
  ...[
    '/posts/1/comments',
    '/albums/2/photos',
    '/users/3/albums',
    '/users/1/todos',
    '/users/1/posts',
  ],
  ...[
    '/posts?userId=1',
    '/comments?postId=2',
    '/posts?_embed=comments&_limit=2',
    '/posts',
    '/users',
  ],
  ...['/comments?_expand=post&_limit=2', '/posts/1?_embed=comments', '/posts/999/comments'],
  ...['/users?address.city=x', '/posts?q=amber&_limit=5', '/posts?title_like=%5Ea', '/nothing'],
  ...[
    '/todos?completed=true&_limit=3',
    '/todos?id_ne=1&_limit=2',
    '/nothing/1',
    '/posts/1/nothing',
  ],
].map((path) => ({ method: 'GET', path, body: undefined, type: undefined }));

const json = 'application/json';
const writes = [
  ...names.flatMap((name) => [
    { method: 'POST', path: `/${name}`, body: '{"title":"a","n":1}', type: json },
    { method: 'PUT', path: `/${name}/1`, body: '{"title":"b"}', type: json },
    { method: 'PATCH', path: `/${name}/1`, body: '{"title":"c"}', type: json },
    { method: 'DELETE', path: `/${name}/1`, body: undefined, type: undefined },
  ]),
  { method: 'POST', path: '/posts/1/comments', body: '{"name":"a"}', type: json },
  { method: 'POST', path: '/posts', body: '{"id":7,"title":"a"}', type: json },
  { method: 'POST', path: '/posts', body: 'a=1&b=2', type: 'application/x-www-form-urlencoded' },
  { method: 'POST', path: '/posts', body: 'text', type: 'text/plain' },
  { method: 'PATCH', path: '/posts/999', body: '{"title":"c"}', type: json },
  { method: 'DELETE', path: '/posts/999', body: undefined, type: undefined },
  { method: 'DELETE', path: '/nothing/1', body: undefined, type: undefined },
  { method: 'POST', path: '/nothing', body: '{}', type: json },
];

type Asked = (typeof reads | typeof writes)[number];

async function ask(base: string, { method, path, body, type }: Asked) {
  const headers = { ...(type !== undefined && { 'Content-Type': type }) };
  const response = await fetch(base + path, { method, headers, ...(body && { body }) });
  const shown = ['content-type', 'cache-control', 'pragma', 'x-total-count', 'link', 'location'];
  const values = shown.map((name) => [name, response.headers.get(name)?.replaceAll(base, '')]);
  return {
    asked: `${method} ${path}`,
    status: response.status,
    headers: Object.fromEntries(values),
    text: await response.text(),
  };
}

const { test } = testsWith('json-server');

let service: Service;
let servers: JsonServers;

beforeAll(async () => {
  if (!process.env.PRACTICE_JSON_SERVER) return;
  service = await createService();
  const data = await (await fetch(`${service.url}/jsonplaceholder/db`)).json();
  servers = await serveByJsonServer([data as Record<string, unknown>], 0, true);
});
afterAll(async () => {
  servers?.stop();
  await service?.close();
});

test('more than 100 requests get the same responses', async () => {
  const all: readonly Asked[] = [...reads, ...writes];
  expect(all.length).toBeGreaterThan(100);
  for (const asked of all) {
    const own = await ask(`${service.url}/jsonplaceholder`, asked);
    expect(own).toEqual(await ask(servers.urls[0] ?? '', asked));
  }
});
