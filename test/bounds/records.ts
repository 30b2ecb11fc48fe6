/** More bounds of REST collections, and of data that callers load. */

import type { Bound } from './bound.js';

const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });

export const recordBounds: readonly Bound[] = [
  {
    limit: 'areas/data/built-in/collections.ts#maxNewId',
    value: 2 ** 31 - 1,
    request: (size) => ({
      target: `PUT /s/bounds-of-ids/api/Todos/${size}?upsert=true`,
      json: { title: 'a', userId: 1 },
    }),
    rejection: [400, /must be from 1 to 2147483647; got 2147483648/],
  },
  {
    limit: 'areas/data/read/changes.ts#maxChangesWaitSeconds',
    value: 60,
    // Without a token, there is nothing to wait for.
    request: (size) => ({ target: `GET /s/bounds-of-changes/api/Books/changes?wait=${size}` }),
    rejection: [400, /must be an integer of seconds from 0 to 60/],
  },
  {
    limit: 'areas/data/read/list-query.ts#maxEmbeds',
    value: 20,
    // The names are unknown, which is another fault.
    request: (size) => ({
      target: `GET /api/Books?embed=${Array.from({ length: size }, (_, place) => `n${place}`)}`,
    }),
    accepted: 400,
    rejection: [400, /must have at most 20 names/],
  },
  {
    limit: 'areas/data/own/load/read-own-data.ts#maxRecordDepth',
    value: 18,
    request: (size) => ({
      target: 'POST /my/posts',
      headers: { 'X-Sandbox': 'bounds-of-posts' },
      json: nested(size),
    }),
    rejection: [400, /nested deeper than 18 levels/],
  },
];
