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

export const callOwnData: CallTable = async (caller) => {
  await callData(caller);
  await caller.call('getMy', 'The collections', { headers });
  await callCollections(caller);
  await callRecords(caller);
  await callSingles(caller);
  await caller.call('deleteSandboxData', 'A deletion', { headers });
};

async function callData(caller: Caller): Promise<void> {
  await caller.call('putSandboxData', 'Two collections and a profile', { headers, json: data });
  await caller.call('putSandboxData', 'An invalid id', {
    headers,
    json: { posts: [{ id: {} }] },
  });
  await caller.call('getSandboxData', 'All data', { headers });
}

async function callCollections(caller: Caller): Promise<void> {
  const path = { collection: 'posts' };
  const ask = (id: string, name: string, request: CallRequest = {}) =>
    caller.call(id, name, { headers, path, ...request });
  await ask('getMyByCollection', 'A page', { query: { limit: 1, sort: '-views' } });
  await ask('getMyByCollection', "A parameter of json-server's", { query: { _page: 1 } });
  await ask('getMyByCollectionCount', 'The matching records', { query: { views_gt: 100 } });
  await ask('postMyByCollection', 'A record', { json: { title: 'New' } });
  await ask('postMyByCollection', 'A duplicate id', { json: { id: 1 } });
  await ask('postMyByCollection', 'A single resource', {
    path: { collection: 'profile' },
    json: {},
  });
}

async function callRecords(caller: Caller): Promise<void> {
  const path = { collection: 'posts', id: '1' };
  const ask = (id: string, name: string, request: CallRequest = {}) =>
    caller.call(id, name, { headers, path, ...request });
  await ask('getMyByCollectionById', 'A record');
  for (const [method, json] of [
    ['put', { title: 'Replaced' }],
    ['patch', { views: 7 }],
  ] as const) {
    const id = `${method}MyByCollectionById`;
    await ask(id, 'A record', { json });
    await ask(id, 'Another id', { json: { id: 2 } });
  }
  await ask('putMyByCollectionById', 'A new record', {
    path: { collection: 'posts', id: '9' },
    query: { upsert: 'true' },
    json: { title: 'Ninth' },
  });
  const below = { ...path, children: 'comments' };
  await ask('getMyByCollectionByIdByChildren', 'The comments on a post', { path: below });
  await ask('postMyByCollectionByIdByChildren', 'A comment on a post', {
    path: below,
    json: { text: 'And hi to you' },
  });
  await ask('postMyByCollectionByIdByChildren', 'A comment on another post', {
    path: below,
    json: { postId: 2 },
  });
  await ask('deleteMyByCollectionById', 'A record');
}

async function callSingles(caller: Caller): Promise<void> {
  const path = { collection: 'profile' };
  const ask = (id: string, name: string, request: CallRequest = {}) =>
    caller.call(id, name, { headers, path, ...request });
  const { headers: read } = await ask('getMyByCollection', 'A single resource');
  const conditions = { 'If-None-Match': read.etag ?? '' };
  await ask('getMyByCollection', 'Not modified', { headers: { ...headers, ...conditions } });
  await ask('getMyByCollection', 'Another version', {
    headers: { ...headers, 'If-Match': '"other"' },
  });
  for (const method of ['put', 'patch'] as const) {
    const id = `${method}MyByCollection`;
    const json = { name: 'Grace' };
    await ask(id, 'A single resource', { json });
    await ask(id, 'A collection', { path: { collection: 'posts' }, json });
  }
  await ask('patchMyByCollection', 'A failing test', {
    type: 'application/json-patch+json',
    body: JSON.stringify([{ op: 'test', path: '/name', value: 'Ada' }]),
  });
}
