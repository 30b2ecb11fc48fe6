/** Bounds of the HTTP lab, of httpbin, and of every body. */

import { type Bound, jsonHeader, listOf, padded, times } from './bound.js';

const mebibyte = 1024 * 1024;
const stored = 'PUT /s/bounds-of-http/api/http/responses/stored';
const script = (json: object) => ({ target: stored, json });
const settable = 'http/headers/settable-headers.ts';

/** A form with a file and some fields. */
const upload = (name: string, fields: number) => ({
  target: 'POST /s/bounds-of-forms/api/http/uploads',
  headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
  body: `${times(fields, '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n')}--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n1\r\n--b--\r\n`,
});

const cookie = (more: object) => ({
  target: 'POST /api/http/cookies',
  json: { name: 'a', value: 'b', ...more },
});

export const httpBounds: readonly Bound[] = [
  {
    limit: 'app/router.ts#maxSegmentCharacters',
    value: 2000,
    request: (size) => ({ target: `GET /api/Books/${times(size, 'x')}` }),
    accepted: 400,
    rejection: [414, /segment/],
  },
  {
    limit: 'areas/http/redirects/topic.ts#maxHops',
    value: 20,
    request: (size) => ({ target: `GET /api/http/redirect/${size}` }),
    rejection: [400, /hops must be from 1 to 20/],
  },
  {
    limit: 'http/address/redirect-target.ts#maxLength',
    value: 8000,
    request: (size) => ({ target: `GET /api/http/redirect/1?to=/${times(size - 1, 'a')}` }),
    rejection: [400, /must be at most 8000 characters/],
  },
  {
    limit: 'http/status/status-choice.ts#maxChoices',
    value: 20,
    request: (size) => ({ target: `GET /api/http/status/${listOf(size, () => '200')}` }),
    rejection: [400, /codes/],
  },
  {
    limit: 'areas/http/streaming/parse-sizes.ts#maxChunks',
    value: 100,
    request: (size) => ({ target: `GET /api/http/chunks?sizes=${listOf(size, () => '1')}` }),
    rejection: [400, /sizes must be integers/],
  },
  {
    limit: 'areas/http/streaming/parse-sizes.ts#maxChunkBytes',
    value: 65_536,
    request: (size) => ({ target: `GET /api/http/chunks?sizes=${size}` }),
    rejection: [400, /sizes must be integers/],
  },
  {
    limit: 'areas/http/respond/script.ts#maxBodyBytes',
    value: 262_144,
    request: (size) => script({ body: times(size, 'x') }),
    rejection: [400, /The body must be at most 262144 bytes/],
  },
  {
    limit: 'areas/http/respond/script.ts#maxChunks',
    value: 100,
    request: (size) => script({ chunks: Array(size).fill({ data: 'x' }) }),
    rejection: [400, /chunks/],
  },
  {
    limit: 'areas/http/respond/script.ts#maxTotalMs',
    value: 30_000,
    request: (size) => script({ delayMs: 1, chunks: [{ data: 'x', delayMs: size - 1 }] }),
    rejection: [400, /The sum of all delays must be at most 30000 ms/],
  },
  {
    limit: `${settable}#maxSettableHeaders`,
    value: 20,
    request: (size) => script({ headers: Array.from({ length: size }, (_, n) => [`X-${n}`, '1']) }),
    rejection: [400, /at most 20 headers/],
  },
  {
    limit: `${settable}#maxValueLength`,
    value: 1000,
    request: (size) => script({ headers: { 'X-A': times(size, 'x') } }),
    rejection: [400, /must have at most 1000 bytes/],
  },
  {
    limit: `${settable}#maxValueLength`,
    of: 'in UTF-8',
    value: 1000,
    request: (size) =>
      script({ headerEncoding: 'utf-8', headers: { 'X-A': `${times(size - 2, 'x')}é` } }),
    rejection: [400, /must have at most 1000 bytes/],
  },
  {
    limit: `${settable}#fieldName`,
    value: 100,
    request: (size) => script({ headers: { [`X-${times(size - 2, 'a')}`]: '1' } }),
    rejection: [400, /at most 100/],
  },
  {
    limit: `${settable}#fieldName`,
    value: 100,
    request: (size) => script({ chunks: [], trailers: { [`X-${times(size - 2, 'a')}`]: '1' } }),
    rejection: [400, /at most 100 characters/],
  },
  {
    limit: 'areas/http/caching/topic.ts#maxContentBytes',
    value: 65_536,
    request: (size) => ({
      target: 'PUT /s/bounds-of-http/api/http/cache/kept',
      body: times(size, 'x'),
    }),
    rejection: [413, /65536/],
  },
  {
    limit: 'areas/http/cookies/set-cookies.ts#maxSet',
    value: 20,
    request: (size) => ({
      target: `GET /api/http/cookies/set?${listOf(size, (place) => `c${place}=1`, '&')}`,
    }),
    rejection: [400, /1 to 20/],
  },
  {
    limit: 'areas/http/cookies/set-cookies.ts#maxLength',
    value: 8192,
    request: (size) => ({
      target: 'POST /api/http/cookies',
      json: { name: 'a', value: times(size, 'x') },
    }),
    rejection: [400, /8192/],
  },
  {
    limit: 'http/sending/byte-ranges.ts#maxRanges',
    value: 20,
    request: (size) => ({
      target: 'GET /api/http/bytes/1000',
      headers: { Range: `bytes=${listOf(size, (place) => `${place * 3}-${place * 3}`)}` },
    }),
    rejection: [200, /^(?!--)/],
  },
  {
    limit: 'areas/http/codings/decode.ts#maxCodings',
    value: 5,
    request: (size) => ({
      target: 'POST /api/http/decode',
      headers: { 'Content-Encoding': listOf(size, () => 'identity') },
      body: 'x',
    }),
    rejection: [415, /at most 5 are supported/],
  },
  {
    limit: 'areas/http/uploads/parse-metadata.ts#maxLength',
    value: 2000,
    request: (size) => ({
      target: 'POST /s/bounds-of-http/api/http/uploads/tus',
      headers: {
        ...{ 'Tus-Resumable': '1.0.0', 'Upload-Length': '0' },
        'Upload-Metadata': `${times(size - 5, 'k')} AAAA`,
      },
    }),
    rejection: [400, /longer than 2000 characters/],
  },
  {
    limit: 'areas/http/uploads/uploads.ts#maxTotalBytes',
    value: 16 * mebibyte,
    request: (size) => ({
      target: 'POST /s/bounds-of-uploads/api/http/uploads/tus',
      headers: { 'Tus-Resumable': '1.0.0', 'Upload-Length': String(size) },
    }),
    rejection: [413, /exceeds the limit of a sandbox/],
  },
  {
    limit: 'areas/httpbin/redirects.ts#maxCookies',
    value: 50,
    request: (size) => ({
      target: `GET /httpbin/cookies/set?${listOf(size, (place) => `c${place}=1`, '&')}`,
    }),
    rejection: [400, /at most 50 cookies/],
  },
  {
    limit: 'http/body/request-body.ts#maxBodyBytes',
    value: 10 * mebibyte,
    request: (size) => ({ target: 'POST /api/methods/post', body: Buffer.alloc(size, 'x') }),
    rejection: [413, /10485760/],
  },
  {
    limit: 'http/body/request-body.ts#maxParsedBodyBytes',
    value: mebibyte,
    request: (size) => ({ target: stored, headers: jsonHeader, body: padded({}, size) }),
    rejection: [413, /1048576/],
  },
  {
    limit: 'http/json/parse-json.ts#maxJsonDepth',
    value: 500,
    request: (size) => ({
      target: stored,
      headers: jsonHeader,
      body: `${times(size, '[')}${times(size, ']')}`,
    }),
    accepted: 400,
    rejection: [400, /deep|nest/i],
  },
  {
    limit: 'areas/http/respond/topic.ts#maxJsonValues',
    value: 1000,
    request: (size) => ({ target: stored, json: Array(size - 1).fill(1) }),
    accepted: 400,
    rejection: [400, /1000 values|1,000 values/],
  },
  {
    limit: 'http/body/parse-form.ts#maxFields',
    value: 1000,
    request: (size) => ({
      target: 'POST /api/methods/post',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: listOf(size, () => 'a=1', '&'),
    }),
    rejection: [200, /fields/],
  },
  {
    limit: 'http/body/read-parts.ts#maxBoundaryLength',
    value: 70,
    request: (size) => {
      const boundary = times(size, 'b');
      return {
        target: 'POST /api/methods/post',
        headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
        body: `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--${boundary}--\r\n`,
      };
    },
    rejection: [200, /71 characters, more than 70/],
  },
  {
    limit: 'http/json/json-rpc.ts#maxBatch',
    value: 1000,
    request: (size) => ({
      target: 'POST /api/jsonrpc',
      json: Array(size).fill({ jsonrpc: '2.0', method: 'none', id: 1 }),
    }),
    rejection: [200, /1 to 1000 requests; got 1001/],
  },
  {
    limit: 'areas/http/caching/choices.ts#maxSeconds',
    value: 2_147_483_648,
    request: (size) => ({ target: `GET /api/http/cache/seconds?maxAge=${size}` }),
    rejection: [400, /maxAge/],
  },
  {
    limit: 'areas/http/ranges/topic.ts#maxBytes',
    value: 100 * mebibyte,
    request: (size) => ({
      target: `GET /api/http/bytes/${size}`,
      headers: { Range: 'bytes=0-0' },
    }),
    rejection: [400, /104857600/],
  },
  {
    limit: 'areas/http/uploads/parse-upload.ts#maxParts',
    value: 100,
    request: (size) => upload('a.txt', size - 1),
    rejection: [400, /more than 100 parts/],
  },
  {
    limit: 'areas/http/uploads/parse-upload.ts#maxNameLength',
    value: 200,
    request: (size) => upload(times(size, 'n'), 0),
    rejection: [400, /has 201 characters; at most 200/],
  },
  {
    limit: 'http/body/request-body.ts#maxOtherBodyBytes',
    value: 65_536,
    request: (size) => ({
      target: 'POST /api/Books',
      headers: { 'Content-Type': 'application/yaml' },
      body: 'title: a\n'.padEnd(size, '#'),
    }),
    accepted: 400,
    rejection: [413, /65536/],
  },
  {
    limit: 'areas/signatures/schemas.ts#maxBytes',
    value: 65_536,
    request: (size) => ({
      target: 'POST /api/auth/signature/verify',
      headers: { 'Content-Type': 'message/http' },
      body: times(size, 'x'),
    }),
    accepted: 400,
    rejection: [413, /65536/],
  },
  {
    limit: 'areas/pagination/pagination-style.ts#maxPosition',
    value: 2 ** 31 - 1,
    request: (size) => ({ target: `GET /api/pagination/page?page=${size}` }),
    rejection: [400, /page/],
  },
  {
    limit: 'areas/mcp/model/pages.ts#maxPageSize',
    value: 1000,
    request: (size) => ({ target: `POST /mcp?pageSize=${size}`, json: {} }),
    accepted: 400,
    rejection: [400, /pageSize must be an integer from 1 to 1000/],
  },
  {
    limit: 'areas/http/cookies/cookie-warnings.ts#maxPairBytes',
    value: 4096,
    request: (size) => cookie({ value: times(size - 1, 'x') }),
    rejection: [200, /name and value have more than 4096 bytes/],
  },
  {
    limit: 'areas/http/cookies/cookie-warnings.ts#maxAttributeBytes',
    value: 1024,
    request: (size) => cookie({ path: `/api/http/cookies/${times(size - 18, 'x')}` }),
    rejection: [200, /Path: it has more than 1024 bytes/],
  },
  {
    limit: 'areas/http/cookies/cookie-warnings.ts#maxLifeSeconds',
    value: 400 * 86_400,
    request: (size) => cookie({ maxAge: size }),
    rejection: [200, /at most 400 days/],
  },
  {
    limit: 'http/json/json-rpc.ts#maxValues',
    value: 20_000,
    request: (size) => ({
      target: 'POST /api/jsonrpc',
      json: { jsonrpc: '2.0', method: 'none', id: 1, params: Array(size - 5).fill(1) },
    }),
    rejection: [200, /20000/],
  },
  {
    limit: 'areas/mcp/exchange/receive-body.ts#maxValues',
    value: 20_000,
    request: (size) => ({ target: 'POST /mcp', json: Array(size - 1).fill(1) }),
    accepted: 400,
    rejection: [400, /20000|20,000/],
  },
];
