/** The table of httpbin's paths: the methods and the endpoint of each. */

import { METHODS } from 'node:http';
import type { HeldRequests } from '#http/held-requests.js';
import type { ExampleRequest, Examples } from '#kit/example.js';
import { basicAuth, bearerAuth, hiddenBasicAuth } from './auth.js';
import { dripped, lines, randomBytes, ranges, streamedBytes } from './bodies/bytes.js';
import { file, images, negotiatedImage } from './bodies/images.js';
import { cacheable, freshFor, tagged } from './caching.js';
import { echoAll, echoHead, echoLate, ofGet } from './echo.js';
import * as redirects from './redirects.js';
import * as small from './small-responses.js';
import { html, type Row } from './spec.js';

const query = { city: 'Zürich' };
/** OPTIONS lists every method that Node supports. */
const aQuery: ExampleRequest = { query, unkeptHeaders: ['allow'] };
const bodies: Examples = {
  'A JSON body': { json: { name: 'Ada' } },
  'A form': { type: 'application/x-www-form-urlencoded', body: 'name=Ada&tag=a&tag=b' },
  'Bytes that are not text': {
    type: 'application/octet-stream',
    body: Uint8Array.of(0xff, 0),
    isNoExample: true,
  },
};
const right = {
  path: { user: 'ada', passwd: 'secret' },
  headers: { Authorization: `Basic ${Buffer.from('ada:secret').toString('base64')}` },
};
const twoHops: Examples = { 'Two hops': { path: { n: 2 } } };
const bytes: Examples = {
  None: { path: { n: 0 } },
  'With a seed': { path: { n: 10 }, query: { seed: '0' }, isNoExample: true },
};

const bodyMethods = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT', 'TRACE'];

const described: readonly Row[] = [
  ['GET', '/get', echoHead('Describe a GET request', ...ofGet), { 'A query': { query } }],
  ['POST', '/post', echoAll('Describe a POST request'), bodies],
  ['PUT', '/put', echoAll('Describe a PUT request'), bodies],
  ['PATCH', '/patch', echoAll('Describe a PATCH request'), bodies],
  ['DELETE', '/delete', echoAll('Describe a DELETE request'), bodies],
  [METHODS, '/anything', echoAll('Describe any request', 'method'), { 'A query': aQuery }],
  [
    METHODS,
    '/anything/*',
    echoAll('Describe any request', 'method'),
    { 'A path': { path: { subPath: 'here' }, ...aQuery } },
  ],
  ['GET', '/headers', echoHead("Get the request's headers", 'headers')],
  ['GET', '/ip', echoHead('Get the IP address of the client', 'origin')],
  ['GET', '/user-agent', small.userAgent],
];

const authentication: readonly Row[] = [
  ['GET', '/basic-auth/:user/:passwd', basicAuth, { 'The right password': right }],
  [
    'GET',
    '/hidden-basic-auth/:user/:passwd',
    hiddenBasicAuth,
    { 'The right password': right, 'Without credentials': { path: right.path } },
  ],
  [
    'GET',
    '/bearer',
    bearerAuth,
    { 'Any token': { headers: { Authorization: 'Bearer any-token' } } },
  ],
];

const headersAndCaching: readonly Row[] = [
  [
    METHODS,
    '/status/:codes',
    small.status,
    {
      'A teapot': { path: { codes: '418' } },
      'A success': { path: { codes: '202' } },
      'No status': { path: { codes: 'x' } },
    },
  ],
  [
    ['GET', 'POST'],
    '/response-headers',
    small.responseHeaders,
    {
      'A header': { query: { 'X-Animal': 'dog' } },
      'A forbidden header': { query: { Server: 'x' } },
    },
  ],
  ['GET', '/cache', cacheable],
  ['GET', '/cache/:seconds', freshFor, { 'For a minute': { path: { seconds: 60 } } }],
  ['GET', '/etag/:etag', tagged, { 'The first time': { path: { etag: 'abc' } } }],
];

