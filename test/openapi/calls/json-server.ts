/** Calls of json-server's paths. */

import type { Caller, CallRequest, CallTable } from '../caller.js';

const headers = { 'X-Sandbox': 'json-server' };

const data = {
  posts: [
    { id: 1, title: 'Hello', views: 100 },
    { id: 2, title: 'Hello again', views: 200 },
  ],
  comments: [{ id: 1, postId: 1, text: 'Hi' }],
  profile: { name: 'Ada' },
};

const posts = { resource: 'posts' };
const first = { ...posts, id: 1 };
const below = { ...first, nested: 'comments' };

export const callJsonServer: CallTable = async (caller) => {
  await caller.call('putSandboxData', 'Data for json-server', { headers, json: data });
  await callReads(caller);
  await callWrites(caller);
  await caller.send('deleteSandboxData', { headers });
};

async function callReads(caller: Caller): Promise<void> {
  const ask = (id: string, name: string, request: CallRequest = {}) =>
    caller.call(id, name, { headers, ...request });
  await ask('getJsonServer', 'The collections');
  await ask('getJsonServerDb', 'All data');
  await ask('getJsonServerRules', 'No rules');
  const query = { _page: 1, _limit: 1, _sort: 'views', _order: 'desc' };
  await ask('getJsonServerByResource', 'A page', { path: posts, query });
  await ask('getJsonServerByResourceById', 'With its comments', {
    path: first,
    query: { _embed: 'comments' },
  });
  await ask('getJsonServerByResourceByIdByNested', 'Its comments', { path: below });
  await ask('getJsonServerDb', 'A version 0 path in version 1', { query: { v: 1 } });
  await ask('getJsonServerByResource', 'A page of version 1', {
    path: posts,
    query: { v: 1, _page: 1, _per_page: 1 },
  });
}

async function callWrites(caller: Caller): Promise<void> {
  const write = async (
    id: string,
    name: string,
    path: CallRequest['path'],
    json: NonNullable<CallRequest['json']>,
  ) => {
    await caller.call(id, name, { headers, ...(path && { path }), json });
  };
  await write('postJsonServerByResource', 'A new post', posts, { title: 'New' });
  await write('postJsonServerByResourceByIdByNested', 'A new comment', below, { text: 'New' });
  await write('putJsonServerByResourceById', 'Another one', first, { title: 'Other' });
  await write('patchJsonServerByResourceById', 'Some fields', first, { views: 1 });
  const profile = { resource: 'profile' };
  await write('putJsonServerByResource', 'Another profile', profile, { name: 'Bob' });
  await write('patchJsonServerByResource', 'Some fields', profile, { age: 36 });
  const taken = { headers, json: { id: 1 } };
  await caller.call('postJsonServerByResource', 'A duplicate id', { ...taken, path: posts });
  await caller.call('postJsonServerByResourceByIdByNested', 'A duplicate id', {
    ...taken,
    path: below,
  });
  await caller.call('deleteJsonServerByResourceById', 'With its comments', {
    headers,
    path: first,
  });
}
