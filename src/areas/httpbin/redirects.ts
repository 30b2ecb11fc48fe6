/** Redirects that finally lead to `/get`, and endpoints of cookies, which redirect to the list of cookies. */

import { Type } from 'typebox';
import { gotParameter } from '#base/text/got-value.js';
import { checkRedirectTarget } from '#http/address/redirect-target.js';
import {
  type CookieToSet,
  rejectCookies,
  sentCookies,
  setCookieHeader,
} from '#http/cookies/set-cookie.js';
import type { Reply, Request } from '#http/exchange.js';
import { headerValues } from '#http/headers/header-values.js';
import { HttpError, rejectField } from '#http/http-error.js';
import { anyBodies, anyQuery } from '#kit/describe/any-body.js';
import { objectOf, optionalText, text } from '#kit/describe/value-schemas.js';
import { open, secret, unvalidated } from '#kit/endpoint.js';
import { anyStatus, count, ownPath, ownUrl, spec } from './spec.js';
import { sendJson } from './write-json.js';

const redirecting = {
  responses: { 302: Type.Null({ description: 'A redirect.' }) },
  responseHeaders: {
    302: {
      Location: text('The URL to follow.'),
      'Set-Cookie': optionalText('The cookies to set.'),
    },
  },
};

type Form = 'absolute' | 'relative';

const hops = { n: count('Remaining redirects.', 1) };

/** Only the first redirect has this path. httpbin continues at the path of the selected form. */
export const times = spec({
  summary: 'Redirect n times, finally to /get',
  params: hops,
  query: open({ absolute: optionalText('true for absolute URLs.') }),
  ...redirecting,
  handle(request, reply) {
    const isAbsolute = String(request.query.absolute).toLowerCase() === 'true';
    return hop(request, reply, request.params.n, isAbsolute ? 'absolute' : 'relative');
  },
});

const redirectBy = (form: Form, what: string) =>
  spec({
    summary: `Redirect n times, by ${what}`,
    params: hops,
    ...redirecting,
    handle: (request, reply) => hop(request, reply, request.params.n, form),
  });

export const relatively = redirectBy('relative', 'paths');
export const absolutely = redirectBy('absolute', 'addresses');

function hop(request: Request, reply: Reply, n: number, form: Form): Reply {
  const next = n === 1 ? '/get' : `/${form}-redirect/${n - 1}`;
  return reply.redirect((form === 'absolute' ? ownUrl : ownPath)(request, next));
}

export const toFirstLinks = spec({
  summary: 'Redirect to the first page of links',
  params: { n: Type.Integer({ minimum: 0 }) },
  ...redirecting,
  handle: (request, reply) => reply.redirect(ownPath(request, `/links/${request.params.n}/0`)),
});

export const toUrl = spec({
  summary: 'Redirect to a URL of this service',
  description:
    'Location has the given URL, with spaces and non-ASCII characters escaped. URLs of other hosts are rejected.',
  query: open({
    url: optionalText('A path, or an absolute URL of this service.'),
    status_code: optionalText('300 to 399; default: 302.'),
  }),
  ...anyBodies,
  responses: anyStatus('The status in status_code; also any error.'),
  handle(request, reply) {
    const { url, status } = targetOf(request.query);
    const base = ownUrl(request, '/redirect-to');
    return reply.redirect(checkRedirectTarget(url, { parameter: 'url', base }), status);
  },
});

/** Accepts the names in any letter case. */
function targetOf(query: object) {
  const given = new Map(Object.entries(query).map(([name, value]) => [name.toLowerCase(), value]));
  const url: unknown = given.get('url');
  const status: unknown = given.get('status_code') ?? '302';
  if (typeof url !== 'string') {
    const got = gotParameter('url', url);
    return rejectField('url', `url must be given once, with the URL to redirect to${got}.`);
  }
  if (typeof status !== 'string' || !/^3\d\d$/.test(status)) {
    const got = gotParameter('status_code', status);
    return rejectField('status_code', `status_code must be an integer from 300 to 399${got}.`);
  }
  return { url, status: Number(status) };
}

/** Uses the first of several cookies with the same name, which belongs to the longest path. */
export const showCookies = spec({
  summary: 'Get the cookies of the request',
  responses: { 200: Type.Object({ cookies: objectOf({ type: 'string' }) }) },
  handle(request, reply) {
    const cookies: Record<string, string> = Object.create(null);
    for (const { name, value } of sentCookies(headerValues(request, 'cookie'))) {
      cookies[name] ??= unquote(value);
    }
    return sendJson(reply, { cookies });
  },
});

export const setCookieOfPath = spec({
  summary: 'Set the cookie in the path',
  params: { name: Type.String(), value: secret(Type.String()) },
  ...redirecting,
  handle: (request, reply) => setAll(request, reply, [request.params]),
});

export const setCookies = spec({
  summary: 'Set a cookie for each parameter',
  query: unvalidated(anyQuery),
  ...redirecting,
  handle: (request, reply) => setAll(request, reply, namedIn(request)),
});

export const deleteCookies = spec({
  summary: 'Delete the cookie of each parameter',
  query: unvalidated(anyQuery),
  ...redirecting,
  handle(request, reply) {
    const ended = { value: '', maxAge: 0, expires: 0 };
    return setAll(
      request,
      reply,
      namedIn(request).map(({ name }) => ({ name, ...ended })),
    );
  },
});

function namedIn({ query }: Request) {
  const entries = Object.entries(query as Readonly<Record<string, string | string[]>>);
  return entries.map(([name, value]) => ({ name, value: [value].flat()[0] ?? '' }));
}

/** Clients store no more cookies for one host. */
const maxCookies = 50;

function setAll(request: Request, reply: Reply, given: readonly CookieToSet[]): Reply {
  if (given.length > maxCookies) {
    throw new HttpError(400, `A response sets at most ${maxCookies} cookies.`);
  }
  const path = ownPath(request, '');
  const secure = request.baseUrl.startsWith('https:');
  const cookies = given.map((each) => ({ ...each, value: quote(each.value), path, secure }));
  rejectCookies(cookies);
  if (cookies.length > 0) reply.header('set-cookie', cookies.map(setCookieHeader));
  return reply.redirect(ownPath(request, '/cookies'));
}

/** Matches values that need no quotes in Python's frameworks. */
const plain = /^[\w!#%&'()*+\-./:<=>?@[\]^`{|}~$]*$/;

/** Quotes a value; characters that are not allowed become octal escapes. */
function quote(value: string): string {
  if (plain.test(value)) return value;
  const escaped = Buffer.from(value)
    .toString('latin1')
    .replace(/["\\]/g, '\\$&')
    .replace(/[^\x20-\x7e]|[,;]/g, (byte) => {
      return `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`;
    });
  return `"${escaped}"`;
}

/** Reverses {@link quote}. Returns a value without quotes unchanged. */
function unquote(value: string): string {
  const [, inner] = /^"(.*)"$/s.exec(value) ?? [];
  const bytes = (inner ?? value).replace(/\\(?:([0-3][0-7]{2})|(.))/g, (all, octal, character) => {
    if (inner === undefined) return all;
    return octal === undefined ? character : String.fromCharCode(Number.parseInt(octal, 8));
  });
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
