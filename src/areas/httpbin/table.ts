/** The table of httpbin's paths: the methods and the endpoint of each. */

import { METHODS } from 'node:http';
import type { HeldRequests } from '#http/held-requests.js';
import { basicAuth, bearerAuth, hiddenBasicAuth } from './auth.js';
import { dripped, lines, randomBytes, ranges, streamedBytes } from './bytes.js';
import { cacheable, freshFor, tagged } from './caching.js';
import { echoAll, echoHead, echoLate, ofGet } from './echo.js';
import { file, images, negotiatedImage } from './images.js';
import * as redirects from './redirects.js';
import * as small from './small-responses.js';
import { html, type Row } from './spec.js';

const bodyMethods = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT', 'TRACE'];

const described: readonly Row[] = [
  ['GET', '/get', echoHead('Describe a GET request', ...ofGet)],
  ['POST', '/post', echoAll('Describe a POST request')],
  ['PUT', '/put', echoAll('Describe a PUT request')],
  ['PATCH', '/patch', echoAll('Describe a PATCH request')],
  ['DELETE', '/delete', echoAll('Describe a DELETE request')],
  [METHODS, '/anything', echoAll('Describe any request', 'method')],
  [METHODS, '/anything/*', echoAll('Describe any request', 'method')],
  ['GET', '/headers', echoHead("Get the request's headers", 'headers')],
  ['GET', '/ip', echoHead('Get the IP address of the client', 'origin')],
  ['GET', '/user-agent', small.userAgent],
];

const authentication: readonly Row[] = [
  ['GET', '/basic-auth/:user/:passwd', basicAuth],
  ['GET', '/hidden-basic-auth/:user/:passwd', hiddenBasicAuth],
  ['GET', '/bearer', bearerAuth],
];

const headersAndCaching: readonly Row[] = [
  [METHODS, '/status/:codes', small.status],
  [['GET', 'POST'], '/response-headers', small.responseHeaders],
  ['GET', '/cache', cacheable],
  ['GET', '/cache/:seconds', freshFor],
  ['GET', '/etag/:etag', tagged],
];

const redirectsAndCookies: readonly Row[] = [
  ['GET', '/redirect/:n', redirects.times],
  ['GET', '/relative-redirect/:n', redirects.relatively],
  ['GET', '/absolute-redirect/:n', redirects.absolutely],
  [bodyMethods, '/redirect-to', redirects.toUrl],
  ['GET', '/cookies', redirects.showCookies],
  ['GET', '/cookies/set', redirects.setCookies],
  ['GET', '/cookies/set/:name/:value', redirects.setCookieOfPath],
  ['GET', '/cookies/delete', redirects.deleteCookies],
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
  ['GET', '/base64/:value', small.base64],
  ['GET', '/image', negotiatedImage],
  ['GET', '/image/png', images.png],
  ['GET', '/image/jpeg', images.jpeg],
  ['GET', '/image/webp', images.webp],
  ['GET', '/image/svg', images.svg],
];

const bytesAndTime = (held: HeldRequests): readonly Row[] => [
  ['GET', '/bytes/:n', randomBytes],
  ['GET', '/stream-bytes/:n', streamedBytes],
  ['GET', '/range/:n', ranges(held)],
  ['GET', '/stream/:n', lines],
  [bodyMethods, '/delay/:seconds', echoLate(held)],
  ['GET', '/drip', dripped(held)],
  ['GET', '/links/:n', redirects.toFirstLinks],
  ['GET', '/links/:n/:offset', small.links],
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
