/** THE table of httpbin's paths: which methods each supports, how it is described, and its handler. */

import { METHODS } from 'node:http';
import type { EndpointSchema } from '../../kit/app.js';
import { giveCacheable, giveFreshFor, giveTagged } from './caching.js';
import { deleteCookies, setCookieOfPath, setCookies, showCookies } from './cookies.js';
import { digestAuth } from './digest-auth.js';
import { echoAll, echoHead, ofGet } from './echo.js';
import { giveEncoded } from './encodings.js';
import { giveImage, negotiateImage } from './images.js';
import type { Handler, HttpbinRoute } from './lab.js';
import { giveFile, giveFirstLinks, giveLinks, giveSlideshow } from './pages.js';
import { basicAuth, bearerAuth, hiddenBasicAuth } from './plain-auth.js';
import { giveBytes, giveDrip, giveRange, streamBytes } from './random-bytes.js';
import { redirectAbsolutely, redirectRelatively, redirectTimes, redirectTo } from './redirects.js';
import { giveHeaders } from './response-headers.js';
import * as of from './route-schemas.js';
import { giveKept, tellAll, tellHead, tellLate } from './schemas.js';
import { decodeBase64, giveUserAgent, giveUuid } from './small-values.js';
import { giveStatus } from './statuses.js';
import { giveLater, streamLines } from './streams.js';

const bodyMethods = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT', 'TRACE'];
const html = 'text/html; charset=utf-8';
const tellWhole = echoAll(ofGet);
const tellAnything = echoAll([...ofGet, 'method']);
const ofAnything = tellAll('Describe any request', 'method');

