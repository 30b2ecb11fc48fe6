/** What those routes accept and return that have more to say than a line of the table holds. */

import { Type } from 'typebox';
import { errorSchema } from '../../http/schemas/error-schema.js';
import {
  allowedMethods,
  challenge,
  ifMatch,
  ifNoneMatch,
} from '../../http/schemas/header-schemas.js';
import type { EndpointSchema } from '../../kit/app.js';
import { anyBody, anyQuery } from '../../kit/describe/any-body.js';
import { countOf, give, leadOn, octets, telling, text, whatever } from './schemas.js';

const get = ['args', 'headers', 'origin', 'url'] as const;

export const index: EndpointSchema = {
  ...give('List the endpoints of httpbin', 'text/html'),
  responseHeaders: {
    200: { 'Content-Security-Policy': Type.String({ description: 'It loads and runs nothing.' }) },
  },
};

export const allow: EndpointSchema = {
  summary: 'List the methods of the path',
  response: {
    200: {
      description: 'Nothing: Allow has them.',
      content: { 'text/html': { schema: Type.String() } },
    },
  },
  responseHeaders: { 200: allowedMethods },
};

export const userAgent: EndpointSchema = {
  summary: 'Get the User-Agent',
  response: {
    200: Type.Object({
      'user-agent': Type.Unsafe({ type: ['string', 'null'], description: 'Null without one.' }),
    }),
  },
};

export const uuid: EndpointSchema = {
  summary: 'Get a random UUID',
  response: { 200: Type.Object({ uuid: text('Of version 4.') }) },
};

export const slideshow: EndpointSchema = {
  summary: 'Get a small JSON document',
  response: { 200: Type.Object({ slideshow: Type.Unknown() }) },
};

const user = {
  user: text('The user name that is right.'),
  passwd: text('The password that is right.'),
};
const authenticated = {
  200: Type.Object({ authenticated: Type.Literal(true), user: Type.String() }),
};

export const basic: EndpointSchema = {
  summary: 'Authenticate by Basic as the user in the path',
  params: Type.Object(user),
  security: [{ pathUser: [] }],
  response: { ...authenticated, 400: errorSchema, 401: errorSchema },
};

export const hiddenBasic: EndpointSchema = {
  ...basic,
  summary: 'Authenticate by Basic, or get 404 without a challenge',
  response: { ...authenticated, 400: errorSchema, 404: errorSchema },
};

export const bearer: EndpointSchema = {
  summary: 'Authenticate by any bearer token',
  security: [{ anyBearer: [] }],
  response: {
    200: Type.Object({ authenticated: Type.Literal(true), token: Type.String() }),
    401: errorSchema,
  },
};

const digestParams = {
  qop: text('auth or auth-int; anything else offers both, and asks for neither.'),
  ...user,
};
const algorithm = text('MD5, SHA-256 or SHA-512; anything else means MD5.');
const staleAfter = text('How often a nonce may be used, or never.');
const fakeCookie = { 'Set-Cookie': Type.Optional(text('What require-cookie asks for.')) };

const digestOf = (summary: string, more: Record<string, typeof algorithm>): EndpointSchema => ({
  summary,
  description:
    'With require-cookie=true the cookie that came with the challenge must come back as well. The uri of the credentials is the target as it was sent.',
  params: Type.Object({ ...digestParams, ...more }),
  security: [{ pathDigest: [] }],
  described: { querystring: { 'require-cookie': Type.Optional(Type.String()) } },
  response: {
    ...authenticated,
    400: errorSchema,
    401: errorSchema,
    403: errorSchema,
  },
  responseHeaders: {
    200: {
      ...fakeCookie,
      'Authentication-Info': Type.Optional(text('Proves with qop=auth that we know it, too.')),
    },
    400: fakeCookie,
    401: { ...fakeCookie, ...challenge },
    403: fakeCookie,
  },
});

export const digest = digestOf('Authenticate by Digest as the user in the path', {});
export const digestBy = digestOf('Authenticate by Digest with the algorithm in the path', {
  algorithm,
});
export const digestUntil = digestOf('Authenticate by Digest with nonces that go stale', {
  algorithm,
  staleAfter,
});

export const status: EndpointSchema = {
  summary: 'Get the status that is asked for',
  description:
    'A status from 200 to 599, or several separated by commas, of which one is chosen; each may have a colon and a weight. It comes with the headers that it requires, and without a body.',
  params: Type.Object({ codes: Type.String() }),
  described: anyBody,
  response: whatever('Whatever status the path asks for; and any failure.'),
};

