/** Cookies (RFC 6265bis): what came, and a few to set and to delete. */

import { cookieFaults, sentCookies, setCookieHeader } from '../../http/cookies/set-cookie.js';
import type { Reply, Request } from '../../http/exchange.js';
import { headerValues } from '../../http/headers/header-values.js';
import { HttpError } from '../../http/http-error.js';
import type { Handler, Lab } from './lab.js';
import { redirect } from './redirects.js';
import { sendJson } from './send-json.js';

/** More than clients keep of one host would be of no use. */
const maxCookies = 50;

/** Of several with one name the first is used, which is of the closest path. */
export const showCookies: Handler = (request, reply) => {
  const cookies: Record<string, string> = Object.create(null);
  for (const { name, value } of sentCookies(headerValues(request, 'cookie'))) {
    cookies[name] ??= unquote(value);
  }
  return sendJson(reply, { cookies });
};

export const setCookieOfPath: Handler = (request, reply, lab) => {
  const { name, value } = request.params as { readonly name: string; readonly value: string };
  return setAll(request, reply, lab, [[name, value]]);
};

export const setCookies: Handler = (request, reply, lab) => {
  return setAll(request, reply, lab, namedIn(request));
};

export const deleteCookies: Handler = (request, reply, lab) => {
  const names = namedIn(request).map(([name]) => [name, ''] as const);
  return setAll(request, reply, lab, names, { maxAge: 0, expiresMs: 0 });
};

function namedIn({ query }: Request): [name: string, value: string][] {
  const entries = Object.entries(query as Readonly<Record<string, string | string[]>>);
  return entries.map(([name, value]) => [name, [value].flat()[0] ?? '']);
}

/** They are for this service alone, below where httpbin's paths are. */
function setAll(
  request: Request,
  reply: Reply,
  { paths }: Lab,
  pairs: readonly (readonly [name: string, value: string])[],
  attributes: { readonly maxAge?: number; readonly expiresMs?: number } = {},
): Reply {
  if (pairs.length > maxCookies) {
    throw new HttpError(400, `One response sets at most ${maxCookies} cookies.`);
  }
  const path = paths.path(request, '');
  const secure = paths.isHttps(request);
  const cookies = pairs.map(([name, value]) => ({
    name,
    value: quote(value),
    path,
    secure,
    ...attributes,
  }));
  const errors = cookies.flatMap((cookie) => {
    return cookieFaults(cookie).map(({ message }) => ({ field: cookie.name, message }));
  });
  if (errors.length > 0) {
    const message = errors.map((error) => error.message).join(' ');
    throw new HttpError(400, message, { body: { errors } });
  }
  if (cookies.length > 0) reply.header('set-cookie', cookies.map(setCookieHeader));
  return redirect(reply, paths.path(request, '/cookies'));
}

/** What needs no quotes, as Python's frameworks decide it. */
const plain = /^[\w!#%&'()*+\-./:<=>?@[\]^`{|}~$]*$/;

/** The bytes that cannot stand in a value, as octal escapes inside of quotes. */
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

/** Undoes {@link quote}; a value without quotes is used as it came. */
function unquote(value: string): string {
  const [, inner] = /^"(.*)"$/s.exec(value) ?? [];
  const bytes = (inner ?? value).replace(/\\(?:([0-3][0-7]{2})|(.))/g, (all, octal, character) => {
    if (inner === undefined) return all;
    return octal === undefined ? character : String.fromCharCode(Number.parseInt(octal, 8));
  });
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
