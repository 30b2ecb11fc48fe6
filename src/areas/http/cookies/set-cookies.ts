/** Endpoints that show the cookies of a request, and set and delete cookies. */

import { isUtf8 } from 'node:buffer';
import { Type } from 'typebox';
import { basePathOf } from '#http/address/sandbox-address.js';
import { queryFault } from '#http/address/target.js';
import {
  type CookieToSet,
  cookieFaults,
  rejectCookies,
  sameSiteValues,
  sentCookies,
  setCookieHeader,
} from '#http/cookies/set-cookie.js';
import type { Reply, Request } from '#http/exchange.js';
import { headerValues } from '#http/headers/header-values.js';
import { parseIsoDate } from '#http/headers/http-date.js';
import { HttpError, rejectFaults } from '#http/http-error.js';
import { objectOf, oneOf, optionalText, text } from '#kit/describe/value-schemas.js';
import { endpoint, openExceptTypos, unvalidated } from '#kit/endpoint.js';
import { cookieWarnings } from './cookie-warnings.js';

export const path = '/api/http/cookies';
const deep = `${path}/a/deep/path`;
const maxSet = 20;
const maxLength = 8192;

export const sentCookieSchema = Type.Object({ name: Type.String(), value: Type.String() });

export const receivedFields = {
  cookies: Type.Array(sentCookieSchema, {
    description:
      'In the order received; repeated names occur several times. Values are not decoded.',
  }),
  raw: Type.Array(Type.String(), { description: 'Each Cookie header as received.' }),
};

export function receivedCookies(request: Request) {
  const raw = headerValues(request, 'cookie').map(asText);
  return { cookies: sentCookies(raw), raw };
}

/** Decodes a header: Node shows each of its bytes as a character. */
export function asText(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : header;
}

const twoOfOneName = { headers: { Cookie: 'flavour=oat; flavour=nut' } };

export const show = endpoint('GET', path, {
  summary: 'Show the cookies of the request',
  query: openExceptTypos({}),
  responses: { 200: Type.Object(receivedFields) },
  examples: { 'Two of one name': twoOfOneName },
  handle: receivedCookies,
});

export const showDeep = endpoint('GET', deep, {
  summary: 'Show the cookies sent to a deep path',
  query: openExceptTypos({}),
  responses: {
    200: Type.Object({
      path: Type.String(),
      matching: Type.Array(Type.String(), {
        description: 'Every Path whose cookies are sent to this URL.',
      }),
      ...receivedFields,
    }),
  },
  examples: { 'A cookie': twoOfOneName },
  handle(request) {
    const here = basePathOf(request.baseUrl) + deep;
    return { path: here, matching: matchingPaths(here), ...receivedCookies(request) };
  },
});

/** Returns every path whose cookies are sent to this path. */
function matchingPaths(here: string): string[] {
  const segments = here.split('/').slice(1);
  const paths = segments.map((_segment, index) => `/${segments.slice(0, index + 1).join('/')}`);
  return ['/', ...paths.flatMap((each) => (each === here ? [each] : [each, `${each}/`]))];
}

const outcomeSchema = Type.Object(
  {
    name: Type.String(),
    value: Type.String(),
    setCookie: text('The header as sent.'),
    warnings: Type.Array(Type.String(), {
      description: 'Why a client must drop the cookie or ignores a part of it.',
    }),
  },
  { title: 'CookieOutcome' },
);

export const setCookie = { 'Set-Cookie': text('One header for each cookie.') };

const manyAttributes = {
  ...{ name: 'flavour', value: 'oat', maxAge: 3600, expires: '2027-01-01T00:00:00Z' },
  ...{ httpOnly: true, sameSite: 'Lax' },
};

