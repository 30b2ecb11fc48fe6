/** Solutions of the track http. */

import { gzipSync } from 'node:zlib';
import { headers, pathOf, type Solutions } from './solution.js';

const book = 'GET /api/Books/1';
const formats = 'GET /api/http/formats';
const json = { name: 'Ada' };
const packed = gzipSync(JSON.stringify(json));

export const httpSolutions: Solutions = {
  'http-head': {
    solve: (call) => call('HEAD /api/Books/1'),
    misses: [[/transfers the body/, (call) => call(book)]],
  },
  'http-not-modified': {
    async solve(call) {
      const { headers: received } = await call(book);
      await call(book, headers({ 'If-None-Match': received.etag ?? '' }));
    },
    misses: [
      [/without If-None-Match/, async (call) => [await call(book), await call(book)]],
      [
        /another tag/,
        async (call) => [await call(book), await call(book, headers({ 'If-None-Match': '"old"' }))],
      ],
      [
        /every version/,
        async (call) => [await call(book), await call(book, headers({ 'If-None-Match': '*' }))],
      ],
    ],
  },
  'http-modified-since': {
    async solve(call) {
      const { headers: received } = await call('GET /api/Books/2');
      await call(
        'GET /api/Books/2',
        headers({ 'If-Modified-Since': received['last-modified'] ?? '' }),
      );
    },
    misses: [
      [/without If-Modified-Since/, (call) => call(book)],
      [
        /before the last modification/,
        (call) => call(book, headers({ 'If-Modified-Since': 'Thu, 01 Jan 2015 00:00:00 GMT' })),
      ],
      [/HTTP date/, (call) => call(book, headers({ 'If-Modified-Since': '2026-01-01T00:00:00Z' }))],
    ],
  },
  'http-accept': {
    solve: (call) => call(formats, headers({ Accept: 'application/xml' })),
    misses: [
      [/by path/, (call) => call(`${formats}/xml`)],
      [/not request XML/, (call) => call(formats, headers({ Accept: 'application/json' }))],
    ],
  },
  'http-quality': {
    solve: (call) => call(formats, headers({ Accept: 'application/yaml, application/json;q=0.5' })),
    misses: [
      [/only YAML/, (call) => call(formats, headers({ Accept: 'application/yaml' }))],
      [
        /no lower weight/,
        (call) => call(formats, headers({ Accept: 'application/yaml, application/json' })),
      ],
    ],
  },
  'http-options': {
    solve: (call) => call('OPTIONS /api/Books/1'),
    misses: [[/OPTIONS lists them/, (call) => call(book)]],
  },
  'http-allow': {
    async solve(call) {
      await call('GET /api/methods/put');
      await call('PUT /api/methods/put', { json });
    },
    misses: [
      [/First get 405/, (call) => call('PUT /api/methods/put', { json })],
      [
        /Read Allow/,
        async (call) => [
          await call('GET /api/methods/put'),
          await call('POST /api/methods/put', { json }),
        ],
      ],
    ],
  },
  'http-range': {
    solve: (call) => call('GET /api/http/bytes/1000', headers({ Range: 'bytes=0-99' })),
    misses: [
      [/all bytes/, (call) => call('GET /api/http/bytes/1000')],
      [
        /a hundred bytes/,
        (call) => call('GET /api/http/bytes/1000', headers({ Range: 'bytes=0-100' })),
      ],
      [
        /the number 0/,
        (call) => call('GET /api/http/bytes/1000', headers({ Range: 'bytes=1-100' })),
      ],
      [/unit bytes/, (call) => call('GET /api/http/bytes/1000', headers({ Range: '0-99' }))],
    ],
  },
  'http-resume': {
    async solve(call) {
      const first = await call('GET /api/http/bytes/5000', headers({ Range: 'bytes=0-999' }));
      const rest = { Range: 'bytes=1000-', 'If-Range': first.headers.etag ?? '' };
      await call('GET /api/http/bytes/5000', headers(rest));
    },
    misses: [
      [
        /without If-Range/,
        async (call) => [
          await call('GET /api/http/bytes/5000', headers({ Range: 'bytes=0-999' })),
          await call('GET /api/http/bytes/5000', headers({ Range: 'bytes=1000-' })),
        ],
      ],
      [
        /first missing byte/,
        async (call) => [
          await call('GET /api/http/bytes/5000', headers({ Range: 'bytes=0-999' })),
          await call('GET /api/http/bytes/5000', headers({ Range: 'bytes=999-' })),
        ],
      ],
    ],
  },
  'http-compressed': {
    solve: (call) => call('GET /api/http/encoding', headers({ 'Accept-Encoding': 'gzip' })),
    misses: [
      [/by path/, (call) => call('GET /api/http/encoding/gzip')],
      [/not name gzip/, (call) => call('GET /api/http/encoding')],
    ],
  },
  'http-send-compressed': {
    solve: (call) =>
      call('POST /api/http/decode', {
        headers: { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' },
        body: packed,
      }),
    misses: [
      [/without Content-Encoding/, (call) => call('POST /api/http/decode', { json })],
      [
        /not gzip, although/,
        (call) =>
          call('POST /api/http/decode', { json, ...headers({ 'Content-Encoding': 'gzip' }) }),
      ],
    ],
  },
  'http-redirects': {
    async solve(call) {
      let response = await call('GET /api/http/redirect/3');
      while (response.status >= 300) response = await call(`GET ${pathOf(response)}`);
    },
    misses: [
      [/Begin at/, (call) => call('GET /api/http/redirect/1')],
      [
        /skipped a redirect/,
        async (call) => [
          await call('GET /api/http/redirect/3'),
          await call('GET /api/http/redirect/end'),
        ],
      ],
    ],
  },
  'http-keep-method': {
    async solve(call) {
      const response = await call('POST /api/http/redirect/1?status=308', { json });
      await call(`POST ${pathOf(response)}`, { json });
    },
    misses: [
      [
        /another method/,
        async (call) => {
          const response = await call('POST /api/http/redirect/1?status=308', { json });
          await call(`GET ${pathOf(response)}`);
        },
      ],
      [/Request the status/, (call) => call('POST /api/http/redirect/1', { json })],
    ],
  },
  'http-cookie': {
    async solve(call) {
      await call('GET /api/http/cookies/set?flavour=oat');
      await call('GET /api/http/cookies', headers({ Cookie: 'flavour=oat' }));
    },
    misses: [
      [
        /no cookie/,
        async (call) => [
          await call('GET /api/http/cookies/set?flavour=oat'),
          await call('GET /api/http/cookies'),
        ],
      ],
      [
        /without attributes/,
        async (call) => [
          await call('GET /api/http/cookies/set?flavour=oat'),
          await call('GET /api/http/cookies', headers({ Cookie: 'flavour=oat; Path=/' })),
        ],
      ],
    ],
  },
  'http-connection': {
    async solve(call) {
      await call('GET /api/http/connection', headers({ Connection: 'keep-alive' }));
      await call('GET /api/http/connection', headers({ Connection: 'keep-alive' }));
    },
    misses: [
      [
        /new connection/,
        async (call) => [
          await call('GET /api/http/connection', headers({ Connection: 'close' })),
          await call('GET /api/http/connection', headers({ Connection: 'close' })),
        ],
      ],
    ],
  },
  'http-problem': {
    solve: (call) => call('GET /api/Books/99999', headers({ Accept: 'application/problem+json' })),
    misses: [
      [/without Accept/, (call) => call('GET /api/Books/99999')],
      [/This book exists/, (call) => call(book, headers({ Accept: 'application/problem+json' }))],
    ],
  },
};
