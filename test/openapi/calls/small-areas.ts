/** Calls of the areas with few routes: pagination, rate limit, versions, images, sandboxes. */

import type { CallTable } from '../caller.js';
import { callRejectedBodies } from './rejected-bodies.js';

export const callPagination: CallTable = async (caller) => {
  await caller.call('getPagination', 'The styles');
  for (const [operationId, size, faulty] of [
    ['getPaginationOffset', { limit: 2 }, { limit: 0 }],
    ['getPaginationPage', { size: 2 }, { size: 101 }],
    ['getPaginationLink', { per_page: 2, page: 2 }, { page: 0 }],
    ['getPaginationKeyset', { limit: 2, after_id: 10 }, { after_id: 'x' }],
    ['getPaginationHal', { size: 2, page: 1 }, { page: -1 }],
  ] as const) {
    await caller.call(operationId, 'A page', { query: size });
    await caller.call(operationId, 'Out of range', { query: faulty });
  }
  const first = await caller.call('getPaginationCursor', 'The first page', { query: { limit: 2 } });
  await caller.call('getPaginationCursor', 'The next page', {
    query: { limit: 2, cursor: first.json.next_cursor },
  });
  await caller.call('getPaginationCursor', 'An invalid cursor', { query: { cursor: 'x' } });
  await caller.call('getPaginationItemsById', 'One item', { path: { id: 7 } });
  await caller.call('getPaginationItemsById', 'An unknown id', { path: { id: 101 } });
  await caller.call('getPaginationItemsById', 'An invalid id', { path: { id: 'x' } });
};

export const callRateLimit: CallTable = async (caller) => {
  const request = { headers: { 'X-Client-Id': 'example' } };
  await caller.call('getRateLimit', 'The first request', request);
  await caller.call('getRateLimitStatus', 'After one request', request);
  for (let count = 2; count <= 5; count += 1) await caller.send('getRateLimit', request);
  await caller.call('getRateLimit', 'Too many requests', request);
  await caller.call('postRateLimitReset', 'A new window', request);
  await caller.call('getRateLimit', 'A window with other limits', {
    headers: { 'X-Client-Id': 'another' },
    query: { limit: 100, window: 10 },
  });
  await caller.call('getRateLimit', 'Too long a window', { query: { window: 7200 } });
};

export const callVersioning: CallTable = async (caller) => {
  await caller.call('getV1Profile', 'The old version');
  await caller.call('getV2Profile', 'The new version');
  await caller.call('getVersions', 'All versions');
  await caller.call('getVersionedProfile', 'The latest version');
  await caller.call('getVersionedProfile', 'By header', { headers: { 'X-API-Version': '1' } });
  await caller.call('getVersionedProfile', 'By query', { query: { 'api-version': 'v1' } });
  for (const version of [1, 2]) {
    await caller.call('getVersionedProfile', `Version ${version} by media type`, {
      headers: { Accept: `application/vnd.service.v${version}+json` },
    });
  }
  await caller.call('getVersionedProfile', 'An unknown version', {
    headers: { 'X-API-Version': '3' },
  });
};

export const callPictures: CallTable = async (caller) => {
  await caller.call('getImages', 'The kinds');
  for (const kind of [
    'ProductsByIdSvg',
    'MoviesByIdSvg',
    'BooksByIdSvg',
    'PeopleByIdSvg',
    'PhotosByIdSvg',
    'PhotosByIdThumbnailSvg',
  ]) {
    const operationId = `getImages${kind}`;
    const path = { id: 1 };
    const { headers } = await caller.call(operationId, 'The first', { path });
    await caller.call(operationId, 'Not modified', {
      path,
      headers: { 'If-None-Match': headers.etag ?? '' },
    });
    await caller.call(operationId, 'Compressed', {
      path,
      headers: { 'Accept-Encoding': 'gzip' },
      isNoExample: true,
    });
    await caller.call(operationId, 'An unknown id', { path: { id: 99999 } });
  }
};

export const callSandbox: CallTable = async (caller) => {
  const headers = { 'X-Sandbox': 'my-own' };
  await caller.call('getSandbox', 'The shared sandbox');
  await caller.call('putSandboxClock', 'An hour ahead', { headers, json: { offsetSeconds: 3600 } });
  await caller.call('putSandboxClock', 'The shared sandbox', { json: { offsetSeconds: 3600 } });
  await caller.call('putSandboxClock', 'Not a number', {
    headers,
    json: { offsetSeconds: 'soon' },
  });
  await caller.call('getSandboxClock', 'An hour ahead', { headers });
  await caller.call('getSandbox', 'A named sandbox', { headers });
  await callFaults(caller);
  await caller.call('deleteSandbox', 'A reset', { headers });
};

const callFaults: CallTable = async (caller) => {
  const headers = { 'X-Sandbox': 'my-faults' };
  const json = {
    seed: 1,
    rules: [
      {
        name: 'flaky-books',
        match: { method: 'GET', path: '/api/Books/:id' },
        sequence: [
          { status: 503, retryAfter: 1 },
          { delayMs: { min: 10, max: 50 }, truncate: 20 },
        ],
      },
      { sequence: [{ probability: 0.1, fault: { reset: true } }], then: 'repeat' },
    ],
  };
  await caller.call('putSandboxFaults', 'Two failures, and random ones', { headers, json });
  await callRejectedBodies(caller, 'putSandboxFaults');
  await caller.call('putSandboxFaults', 'In the shared sandbox', { json });
  await caller.call('putSandboxFaults', 'Two faults in one entry', {
    headers,
    json: { rules: [{ sequence: [{ reset: true, empty: true }] }] },
  });
  await caller.send('getBooksById', { headers, path: { id: 1 } });
  await caller.call('getSandboxFaults', 'After a request', { headers });
  await caller.call('getSandboxFaults', 'In the shared sandbox');
  await caller.call('getSandboxFaultsLog', 'After a request', { headers });
  await caller.call('getSandboxFaultsLog', 'In the shared sandbox');
  await caller.call('deleteSandboxFaults', 'The end of a plan', { headers });
  await caller.call('deleteSandboxFaults', 'In the shared sandbox');
};
