/** Calls of the resources for caching. */

import type { CallTable } from '../caller.js';

const headers = { 'X-Sandbox': 'mine' };
const path = { name: 'page' };
const give = 'getHttpCacheByName';
const change = 'putHttpCacheByName';

export const callHttpCaching: CallTable = async (caller) => {
  await caller.call(give, 'Cacheable for a minute', {
    path,
    query: { maxAge: 60, swr: 30, vary: 'Accept-Language', lastModified: 'true', age: 5 },
    headers: { ...headers, 'Accept-Language': 'de' },
  });
  const { headers: first } = await caller.call(give, 'Without Cache-Control', { path, headers });
  const known = { 'If-None-Match': first.etag ?? '' };
  await caller.call(give, 'Not modified', { path, headers: { ...headers, ...known } });
  await caller.call(give, 'Another expected version', {
    path,
    headers: { ...headers, 'If-Match': '"other"' },
  });
  await caller.call(give, 'A failure', { path, query: { status: 503 }, headers });
  await caller.call(change, 'Stored headers', { path, query: { maxAge: 60 }, headers });
  await caller.call(change, 'Text', { path, headers, type: 'text/plain', body: 'Hello' });
  await caller.call(give, 'The stored text', { path, headers });
  await caller.call(change, 'Without a sandbox', { path });
  await caller.call(change, 'A previous version', {
    path,
    headers: { ...headers, 'If-Match': first.etag ?? '' },
  });
  await caller.call(change, 'Compressed', {
    path,
    headers: { ...headers, 'Content-Encoding': 'gzip' },
    type: 'text/plain',
    body: 'x',
  });
  await caller.call(change, 'Too much text', { path, headers, announcedBytes: 70_000 });
  await caller.call('getHttpCacheByNameHits', 'The requests', { path, headers });
  await caller.call('getHttpCacheByNameHits', 'Without a sandbox', { path });
  const report = 'postHttpCacheByNameReuses';
  const { headers: last } = await caller.call(give, 'The stored text', { path, headers });
  const reuse = { path, headers, json: { requestId: last['x-request-id'] ?? '' } };
  await caller.call(report, 'The last response, again', reuse);
  await caller.call(report, 'An unknown response', { ...reuse, json: { requestId: 'none' } });
  await caller.call(report, 'Without a sandbox', { ...reuse, headers: {} });
};
