/** Bounds of REST collections, of json-server's paths, of GraphQL and of SOAP. */

import { type Bound, listOf, times } from './bound.js';

const list = 'areas/data/read/list-query.ts';
const server = 'areas/data/json-server';
/** Which has posts, as the test prepares. */
const posts = (query: string) => ({
  target: `GET /json-server/posts?${query}`,
  headers: { 'X-Sandbox': 'bounds-of-posts' },
});
const where = (json: unknown) => posts(`v=1&_where=${encodeURIComponent(JSON.stringify(json))}`);
const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });

export const dataBounds: readonly Bound[] = [
  {
    limit: `${list}#maxLimit`,
    value: 100,
    request: (size) => ({ target: `GET /api/Books?limit=${size}` }),
    rejection: [400, /limit/],
  },
  {
    limit: `${list}#maxSearchLength`,
    value: 200,
    request: (size) => ({ target: `GET /api/Books?q=${times(size, 'x')}` }),
    rejection: [400, /must be at most 200 characters/],
  },
  {
    limit: `${list}#maxPosition`,
    of: 'offset',
    value: 2 ** 31 - 1,
    request: (size) => ({ target: `GET /api/Books?limit=1&offset=${size}` }),
    rejection: [400, /"field":"offset"/],
  },
  {
    limit: `${list}#maxPosition`,
    of: 'page',
    value: 2 ** 31 - 1,
    request: (size) => ({ target: `GET /api/Books?limit=1&page=${size}` }),
    rejection: [400, /"field":"page"/],
  },
  {
    limit: 'areas/data/read/read-records.ts#maxUrlLength',
    value: 3000,
    request: (size) => {
      const path = '/api/Books?title_ne=';
      return { target: `GET ${path}${times(size - path.length, 'x')}` };
    },
    rejection: [414, /longer than 3000 characters/],
  },
  {
    limit: 'http/headers/parse-idempotency-key.ts#maxLength',
    value: 255,
    request: (size) => ({
      target: 'POST /api/Todos',
      headers: { 'Idempotency-Key': `"${times(size, 'k')}"` },
      json: {},
    }),
    accepted: 400,
    rejection: [400, /Idempotency-Key must be a string of 1 to 255/],
  },
  {
    limit: 'areas/data/jobs/job.ts#maxJobSeconds',
    value: 3600,
    request: (size) => ({
      target: 'POST /api/jobs',
      headers: { 'X-Sandbox': 'bounds-of-jobs' },
      json: { seconds: size },
    }),
    rejection: [400, /seconds/],
  },
  {
    limit: 'kit/json-server/read-query.ts#maxParameters',
    value: 100,
    request: (size) => posts(listOf(size, (place) => `a${place}=1`, '&')),
    rejection: [400, /more than 100 parameters/],
  },
  {
    limit: 'kit/json-server/read-query.ts#maxValues',
    value: 100,
    request: (size) => posts(listOf(size, () => 'views_gte=1', '&')),
    rejection: [400, /at most 100 values; got 101/],
  },
  {
    limit: 'kit/json-server/read-query.ts#maxUrlLength',
    value: 8000,
    request: (size) => {
      const path = '/json-server/posts?a=';
      return posts(`a=${times(size - path.length, 'x')}`);
    },
    rejection: [414, /longer than 8000 characters/],
  },
  {
    limit: 'kit/json-server/list-0.ts#maxPatterns',
    value: 10,
    request: (size) => posts(listOf(size, () => 'title_like=a', '&')),
    rejection: [400, /at most 10 patterns/],
  },
  {
    limit: 'kit/json-server/sort-items.ts#maxSortKeys',
    value: 10,
    request: (size) => posts(`_sort=${listOf(size, () => 'id')}`),
    rejection: [400, /at most 10 fields; got 11/],
  },
  {
    limit: 'kit/json-server/sort-items.ts#maxSortKeys',
    of: 'version 1',
    value: 10,
    request: (size) => posts(`v=1&_sort=${listOf(size, () => '-id')}`),
    rejection: [400, /at most 10 fields; got 11/],
  },
  {
    limit: 'kit/json-server/relate.ts#maxNames',
    value: 20,
    request: (size) => posts(listOf(size, () => '_embed=comments', '&')),
    rejection: [400, /at most 20 names/],
  },
  {
    limit: `${server}/list-1.ts#maxConditions`,
    value: 100,
    request: (size) =>
      where(Object.fromEntries(Array.from({ length: size }, (_, place) => [`a${place}`, 1]))),
    rejection: [400, /at most 100 conditions/],
  },
  {
    limit: `${server}/list-1.ts#maxDepth`,
    value: 20,
    request: (size) => where(nested(size)),
    rejection: [400, /at most 20 levels deep/],
  },
  {
    limit: 'kit/json-server/read-body.ts#maxJsonValues',
    value: 10_000,
    request: (size) => ({
      target: 'POST /json-server/posts',
      headers: { 'X-Sandbox': 'bounds-of-posts' },
      json: { a: Array(size - 2).fill(1) },
    }),
    rejection: [400, /10000/],
  },
  {
    limit: 'areas/bugs/report-bug.ts#maxReportValues',
    value: 5000,
    request: (size) => ({
      target: 'POST /s/bounds-of-bugs/api/sandbox/bugs/reports',
      json: Array(size - 1).fill(1),
    }),
    accepted: 400,
    rejection: [400, /5000/],
  },
  {
    limit: 'areas/data/own/load/read-own-data.ts#maxIdLength',
    value: 200,
    request: (size) => ({
      target: 'PUT /s/bounds-of-own/api/sandbox/data',
      json: { a: [{ id: times(size, 'x') }] },
    }),
    rejection: [400, /must be a string of 1 to 200 characters/],
  },
  {
    limit: 'areas/data/endpoints/collection-endpoints.ts#maxBatchValues',
    value: 10_000,
    request: (size) => ({
      target: 'POST /s/bounds-of-batch/api/Books/batch',
      json: Array(size - 1).fill(1),
    }),
    accepted: 400,
    rejection: [400, /10000/],
  },
  {
    limit: `${list}#maxSortFields`,
    value: 10,
    request: (size) => ({
      target: `GET /my/wide?sort=${listOf(size, (place) => `f${place}`)}`,
      headers: { 'X-Sandbox': 'bounds-of-posts' },
    }),
    rejection: [400, /must have at most 10 fields/],
  },
  {
    limit: 'areas/practice-apis/dialect/picture.ts#maxPictureSide',
    value: 4000,
    request: (size) => ({ target: `GET /jsonplaceholder/image/${size}x1/cccccc` }),
    rejection: [400, /from 1 to 4000/],
  },
  {
    limit: 'areas/practice-apis/dialect/call.ts#maxJsonValues',
    value: 10_000,
    request: (size) => ({ target: 'POST /reqres/api/users', json: Array(size - 1).fill(1) }),
    rejection: [400, /more than 10000 values/],
  },
  {
    limit: 'areas/practice-apis/postman-echo/dialect.ts#maxCookies',
    value: 50,
    request: (size) => ({
      target: `GET /postman-echo/cookies/set?${Array.from({ length: size }, (_, place) => `c${place}=1`).join('&')}`,
    }),
    rejection: [400, /At most 50 cookies/],
  },
  {
    limit: 'areas/practice-apis/dummyjson/dialect.ts#maxMinutes',
    value: 43_200,
    request: (size) => ({
      target: 'POST /dummyjson/auth/login',
      json: { username: 'emilys', password: 'emilyspass', expiresInMins: size },
    }),
    rejection: [500, /Maximum access token expire time/],
  },
];
