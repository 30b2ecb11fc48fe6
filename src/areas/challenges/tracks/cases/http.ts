/** Lawful ways and near misses of the track http. */

import type { Cases } from '../../challenge.js';

export const httpCases: Readonly<Record<string, Cases>> = {
  'http-head': {
    accepts: [
      'HEAD /api/Books/1',
      'HEAD /api/books/1 | Accept: application/json',
      'GET /api/Books/1 && HEAD /api/Books/1?fields=id',
    ],
    rejects: [
      ['also has the body', 'GET /api/Books/1'],
      ['another book', 'HEAD /api/Books/2'],
      ['status 200', 'HEAD /api/Books/1 | If-None-Match: *'],
    ],
  },
  'http-not-modified': {
    accepts: [
      'GET /api/Books/1 && GET /api/Books/1 | If-None-Match: {1.etag}',
      'GET /api/Books/1 && HEAD /api/Books/1 | If-None-Match: "old", {1.etag}',
      'HEAD /api/Books/1 && GET /api/Books/1 | If-None-Match: W/{1.etag}',
      'GET /api/Books/1 && GET /api/Books/1 | If-Modified-Since: {1.last-modified}',
    ],
    rejects: [
      ['without a validator', 'GET /api/Books/1 && GET /api/Books/1'],
      ['not one of the response', 'GET /api/Books/1 && GET /api/Books/1 | If-None-Match: "old"'],
      ['not one of the response', 'GET /api/Books/1 && GET /api/Books/1 | If-None-Match: *'],
      [
        'another book',
        'GET /api/Books/1 && GET /api/Books/2 && GET /api/Books/2 | If-None-Match: {2.etag}',
      ],
    ],
  },
  'http-modified-since': {
    accepts: [
      'GET /api/Books/2 && GET /api/Books/2 | If-Modified-Since: {1.last-modified}',
      'HEAD /api/Books/2 && HEAD /api/Books/2 | If-Modified-Since: {1.last-modified}',
      'GET /api/Books/2 | If-Modified-Since: Sat Jan  1 00:00:00 2028',
    ],
    rejects: [
      ['without a date', 'GET /api/Books/2'],
      ['modified after', 'GET /api/Books/2 | If-Modified-Since: Thu, 01 Jan 2015 00:00:00 GMT'],
      ['no HTTP date', 'GET /api/Books/2 | If-Modified-Since: 2026-01-01T00:00:00Z'],
      [
        'entity tag',
        'GET /api/Books/2 && GET /api/Books/2 | If-None-Match: {1.etag} | If-Modified-Since: {1.last-modified}',
      ],
      [
        'another book',
        'GET /api/Books/3 && GET /api/Books/3 | If-Modified-Since: {1.last-modified}',
      ],
    ],
  },
  'http-accept': {
    accepts: [
      'GET /api/http/formats | Accept: application/xml',
      'GET /api/http/formats | Accept: TEXT/XML;q=0.9, application/json;q=0.1',
      'HEAD /api/http/formats | Accept: application/json;q=0, application/xml',
    ],
    rejects: [
      ['by the path', 'GET /api/http/formats/xml'],
      ['does not accept XML', 'GET /api/http/formats | Accept: application/json'],
      ['does not accept XML', 'GET /api/http/formats | Accept: application/xml;q=0, */*;q=0.1'],
      ['is not XML', 'GET /api/http/formats | Accept: application/xml;q=0.5, application/json'],
    ],
  },
  'http-quality': {
    accepts: [
      'GET /api/http/formats | Accept: application/yaml, application/json;q=0.5',
      'GET /api/http/formats | Accept: application/json;q=0.2, text/yaml;q=0.9',
      'GET /api/http/formats | Accept: application/yaml, */*;q=0.1',
    ],
    rejects: [
      ['rejects it', 'GET /api/http/formats | Accept: application/yaml, application/json;q=0'],
      ['does not accept JSON', 'GET /api/http/formats | Accept: application/yaml'],
      ['no lower weight', 'GET /api/http/formats | Accept: application/yaml, application/json'],
      [
        'is not YAML',
        'GET /api/http/formats | Accept: application/xml, application/yaml;q=0.9, application/json;q=0.5',
      ],
    ],
  },
  'http-options': {
    accepts: [
      'OPTIONS /api/Books/1',
      'OPTIONS /api/books/1 | Accept: */*',
      'GET /api/Books/1 && OPTIONS /api/Books/1?fields=id',
    ],
    rejects: [
      ['tried a method', 'GET /api/Books/1'],
      ['tried a method', 'HEAD /api/Books/1'],
      ['another book', 'OPTIONS /api/Books/2'],
    ],
  },
  'http-allow': {
    accepts: [
      'GET /api/methods/put && PUT /api/methods/put | {}',
      'DELETE /api/methods/put && PUT /api/methods/put | {"a":1}',
      'GET /api/methods/put && POST /api/methods/put | {} && PUT /api/methods/put | {}',
    ],
    rejects: [
      ['no 405', 'PUT /api/methods/put | {}'],
      ['does not have this method', 'GET /api/methods/put && POST /api/methods/put | {}'],
      ['does not have this method', 'GET /api/methods/put && GET /api/methods/put'],
    ],
  },
  'http-range': {
    accepts: [
      'GET /api/http/bytes/1000 | Range: bytes=0-99',
      'GET /api/http/bytes/1000 | Range: BYTES=0-99',
      'GET /api/http/bytes/1000?seed=a | Range: bytes= 0-99',
      'GET /api/http/bytes/1000 | Range: bytes=50-99,0-49',
    ],
    rejects: [
      ['all bytes', 'GET /api/http/bytes/1000'],
      ['another number', 'GET /api/http/bytes/1000 | Range: bytes=0-100'],
      ['not from the first byte', 'GET /api/http/bytes/1000 | Range: bytes=1-100'],
      ['with gaps', 'GET /api/http/bytes/1000 | Range: bytes=0-49,51-99'],
      ['another number', 'GET /api/http/bytes/1000 | Range: bytes=0-49,50-100'],
      ['was ignored', 'GET /api/http/bytes/1000 | Range: 0-99'],
      ['other bytes', 'GET /api/http/bytes/2000 | Range: bytes=0-99'],
    ],
  },
  'http-resume': {
    accepts: [
      'GET /api/http/bytes/5000 | Range: bytes=0-999 && GET /api/http/bytes/5000 | Range: bytes=1000- | If-Range: {1.etag}',
      'GET /api/http/bytes/5000 | Range: bytes=0-999 && GET /api/http/bytes/5000 | Range: bytes=1000-4999 | If-Range: {1.etag}',
      'GET /api/http/bytes/5000 | Range: bytes=0-9 && GET /api/http/bytes/5000 | Range: bytes=10-99 | If-Range: {1.etag} && GET /api/http/bytes/5000 | Range: bytes=-4900 | If-Range: {1.etag}',
      'GET /api/http/bytes/5000 | Range: bytes=0-999 && GET /api/http/bytes/5000 | Range: bytes=1000- | If-Match: {1.etag}',
    ],
    rejects: [
      [
        'Nothing in this request',
        'GET /api/http/bytes/5000 | Range: bytes=0-999 && GET /api/http/bytes/5000 | Range: bytes=1000-',
      ],
      [
        'first missing byte',
        'GET /api/http/bytes/5000 | Range: bytes=0-999 && GET /api/http/bytes/5000 | Range: bytes=999- | If-Range: {1.etag}',
      ],
      [
        'Nothing in this request',
        'GET /api/http/bytes/5000 | Range: bytes=0-999 && GET /api/http/bytes/5000 | Range: bytes=1000- | If-Range: W/{1.etag}',
      ],
      [
        '1 of 2 parts',
        'GET /api/http/bytes/5000 | Range: bytes=0-999 && GET /api/http/bytes/5000 | Range: bytes=1000-1999 | If-Range: {1.etag}',
      ],
      ['already the whole', 'GET /api/http/bytes/5000 | Range: bytes=0-'],
    ],
  },
  'http-compressed': {
    accepts: [
      'GET /api/http/encoding | Accept-Encoding: gzip',
      'HEAD /api/http/encoding | Accept-Encoding: GZIP, br;q=0.5',
      'GET /api/http/encoding | Accept-Encoding: br;q=0, zstd;q=0, gzip;q=0.2, deflate;q=0.1',
    ],
    rejects: [
      ['by the path', 'GET /api/http/encoding/gzip'],
      ['does not accept gzip', 'GET /api/http/encoding'],
      ['does not accept gzip', 'GET /api/http/encoding | Accept-Encoding: gzip;q=0, br'],
      ['another coding', 'GET /api/http/encoding | Accept-Encoding: gzip;q=0.5, br'],
    ],
  },
  'http-send-compressed': {
    accepts: [
      'POST /api/http/decode | Content-Encoding: gzip | Content-Type: application/json | gzip {"name":"Ada"}',
      'POST /api/http/decode | Content-Encoding: GZip | Content-Type: application/json; charset=utf-8 | gzip [1]',
      'POST /api/http/decode | Content-Encoding: x-gzip | Content-Type: APPLICATION/JSON | gzip 7',
    ],
    rejects: [
      ['does not say that its body is coded', 'POST /api/http/decode | {"name":"Ada"}'],
      ['is not gzip, although', 'POST /api/http/decode | Content-Encoding: gzip | {}'],
      [
        'does not say that JSON',
        'POST /api/http/decode | Content-Encoding: gzip | Content-Type: text/plain | gzip {}',
      ],
      [
        'is not JSON',
        'POST /api/http/decode | Content-Encoding: gzip | Content-Type: application/json | gzip not json',
      ],
      [
        'is not JSON',
        'POST /api/http/decode | Content-Encoding: gzip | Content-Type: application/json | gzip ',
      ],
      ['is not gzip, and only', 'POST /api/http/decode | Content-Encoding: identity | {}'],
    ],
  },
  'http-redirects': {
    accepts: [
      'GET /api/http/redirect/3 && GET {1.path} && GET {2.path} && GET {3.path}',
      'HEAD /api/http/redirect/3 && HEAD {1.path} && HEAD {2.path} && GET {3.path}',
      'GET /api/http/redirect/3?status=301,307,308&form=absolute && GET {1.path} && GET {2.path} && GET {3.path}',
    ],
    rejects: [
      ['begins at 3', 'GET /api/http/redirect/1'],
      ['not the Location', 'GET /api/http/redirect/3 && GET /api/http/redirect/end'],
      [
        'not the Location',
        'GET /api/http/redirect/3 && GET /api/http/redirect/2 && GET /api/http/redirect/1 && GET /api/http/redirect/end',
      ],
      ['1 of 2 parts', 'GET /api/http/redirect/3 && GET {1.path} && GET {2.path}'],
    ],
  },
  'http-keep-method': {
    accepts: [
      'POST /api/http/redirect/1?status=308 | {"a":1} && POST {1.path} | {"a":1}',
      'POST /api/http/redirect/1?status=308 | form a=1 && POST {1.path} | form a=1',
      'POST /api/http/redirect/1?status=308&form=absolute | text x && POST {1.path} | text x',
    ],
    rejects: [
      ['another method', 'POST /api/http/redirect/1?status=308 | {} && GET {1.path}'],
      ['another body', 'POST /api/http/redirect/1?status=308 | {} && POST {1.path} | {"a":1}'],
      ['without the body', 'POST /api/http/redirect/1?status=308 | {} && POST {1.path}'],
      ['status 308', 'POST /api/http/redirect/1?status=307 | {} && POST {1.path} | {}'],
      ['no body', 'POST /api/http/redirect/1?status=308 && POST {1.path}'],
    ],
  },
  'http-cookie': {
    accepts: [
      'GET /api/http/cookies/set?flavour=oat && GET /api/http/cookies | Cookie: {1.cookie}',
      'GET /api/http/cookies/set?flavour=oat && GET /api/http/cookies | Cookie: a=b; flavour=oat',
      'HEAD /api/http/cookies/set?flavour=oat&size=big && HEAD /api/http/cookies | Cookie: flavour=oat; size=big',
    ],
    rejects: [
      ['no cookie', 'GET /api/http/cookies/set?flavour=oat && GET /api/http/cookies'],
      [
        'has attributes',
        'GET /api/http/cookies/set?flavour=oat && GET /api/http/cookies | Cookie: flavour=oat; Path=/',
      ],
      [
        'the flavour oat',
        'GET /api/http/cookies/set?flavour=oat && GET /api/http/cookies | Cookie: xflavour=oat',
      ],
      [
        'the flavour oat',
        'GET /api/http/cookies/set?flavour=oat && GET /api/http/cookies | Cookie: flavour=rye; flavour=oat',
      ],
      ['to oat', 'GET /api/http/cookies/set?flavour=rye'],
    ],
  },
  'http-connection': {
    accepts: [
      'GET /api/http/connection | Connection: keep-alive && GET /api/http/connection | Connection: keep-alive',
      'GET /api/http/connection | Connection: keep-alive && GET /api/Books/1 | Connection: keep-alive && GET /api/http/connection | Connection: keep-alive',
      'GET /api/http/connection | Connection: close && GET /api/http/connection | Connection: keep-alive && GET /api/http/connection?again | Connection: keep-alive',
    ],
    rejects: [
      [
        'another connection',
        'GET /api/http/connection | Connection: close && GET /api/http/connection | Connection: close',
      ],
      [
        'another connection',
        'GET /api/http/connection | Connection: close && GET /api/Books/1 | Connection: keep-alive && GET /api/http/connection | Connection: close',
      ],
      ['1 of 2 parts', 'GET /api/http/connection'],
    ],
  },
  'http-problem': {
    accepts: [
      'GET /api/Books/99999 | Accept: application/problem+json',
      'HEAD /api/Books/99999 | Accept: application/problem+json;q=0.9, application/json;q=0.5',
      'GET /api/books/99999 | Accept: APPLICATION/PROBLEM+JSON',
    ],
    rejects: [
      ['not of the type', 'GET /api/Books/99999'],
      [
        'not of the type',
        'GET /api/Books/99999 | Accept: application/json, application/problem+json;q=0.1',
      ],
      ['another book', 'GET /api/Books/99998 | Accept: application/problem+json'],
      ['another book', 'GET /api/Books/1 | Accept: application/problem+json'],
    ],
  },
};