const redirectsAndCookies: readonly Row[] = [
  ['GET', '/redirect/:n', redirects.times, twoHops],
  ['GET', '/relative-redirect/:n', redirects.relatively, twoHops],
  ['GET', '/absolute-redirect/:n', redirects.absolutely, twoHops],
  [
    bodyMethods,
    '/redirect-to',
    redirects.toUrl,
    {
      'A path': { query: { url: '/httpbin/get' } },
      'Another host': { query: { url: 'http://example.org/' } },
    },
  ],
  ['GET', '/cookies', redirects.showCookies, { One: { headers: { Cookie: 'theme=dark' } } }],
  [
    'GET',
    '/cookies/set',
    redirects.setCookies,
    { One: { query: { theme: 'dark' } }, 'No name': { query: { 'a b': 'c' } } },
  ],
  [
    'GET',
    '/cookies/set/:name/:value',
    redirects.setCookieOfPath,
    {
      One: { path: { name: 'theme', value: 'dark' } },
      'No name': { path: { name: 'a b', value: 'c' } },
    },
  ],
  [
    'GET',
    '/cookies/delete',
    redirects.deleteCookies,
    { One: { query: { theme: '' } }, 'No name': { query: { 'a b': '' } } },
  ],
];

const formats: readonly Row[] = [
  ['GET', '/html', file('Get a page', html, 'page.html')],
  ['GET', '/json', small.jsonDocument],
  ['GET', '/xml', file('Get XML', 'application/xml', 'slideshow.xml')],
  ['GET', '/robots.txt', file('Get robots.txt', 'text/plain', 'robots.txt')],
  ['GET', '/deny', file('Get a page that robots.txt disallows', 'text/plain', 'deny.txt')],
  ['GET', '/encoding/utf8', file('Get text in UTF-8', html, 'unicode.html')],
  ['GET', '/forms/post', file('Get a form', html, 'order.html')],
  ['GET', '/gzip', small.encoded('gzip', 'gzipped')],
  ['GET', '/deflate', small.encoded('deflate', 'deflated')],
  ['GET', '/brotli', small.encoded('br', 'brotli')],
  [
    'GET',
    '/base64/:value',
    small.base64,
    { 'A text': { path: { value: 'SGVsbG8' } }, 'Invalid base64': { path: { value: '!' } } },
  ],
  ['GET', '/image', negotiatedImage],
  ['GET', '/image/png', images.png],
  ['GET', '/image/jpeg', images.jpeg],
  ['GET', '/image/webp', images.webp],
  ['GET', '/image/svg', images.svg],
];

const bytesAndTime = (held: HeldRequests): readonly Row[] => [
  ['GET', '/bytes/:n', randomBytes, bytes],
  ['GET', '/stream-bytes/:n', streamedBytes, bytes],
  [
    'GET',
    '/range/:n',
    ranges(held),
    {
      'All of it': { path: { n: 26 } },
      'The end': { path: { n: 26 }, headers: { Range: 'bytes=-5' } },
      None: { path: { n: 0 } },
    },
  ],
  ['GET', '/stream/:n', lines, { 'One line': { path: { n: 1 } } }],
  [bodyMethods, '/delay/:seconds', echoLate(held), { 'No delay': { path: { seconds: 0 } } }],
  [
    'GET',
    '/drip',
    dripped(held),
    {
      'No delay': { query: { duration: 0, numbytes: 5 } },
      'No bytes': { query: { numbytes: 0 } },
    },
  ],
  ['GET', '/links/:n', redirects.toFirstLinks, { Three: { path: { n: 3 } } }],
  ['GET', '/links/:n/:offset', small.links, { 'The second': { path: { n: 3, offset: 1 } } }],
  ['GET', '/uuid', small.uuid],
];

/** OPTIONS is an ordinary method here; preflights get responses everywhere. */
const options: readonly Row[] = [
  ['OPTIONS', '/get', small.allow(['GET', 'HEAD', 'OPTIONS'])],
  ['OPTIONS', '/post', small.allow(['OPTIONS', 'POST'])],
  ['OPTIONS', '/put', small.allow(['OPTIONS', 'PUT'])],
  ['OPTIONS', '/patch', small.allow(['OPTIONS', 'PATCH'])],
  ['OPTIONS', '/delete', small.allow(['DELETE', 'OPTIONS'])],
];

/** All paths below the mount. They ignore letter case, except in parameters. */
export const table = (held: HeldRequests, digest: readonly Row[]): readonly Row[] => [
  ...described,
  ...authentication,
  ...digest,
  ...headersAndCaching,
  ...redirectsAndCookies,
  ...formats,
  ...bytesAndTime(held),
  ...options,
];