const rows: readonly (readonly [string | readonly string[], string, EndpointSchema, Handler])[] = [
  // Requests told back
  ['GET', '/get', tellHead('Describe a GET request', ...ofGet), echoHead(...ofGet)],
  ['POST', '/post', tellAll('Describe a POST request'), tellWhole],
  ['PUT', '/put', tellAll('Describe a PUT request'), tellWhole],
  ['PATCH', '/patch', tellAll('Describe a PATCH request'), tellWhole],
  ['DELETE', '/delete', tellAll('Describe a DELETE request'), tellWhole],
  [METHODS, '/anything', ofAnything, tellAnything],
  [METHODS, '/anything/*', ofAnything, tellAnything],
  ['GET', '/headers', tellHead('Get the header fields', 'headers'), echoHead('headers')],
  ['GET', '/ip', tellHead('Get the address of the client', 'origin'), echoHead('origin')],
  ['GET', '/user-agent', of.userAgent, giveUserAgent],

  // Authentication
  ['GET', '/basic-auth/:user/:passwd', of.basic, basicAuth],
  ['GET', '/hidden-basic-auth/:user/:passwd', of.hiddenBasic, hiddenBasicAuth],
  ['GET', '/bearer', of.bearer, bearerAuth],
  ['GET', '/digest-auth/:qop/:user/:passwd', of.digest, digestAuth],
  ['GET', '/digest-auth/:qop/:user/:passwd/:algorithm', of.digestBy, digestAuth],
  ['GET', '/digest-auth/:qop/:user/:passwd/:algorithm/:staleAfter', of.digestUntil, digestAuth],

  // Statuses, headers, caching
  [METHODS, '/status/:codes', of.status, giveStatus],
  [['GET', 'POST'], '/response-headers', of.responseHeaders, giveHeaders],
  ['GET', '/cache', of.cacheable, giveCacheable],
  ['GET', '/cache/:seconds', of.freshFor, giveFreshFor],
  ['GET', '/etag/:etag', of.tagged, giveTagged],

  // Redirects and cookies
  ['GET', '/redirect/:n', of.redirects, redirectTimes],
  ['GET', '/relative-redirect/:n', of.relativeRedirects, redirectRelatively],
  ['GET', '/absolute-redirect/:n', of.absoluteRedirects, redirectAbsolutely],
  [bodyMethods, '/redirect-to', of.redirectTo, redirectTo],
  ['GET', '/cookies', of.cookies, showCookies],
  ['GET', '/cookies/set', of.cookiesToSet, setCookies],
  ['GET', '/cookies/set/:name/:value', of.cookieToSet, setCookieOfPath],
  ['GET', '/cookies/delete', of.cookiesToDelete, deleteCookies],

  // Formats
  ['GET', '/html', giveKept('Get a page', 'text/html'), giveFile('page.html', html)],
  ['GET', '/json', of.slideshow, giveSlideshow],
  [
    'GET',
    '/xml',
    giveKept('Get XML', 'application/xml'),
    giveFile('slideshow.xml', 'application/xml'),
  ],
  [
    'GET',
    '/robots.txt',
    giveKept('Get the rules for robots', 'text/plain'),
    giveFile('robots.txt', 'text/plain'),
  ],
  [
    'GET',
    '/deny',
    giveKept('Get a page that is denied to robots', 'text/plain'),
    giveFile('deny.txt', 'text/plain'),
  ],
  [
    'GET',
    '/encoding/utf8',
    giveKept('Get text in UTF-8', 'text/html'),
    giveFile('unicode.html', html),
  ],
  ['GET', '/forms/post', giveKept('Get a form', 'text/html'), giveFile('order.html', html)],
  ['GET', '/gzip', of.encodedBy('gzip', 'gzipped'), giveEncoded('gzip', 'gzipped')],
  ['GET', '/deflate', of.encodedBy('deflate', 'deflated'), giveEncoded('deflate', 'deflated')],
  ['GET', '/brotli', of.encodedBy('br', 'brotli'), giveEncoded('br', 'brotli')],
  ['GET', '/base64/:value', of.base64, decodeBase64],
  ['GET', '/image', of.anyImage, negotiateImage],
  ['GET', '/image/png', giveKept('Get a PNG', 'image/png'), giveImage('png')],
  ['GET', '/image/jpeg', giveKept('Get a JPEG', 'image/jpeg'), giveImage('jpeg')],
  ['GET', '/image/webp', giveKept('Get a WebP', 'image/webp'), giveImage('webp')],
  ['GET', '/image/svg', giveKept('Get an SVG', 'image/svg+xml'), giveImage('svg')],

  // Bytes, streams, time
  ['GET', '/bytes/:n', of.bytes, giveBytes],
  ['GET', '/stream-bytes/:n', of.streamedBytes, streamBytes],
  ['GET', '/range/:n', of.range, giveRange],
  ['GET', '/stream/:n', of.lines, streamLines],
  [bodyMethods, '/delay/:seconds', tellLate, giveLater],
  ['GET', '/drip', of.drip, giveDrip],
  ['GET', '/links/:n', of.firstLinks, giveFirstLinks],
  ['GET', '/links/:n/:offset', of.links, giveLinks],
  ['GET', '/uuid', of.uuid, giveUuid],
];

/** These take OPTIONS as a method like any other; preflights get responses everywhere. */
const listed = ['/get', '/post', '/put', '/patch', '/delete'];

/** Parameters that ask for a fault elsewhere are those of httpbin here. */
const takesEverything = new Set(['/drip']);

export const routeTable: readonly HttpbinRoute[] = [
  ...rows.map(([method, path, schema, handler]) => ({
    method,
    path,
    schema,
    handler,
    ...(takesEverything.has(path) && { config: { takesEverything: true as const } }),
  })),
  ...rows
    .filter(([, path]) => listed.includes(path))
    .map(([method, path]) => {
      const methods = ['OPTIONS', method, ...(method === 'GET' ? ['HEAD'] : [])].flat().sort();
      return { method: 'OPTIONS', path, schema: of.allow, handler: giveAllow(methods) };
    }),
];

function giveAllow(methods: readonly string[]): Handler {
  return (_request, reply) => {
    return reply.header('allow', methods.join(', ')).header('content-type', html).send('');
  };
}