export const responseHeaders: EndpointSchema = {
  summary: 'Get the header fields that the query asks for',
  description:
    'The body has all headers of the response. The same headers can be set as in bins and scripted responses; others are rejected.',
  described: { querystring: anyQuery, ...anyBody },
  response: whatever('200, with these headers; and any failure.'),
};

const validators = { ETag: Type.Optional(text('An entity tag.')) };
const lifetimes = {
  'Cache-Control': text('How it may be kept.'),
  Vary: text('The headers of requests that the response depends on.'),
};
const notModified = { 304: Type.Null({ description: 'The caller has it already.' }) };

export const cacheable: EndpointSchema = {
  summary: 'Get 304 where a validator is sent',
  described: {
    headers: { ...ifNoneMatch, 'If-Modified-Since': Type.Optional(text('Any date.')) },
  },
  response: { ...telling(get), ...notModified },
  responseHeaders: {
    200: { ...validators, ...lifetimes, 'Last-Modified': text('Now.') },
    304: { ...validators, ...lifetimes },
  },
};

export const freshFor: EndpointSchema = {
  summary: 'Get a response that may be cached for n seconds',
  params: Type.Object({ seconds: Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }) }),
  response: telling(get),
  responseHeaders: { 200: lifetimes },
};

export const tagged: EndpointSchema = {
  summary: 'Get a response with the entity tag in the path',
  params: Type.Object({ etag: text('With its quotes or without, weak or strong.') }),
  described: { headers: { ...ifNoneMatch, ...ifMatch } },
  response: { ...telling(get), ...notModified, 400: errorSchema, 412: errorSchema },
  responseHeaders: {
    200: { ...validators, ...lifetimes },
    304: { ...validators, ...lifetimes },
    412: lifetimes,
  },
};

const seed = Type.Optional(text('An integer; the bytes are those of Python’s generator.'));
const chunkSize = Type.Integer({ minimum: 1, maximum: 1024 * 1024, default: 10 * 1024 });
const bytesAsked = countOf('n', 'How many; more than 102,400 are as many.');

export const bytes = give('Get random bytes, or those of a seed', octets, {
  params: bytesAsked,
  querystring: Type.Object({ seed }),
});

export const streamedBytes = give('Get the same bytes in chunks', octets, {
  params: bytesAsked,
  querystring: Type.Object({ seed, chunk_size: Type.Optional(chunkSize) }),
});

const rangeHeaders = { 'Accept-Ranges': Type.Optional(text('bytes')), ...validators };
const partly = { 'Content-Range': Type.Optional(text('Which bytes these are.')) };
const revalidated = { 'Cache-Control': Type.Optional(text('Asked about each time.')) };

export const range = give('Get the alphabet over and over, in whole or in ranges', octets, {
  params: Type.Object({ n: Type.Integer({ description: 'How many bytes, 1 to 102,400.' }) }),
  querystring: Type.Object({
    duration: Type.Optional(Type.Number({ minimum: 0, maximum: 600 })),
    chunk_size: Type.Optional(chunkSize),
  }),
  described: {
    headers: {
      Range: Type.Optional(text('Which bytes (RFC 9110 section 14).')),
      'If-Range': Type.Optional(text('The entity tag of what the range is of.')),
      ...ifNoneMatch,
      ...ifMatch,
    },
  },
  response: {
    206: { description: 'Parts of it.', content: { '*/*': { schema: Type.Unknown() } } },
    ...notModified,
    404: errorSchema,
    412: errorSchema,
    416: errorSchema,
  },
  responseHeaders: {
    200: { ...rangeHeaders, ...revalidated },
    206: { ...rangeHeaders, ...revalidated, ...partly },
    304: { ...rangeHeaders, ...revalidated },
    404: rangeHeaders,
    412: { ...rangeHeaders, ...revalidated },
    416: { ...rangeHeaders, ...revalidated, ...partly },
  },
});

export const drip: EndpointSchema = {
  summary: 'Drip bytes over a time, after a delay',
  description: 'All of these are asterisks.',
  querystring: Type.Object({
    duration: Type.Number({ minimum: 0, maximum: 600, default: 2, description: 'Seconds.' }),
    numbytes: Type.Integer({ minimum: 1, maximum: 10 * 1024 * 1024, default: 10 }),
    delay: Type.Number({ minimum: 0, maximum: 60, default: 0, description: 'Seconds.' }),
    code: Type.Integer({ minimum: 200, maximum: 599, default: 200 }),
  }),
  response: whatever('The status that code asks for; and any failure.'),
};