export const setOne = endpoint('POST', path, {
  summary: 'Set a cookie with any attributes',
  description: 'Also a cookie that a client must drop or change, with warnings.',
  query: openExceptTypos({}),
  body: Type.Object(
    {
      name: Type.String({ maxLength }),
      value: Type.Optional(Type.String({ maxLength, description: 'Default: empty.' })),
      path: Type.Optional(
        Type.String({ maxLength, description: 'Default: the path of the cookie endpoints.' }),
      ),
      domain: Type.Optional(Type.String({ maxLength })),
      maxAge: Type.Optional(Type.Integer({ description: 'In seconds.' })),
      expires: Type.Optional(
        Type.String({
          maxLength,
          description: 'Sent unchanged, in any form; only an ISO 8601 date becomes an HTTP date.',
        }),
      ),
      secure: Type.Optional(Type.Boolean()),
      httpOnly: Type.Optional(Type.Boolean()),
      sameSite: Type.Optional(oneOf(sameSiteValues)),
      partitioned: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false, title: 'CookieToSet' },
  ),
  responses: { 200: outcomeSchema },
  responseHeaders: { 200: setCookie },
  examples: {
    'Many attributes': { json: manyAttributes },
    'A malformed cookie': { json: { name: '__Host-flavour', value: 'oat', path: '/x' } },
    'A semicolon': { json: { name: 'a', value: 'b;c' } },
  },
  handle(request, reply) {
    const { value = '', expires, ...given } = request.body;
    if (expires === undefined) return set(request, reply, { ...given, value });
    return set(request, reply, { ...given, value, expires: parseIsoDate(expires) ?? expires });
  },
});

export const setSeveral = endpoint('GET', `${path}/set`, {
  summary: 'Set a cookie for each query parameter',
  description: `At most ${maxSet}, for the path of the cookie endpoints.`,
  query: unvalidated({
    parameters: Type.Optional({
      ...objectOf({ type: 'string' }, 'Names and values of cookies.'),
      example: { flavour: 'oat' },
    }),
  }),
  responses: { 200: Type.Object({ cookies: Type.Array(outcomeSchema) }) },
  responseHeaders: { 200: setCookie },
  examples: { Two: { query: { flavour: 'oat', size: 'small' } }, None: {} },
  // Any parameter is a cookie.
  queryFaults: 'none',
  handle(request, reply) {
    const fault = queryFault(request.url);
    if (fault !== undefined) throw new HttpError(400, fault);
    const given = Object.entries(request.query as Record<string, string | string[]>);
    const cookies = given.flatMap(([name, values]) =>
      [values].flat().map((value) => ({ name, value })),
    );
    if (cookies.length === 0 || cookies.length > maxSet) {
      throw new HttpError(
        400,
        `Send the cookies to set in the query, 1 to ${maxSet}: ?name=value.`,
      );
    }
    rejectCookies(cookies);
    return { cookies: cookies.map((cookie) => set(request, reply, cookie)) };
  },
});

export const remove = endpoint('DELETE', `${path}/:name`, {
  summary: 'Delete a cookie',
  description: 'Sets it again, with an expiry in the past.',
  params: { name: Type.String({ maxLength, description: 'The name of the cookie.' }) },
  query: openExceptTypos({
    path: optionalText('The path that it was set with.'),
    domain: optionalText('The domain that it was set with.'),
  }),
  responses: { 200: outcomeSchema },
  responseHeaders: { 200: setCookie },
  examples: { 'A cookie': { path: { name: 'flavour' } } },
  handle(request, reply) {
    const { name } = request.params;
    return set(request, reply, {
      ...request.query,
      name,
      value: '',
      maxAge: 0,
      expires: 0,
      // A prefix requires these attributes in deletions, too.
      ...(/^__(?:secure|host|http)-/i.test(name) && { secure: true, httpOnly: true }),
      ...(/^__host-/i.test(name) && { path: '/' }),
    });
  },
});

/** Sets a cookie, and returns warnings about it. Its default path is the path of the cookie endpoints. */
function set({ baseUrl }: Request, reply: Reply, given: CookieToSet) {
  const cookie = { path: basePathOf(baseUrl) + path, ...given };
  rejectFaults(cookieFaults(cookie));
  const setCookie = setCookieHeader(cookie);
  // Repeated calls add headers.
  reply.header('set-cookie', setCookie);
  const { hostname, protocol } = new URL(baseUrl);
  const warnings = cookieWarnings(cookie, { host: hostname, isHttps: protocol === 'https:' });
  return { name: cookie.name, value: cookie.value, setCookie, warnings };
}
