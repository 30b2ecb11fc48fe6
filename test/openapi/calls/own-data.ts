/** Calls of own data. */

import type { Caller, CallRequest, CallTable } from '../caller.js';

const headers = { 'X-Sandbox': 'my-data' };

const data = {
  posts: [
    { id: 1, title: 'Hello', views: 100 },
    { id: 2, title: 'Hello again', views: 200 },
  ],
  comments: [{ id: 'a', postId: 1, text: 'Hi' }],
  profile: { name: 'Ada' },
};

const strict = { headers: { ...headers, Accept: 'image/png', Prefer: 'handling=strict' } };

export const callOwnData: CallTable = async (caller) => {
  await callData(caller);
  await caller.call('getMy', 'The collections', { headers });
  const html = { ...headers, Accept: 'text/html' };
  const page = await caller.call('getMy', 'A page', { headers: html, isNoExample: true });
  const known = { ...html, 'If-None-Match': page.headers.etag ?? '' };
  await caller.call('getMy', 'Not modified', { headers: known, isNoExample: true });
  await caller.call('getMyOpenapiJson', 'No data');
  await callCollections(caller);
  await callRecords(caller);
  await callSingles(caller);
  await caller.call('deleteSandboxData', 'A deletion', { headers });
};

async function callData(caller: Caller): Promise<void> {
  await caller.call('putSandboxData', 'Two collections and a profile', { headers, json: data });
  await caller.call('putSandboxData', 'In the shared sandbox', { json: {} });
  await caller.call('putSandboxData', 'An invalid id', {
    headers,
    json: { posts: [{ id: {} }] },
  });
  await caller.call('putSandboxData', 'Too large a body', {
    headers,
    type: 'application/json',
    announcedBytes: 10 * 1024 * 1024 + 1,
  });
  await caller.call('putSandboxData', 'Another Content-Type', {
    headers,
    type: 'text/plain',
    body: 'Hello',
  });
  await caller.call('getSandboxData', 'All data', { headers });
  await caller.call('deleteSandboxData', 'In the shared sandbox');
}

async function callCollections(caller: Caller): Promise<void> {
  const path = { collection: 'posts' };
  const ask = (id: string, name: string, request: CallRequest = {}) =>
    caller.call(id, name, { headers, path, ...request });
  await ask('getMyByCollection', 'A page', { query: { limit: 1, sort: '-views' } });
  await ask('getMyByCollection', "A parameter of json-server's", { query: { _page: 1 } });
  await ask('getMyByCollection', 'An unknown collection', { path: { collection: 'ghosts' } });
  await ask('getMyByCollection', 'Too long a URL', { query: { q: 'a'.repeat(3000) } });
  await ask('getMyByCollection', 'An unsupported format', { ...strict, isNoExample: true });
  await ask('getMyByCollectionCount', 'The matching records', { query: { views_gt: 100 } });
  await ask('getMyByCollectionCount', 'An unknown collection', { path: { collection: 'ghosts' } });
  await ask('postMyByCollection', 'A record', { json: { title: 'New' } });
  await ask('postMyByCollection', 'A duplicate id', { json: { id: 1 } });
  await ask('postMyByCollection', 'An unknown collection', {
    path: { collection: 'ghosts' },
    json: {},
  });
  await ask('postMyByCollection', 'A single resource', {
    path: { collection: 'profile' },
    json: {},
  });
  await ask('postMyByCollection', 'An unsupported format', {
    ...strict,
    json: {},
    isNoExample: true,
  });
}

async function callRecords(caller: Caller): Promise<void> {
  const path = { collection: 'posts', id: '1' };
  const unknown = { path: { collection: 'posts', id: 'none' } };
  const stale = { headers: { ...headers, 'If-Match': '"other"' } };
  const ask = (id: string, name: string, request: CallRequest = {}) =>
    caller.call(id, name, { headers, path, ...request });
  const read = await ask('getMyByCollectionById', 'A record');
  const known = { ...headers, 'If-None-Match': read.headers.etag ?? '' };
  await ask('getMyByCollectionById', 'Not modified', { headers: known });
  await ask('getMyByCollectionById', 'Another version', stale);
  await ask('getMyByCollectionById', 'An unknown record', unknown);
  await ask('getMyByCollectionById', 'An unsupported format', { ...strict, isNoExample: true });
  for (const [method, json] of [
    ['put', { title: 'Replaced' }],
    ['patch', { views: 7 }],
  ] as const) {
    const id = `${method}MyByCollectionById`;
    await ask(id, 'A record', { json });
    await ask(id, 'Another version', { ...stale, json });
    await ask(id, 'An unknown record', { ...unknown, json });
    await ask(id, 'Another id', { json: { id: 2 } });
    await ask(id, 'An unsupported format', { ...strict, json, isNoExample: true });
  }
  await ask('putMyByCollectionById', 'A new record', {
    path: { collection: 'posts', id: '9' },
    query: { upsert: 'true' },
    json: { title: 'Ninth' },
  });
  const below = { ...path, children: 'comments' };
  await ask('getMyByCollectionByIdByChildren', 'The comments on a post', { path: below });
  await ask('getMyByCollectionByIdByChildren', 'An unknown relation', {
    path: { ...path, children: 'ghosts' },
  });
  const long = { path: below, query: { q: 'a'.repeat(3000) } };
  await ask('getMyByCollectionByIdByChildren', 'Too long a URL', long);
  const noFormat = { ...strict, path: below, isNoExample: true } as const;
  await ask('getMyByCollectionByIdByChildren', 'An unsupported format', noFormat);
  await ask('postMyByCollectionByIdByChildren', 'A comment on a post', {
    path: below,
    json: { text: 'And hi to you' },
  });
  await ask('postMyByCollectionByIdByChildren', 'A comment on another post', {
    path: below,
    json: { postId: 2 },
  });
  await ask('postMyByCollectionByIdByChildren', 'An unknown relation', {
    path: { ...path, children: 'ghosts' },
    json: {},
  });
  await ask('postMyByCollectionByIdByChildren', 'An unsupported format', { ...noFormat, json: {} });
  await ask('deleteMyByCollectionById', 'Another version', stale);
  await ask('deleteMyByCollectionById', 'A record');
  await ask('deleteMyByCollectionById', 'An unknown record', unknown);
}

async function callSingles(caller: Caller): Promise<void> {
  const path = { collection: 'profile' };
  const stale = { headers: { ...headers, 'If-Match': '"other"' } };
  const ask = (id: string, name: string, request: CallRequest = {}) =>
    caller.call(id, name, { headers, path, ...request });
  const read = await ask('getMyByCollection', 'A single resource');
  const known = { ...headers, 'If-None-Match': read.headers.etag ?? '' };
  await ask('getMyByCollection', 'Not modified', { headers: known });
  await ask('getMyByCollection', 'Another version', stale);
  for (const method of ['put', 'patch'] as const) {
    const id = `${method}MyByCollection`;
    const json = { name: 'Grace' };
    await ask(id, 'A single resource', { json });
    await ask(id, 'Another version', { ...stale, json });
    await ask(id, 'A collection', { path: { collection: 'posts' }, json });
    await ask(id, 'An unknown resource', { path: { collection: 'ghosts' }, json });
    await ask(id, 'An unsupported format', { ...strict, json, isNoExample: true });
  }
  await ask('patchMyByCollection', 'A failing test', {
    type: 'application/json-patch+json',
    body: JSON.stringify([{ op: 'test', path: '/name', value: 'Ada' }]),
  });
}