const sandboxed = {
  'Content-Security-Policy': text('What a browser lets it do, which is nothing.'),
  'X-Content-Type-Options': Type.Literal('nosniff'),
};

export const base64 = give('Decode base64', 'text/html', {
  params: Type.Object({ value: text('Of UTF-8 text, in either alphabet.') }),
  response: { 400: errorSchema },
  responseHeaders: { 200: sandboxed },
});

export const links = give('Get a page of links', 'text/html', {
  params: Type.Object({
    n: Type.Integer({ minimum: 0, description: 'How many, 1 to 200.' }),
    offset: Type.Integer({ minimum: 0, description: 'The number of this page.' }),
  }),
});

const notAcceptable = Type.Object({
  ...errorSchema.properties,
  accept: Type.Optional(Type.Array(Type.String(), { description: 'What there is.' })),
});
const image = { description: 'The picture.', content: { '*/*': { schema: Type.Unknown() } } };
const imageHeaders = {
  'Cache-Control': text('An hour.'),
  Vary: text('Accept'),
  'X-Content-Type-Options': Type.Literal('nosniff'),
  'Content-Encoding': Type.Optional(Type.String()),
  ...validators,
};

export const anyImage: EndpointSchema = {
  summary: 'Get a picture in the format that Accept prefers',
  described: { headers: { Accept: Type.Optional(Type.String()), ...ifNoneMatch } },
  response: { 200: image, ...notModified, 406: notAcceptable },
  responseHeaders: { 200: imageHeaders, 304: imageHeaders, 406: { Vary: text('Accept') } },
};

const hops = countOf('n', 'How many hops are left.', 1);

export const redirects = leadOn('Redirect n times, to /get in the end', {
  params: hops,
  querystring: Type.Object({ absolute: Type.Optional(text('true for absolute addresses.')) }),
});
export const relativeRedirects = leadOn('Redirect n times, by paths', { params: hops });
export const absoluteRedirects = leadOn('Redirect n times, by addresses', { params: hops });

export const redirectTo: EndpointSchema = {
  summary: 'Redirect to an address of this service',
  description: 'Location has the address as it was given. Addresses of other hosts are rejected.',
  querystring: Type.Object({
    url: Type.Optional(text('A path, or an absolute address of this service.')),
    status_code: Type.Optional(text('300 to 399, 302 without it.')),
  }),
  described: anyBody,
  response: whatever('The status that status_code asks for; and any failure.'),
};

export const cookies: EndpointSchema = {
  summary: 'Get the cookies that came',
  response: {
    200: Type.Object({
      cookies: Type.Unsafe<object>({ type: 'object', additionalProperties: { type: 'string' } }),
    }),
  },
};

const redirectOrRejection = {
  302: Type.Null({ description: 'A redirect.' }),
  400: errorSchema,
};
export const cookiesToSet = leadOn('Set a cookie for each parameter', {
  described: { querystring: anyQuery },
  response: redirectOrRejection,
});
export const cookieToSet = leadOn('Set the cookie that the path names', {
  params: Type.Object({ name: Type.String(), value: Type.String() }),
  response: redirectOrRejection,
});
export const cookiesToDelete = leadOn('Delete the cookie of each parameter', {
  described: { querystring: anyQuery },
  response: redirectOrRejection,
});

export const firstLinks = leadOn('Redirect to the first page of links', {
  params: Type.Object({ n: Type.Integer({ minimum: 0 }) }),
});

/** `mark` is the member that is true. */
export const encodedBy = (coding: string, mark: string): EndpointSchema => ({
  summary: `Get a response in the coding ${coding}`,
  response: telling(['headers', 'method', 'origin'], { [mark]: Type.Literal(true) }),
  responseHeaders: { 200: { 'Content-Encoding': Type.Literal(coding) } },
});

export const lines: EndpointSchema = {
  summary: 'Stream lines of JSON',
  description: 'Each has the members of /get, and the number of the line as id.',
  params: countOf('n', 'How many; more than 100 are as many.'),
  response: {
    200: { description: 'The lines.', content: { '*/*': { schema: Type.Unknown() } } },
  },
};
