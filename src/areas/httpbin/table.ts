/** THE table of httpbin's paths: the methods that each supports, and its endpoint. */

import { METHODS } from 'node:http';
import type { HeldRequests } from '../../http/held-requests.js';
import type { AnySpec } from '../../kit/endpoint.js';
import { basicAuth, bearerAuth, hiddenBasicAuth } from './auth.js';
import { dripped, lines, randomBytes, ranges, streamedBytes } from './bytes.js';
import { cacheable, freshFor, tagged } from './caching.js';
import { type digestAuth, digestParams } from './digest-auth.js';
import { file, jsonDocument, links } from './documents.js';
import { echoAll, echoHead, echoLate, ofGet } from './echo.js';
import { images, negotiatedImage } from './images.js';
import {
  deleteCookies,
  redirectAbsolutely,
  redirectRelatively,
  redirectTimes,
  redirectTo,
  redirectToFirstLinks,
  setCookieOfPath,
  setCookies,
  showCookies,
} from './redirects.js';
import {
  allow,
  base64,
  encoded,
  responseHeaders,
  status,
  userAgent,
  uuid,
} from './small-responses.js';
import { html } from './spec.js';

export type Row = readonly [methods: string | readonly string[], path: string, spec: AnySpec];

const bodyMethods = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT', 'TRACE'];
const { algorithm, staleAfter } = digestParams;

/** Each path below the mount; letter case does not matter but in parameters. */
export const table = (
  held: HeldRequests,
  digest: Awaited<ReturnType<typeof digestAuth>>,
): readonly Row[] => [
  // Requests described
  ['GET', '/get', echoHead('Describe a GET request', ...ofGet)],
  ['POST', '/post', echoAll('Describe a POST request')],
  ['PUT', '/put', echoAll('Describe a PUT request')],
  ['PATCH', '/patch', echoAll('Describe a PATCH request')],
  ['DELETE', '/delete', echoAll('Describe a DELETE request')],
  [METHODS, '/anything', echoAll('Describe any request', 'method')],
  [METHODS, '/anything/*', echoAll('Describe any request', 'method')],
  ['GET', '/headers', echoHead('Get the header fields', 'headers')],
  ['GET', '/ip', echoHead('Get the address of the client', 'origin')],
  ['GET', '/user-agent', userAgent],

  // Authentication
  ['GET', '/basic-auth/:user/:passwd', basicAuth],
  ['GET', '/hidden-basic-auth/:user/:passwd', hiddenBasicAuth],
  ['GET', '/bearer', bearerAuth],
  [
    'GET',
    '/digest-auth/:qop/:user/:passwd',
    digest('Authenticate by Digest as the user in the path'),
  ],
  [
    'GET',
    '/digest-auth/:qop/:user/:passwd/:algorithm',
    digest('Authenticate by Digest with the algorithm in the path', { algorithm }),
  ],
  [
    'GET',
    '/digest-auth/:qop/:user/:passwd/:algorithm/:staleAfter',
    digest('Authenticate by Digest with nonces that go stale', { algorithm, staleAfter }),
  ],

  // Statuses, headers, caching
  [METHODS, '/status/:codes', status],
  [['GET', 'POST'], '/response-headers', responseHeaders],
  ['GET', '/cache', cacheable],
  ['GET', '/cache/:seconds', freshFor],
  ['GET', '/etag/:etag', tagged],

  // Redirects and cookies
  ['GET', '/redirect/:n', redirectTimes],
  ['GET', '/relative-redirect/:n', redirectRelatively],
  ['GET', '/absolute-redirect/:n', redirectAbsolutely],
  [bodyMethods, '/redirect-to', redirectTo],
  ['GET', '/cookies', showCookies],
  ['GET', '/cookies/set', setCookies],
  ['GET', '/cookies/set/:name/:value', setCookieOfPath],
  ['GET', '/cookies/delete', deleteCookies],

  // Formats
  ['GET', '/html', file('Get a page', html, 'page.html')],
  ['GET', '/json', jsonDocument],
  ['GET', '/xml', file('Get XML', 'application/xml', 'slideshow.xml')],
  ['GET', '/robots.txt', file('Get the rules for robots', 'text/plain', 'robots.txt')],
  ['GET', '/deny', file('Get a page that is denied to robots', 'text/plain', 'deny.txt')],
  ['GET', '/encoding/utf8', file('Get text in UTF-8', html, 'unicode.html')],
  ['GET', '/forms/post', file('Get a form', html, 'order.html')],
  ['GET', '/gzip', encoded('gzip', 'gzipped')],
  ['GET', '/deflate', encoded('deflate', 'deflated')],
  ['GET', '/brotli', encoded('br', 'brotli')],
  ['GET', '/base64/:value', base64],
  ['GET', '/image', negotiatedImage],
  ['GET', '/image/png', images.png],
  ['GET', '/image/jpeg', images.jpeg],
  ['GET', '/image/webp', images.webp],
  ['GET', '/image/svg', images.svg],

  // Bytes, streams, time
  ['GET', '/bytes/:n', randomBytes],
  ['GET', '/stream-bytes/:n', streamedBytes],
  ['GET', '/range/:n', ranges(held)],
  ['GET', '/stream/:n', lines],
  [bodyMethods, '/delay/:seconds', echoLate(held)],
  ['GET', '/drip', dripped(held)],
  ['GET', '/links/:n', redirectToFirstLinks],
  ['GET', '/links/:n/:offset', links],
  ['GET', '/uuid', uuid],

  // These take OPTIONS as a method like any other; preflights get responses everywhere.
  ['OPTIONS', '/get', allow(['GET', 'HEAD', 'OPTIONS'])],
  ['OPTIONS', '/post', allow(['OPTIONS', 'POST'])],
  ['OPTIONS', '/put', allow(['OPTIONS', 'PUT'])],
  ['OPTIONS', '/patch', allow(['OPTIONS', 'PATCH'])],
  ['OPTIONS', '/delete', allow(['DELETE', 'OPTIONS'])],
];
