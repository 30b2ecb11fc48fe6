/** httpbin's paths and JSON, on top of the HTTP lab's behaviour. */

import { valuesIn } from '#config/setting.js';
import type { Request } from '#http/exchange.js';
import { writeHeadIn } from '#http/headers/head-form.js';
import type { Area } from '#kit/area.js';
import { credentialHeaders } from '#kit/cors-credentials.js';
import type { HeaderValues } from '#kit/offers/entries.js';
import { fixedHeadersToken, ownHostToken, ownPortToken } from '#kit/offers/entries.js';
import { presetToken } from '#kit/offers/front-page.js';
import { pythonHead } from './headers.js';
import { httpbinSettings } from './settings.js';
import { mount } from './spec.js';

const followed = 'Tools follow the redirect, so they show another response.';
const hops = ['Redirect', 'RelativeRedirect', 'AbsoluteRedirect', 'Links'];
const methods = ['get', 'put', 'post', 'delete', 'patch', 'trace'];
const redirecting = [
  ...hops.map((path) => `getHttpbin${path}ByN`),
  ...methods.map((method) => `${method}HttpbinRedirectTo`),
  ...['getHttpbinCookiesSet', 'getHttpbinCookiesSetByNameByValue', 'getHttpbinCookiesDelete'],
];

/** Responses that show no headers of the request, or only one header that their path names. */
const isPublic =
  /^\/httpbin\/(?:status|bytes|stream-bytes|range|drip|html|json|xml|robots\.txt|deny|encoding|forms|base64|image|uuid|links|etag|response-headers|(?:absolute-|relative-)?redirect(?:-to)?|(?:hidden-)?basic-auth|digest-auth)(?:[/?]|$)/i;

export const httpbinArea = {
  name: 'httpbin',
  title: 'httpbin',
  guide: 'httpbin',
  defaults: {
    queryFaults: 'lenient',
    before({ method }, reply) {
      if (method !== 'CONNECT') writeHeadIn(reply, pythonHead);
    },
  },
  settings: httpbinSettings,
  offers: [
    fixedHeadersToken.of(() => ({ below: mount, values: corsHeaders })),
    presetToken.of(() => ({ title: 'httpbin', method: 'GET', path: `${mount}/get?a=1` })),
    ownHostToken.of(() => ({ prefix: mount, host: 'httpbin.localhost' })),
    ownPortToken.of(({ runtime: { config } }) => [
      { name: 'httpbin', prefix: mount, port: valuesIn(config, httpbinSettings).httpbinPort },
    ]),
  ],
  front: {
    group: 'http',
    start: `${mount}/get`,
    purposes: [
      {
        purpose: 'tutorial',
        title: 'httpbin',
        says: "httpbin's paths, with its JSON: what a request contained, statuses, redirects and cookies.",
        base: mount,
        isNamed: true,
        line: `curl -s {base}${mount}/get`,
        links: [['Guide', '/guides/httpbin']],
      },
    ],
    examples: () => [
      {
        title: 'Send a form, and see it as httpbin shows it',
        method: 'POST',
        path: `${mount}/post`,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'name=Ada&tag=a&tag=b',
        response: { status: 200, has: '"name": "Ada"' },
      },
    ],
  },
  summary:
    "httpbin's paths with httpbin's JSON. Point your test suite here by changing one base URL.",
  postman: [
    {
      presents: {
        anyBearer: { kind: 'bearer', token: 'any-token' },
        pathDigest: ([, username = '', password = '']) => ({ kind: 'digest', username, password }),
        pathUser: ([username = '', password = '']) => ({ kind: 'basic', username, password }),
      },
      adaptations: {
        // Tools compute the response to MD5 by default.
        getHttpbinDigestAuthByQopByUserByPasswdByAlgorithm: { path: { algorithm: 'MD5' } },
      },
      leftOut: Object.fromEntries(redirecting.map((operationId) => [operationId, followed])),
    },
  ],
  securitySchemes: {
    anyBearer: { type: 'http', scheme: 'bearer', description: 'RFC 6750, with any token.' },
    pathDigest: {
      type: 'http',
      scheme: 'digest',
      description: 'RFC 7616, for the user in the path.',
    },
    pathUser: { type: 'http', scheme: 'basic', description: 'RFC 7617, for the user in the path.' },
  },
  isLate: true,
  async endpoints(services) {
    const { endpoints } = await import('./loaded.js');
    return endpoints(services);
  },
} satisfies Area;

/** For OPTIONS, adds the headers of preflights, to every request. */
function corsHeaders(request: Request): HeaderValues {
  const headers = credentialHeaders(request, isPublic.test(request.url));
  if (request.method !== 'OPTIONS') return headers;
  const requested = request.headers['access-control-request-headers'];
  return {
    ...headers,
    'access-control-allow-methods': 'GET, POST, PUT, DELETE, PATCH, OPTIONS',
    'access-control-max-age': '3600',
    ...(requested !== undefined && { 'access-control-allow-headers': requested }),
  };
}
