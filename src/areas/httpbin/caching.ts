/** Cacheable responses, and conditional requests with entity tags (RFC 9110 section 13, RFC 9111). */

import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { addVary } from '#http/caching/caching.js';
import { checkPreconditions, preconditionsOf } from '#http/caching/conditional.js';
import type { Reply } from '#http/exchange.js';
import { HttpError, rejectField } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { ifMatch, ifNoneMatch } from '#http/schemas/header-schemas.js';
import { optionalText, text } from '#kit/describe/value-schemas.js';
import { describeHead, describing, ofGet } from './echo.js';
import { notModified, optionalTag, spec } from './spec.js';
import { sendJson } from './write-json.js';

const cachingHeaders = {
  'Cache-Control': text('How caches may store it.'),
  Vary: text('The headers of requests that the response depends on.'),
};
const taggedHeaders = { ...optionalTag, ...cachingHeaders };

/** The response depends on the caller, so shared caches must not store it. */
function allow(reply: Reply, caching: string): void {
  reply.header('cache-control', caching);
  addVary(reply, 'X-Sandbox, X-Service-Key, Authorization, Cookie');
}

/** Every validator matches. */
export const cacheable = spec({
  summary: 'Get 304 if the request has a validator',
  headers: { ...ifNoneMatch, 'If-Modified-Since': optionalText('Any date.') },
  responses: { ...describing(ofGet), ...notModified },
  responseHeaders: {
    200: { ...taggedHeaders, 'Last-Modified': text('Now.') },
    304: taggedHeaders,
  },
  handle(request, reply) {
    allow(reply, 'private, no-cache');
    const { 'if-none-match': tags, 'if-modified-since': since } = request.headers;
    if (tags === undefined && since === undefined) {
      reply.header('last-modified', new Date().toUTCString());
      reply.header('etag', `"${randomUUID().replaceAll('-', '')}"`);
      return sendJson(reply, describeHead(request, ofGet));
    }
    // A 304 has the validators that the 200 would have (RFC 9110 section 15.4.5).
    const [tag] = /(?:W\/)?"[\x21\x23-\x7e]*"/.exec(tags ?? '') ?? [];
    if (tag !== undefined) reply.header('etag', tag);
    return reply.code(304).send();
  },
});

export const freshFor = spec({
  summary: 'Get a response that may be cached for n seconds',
  params: { seconds: Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }) },
  responses: describing(ofGet),
  responseHeaders: { 200: cachingHeaders },
  handle(request, reply) {
    allow(reply, `public, max-age=${request.params.seconds}`);
    return sendJson(reply, describeHead(request, ofGet));
  },
});

export const tagged = spec({
  summary: 'Get a response with the entity tag in the path',
  params: { etag: text('With or without quotes, weak or strong.') },
  headers: { ...ifNoneMatch, ...ifMatch },
  responses: { ...describing(ofGet), ...notModified, ...failures(412) },
  responseHeaders: { 200: taggedHeaders, 304: taggedHeaders, 412: cachingHeaders },
  handle(request, reply) {
    const [, weak = '', opaque] = /^(W\/)?"?([\x21\x23-\x7e]+?)"?$/.exec(request.params.etag) ?? [];
    if (opaque === undefined) {
      const message =
        'An entity tag is printable ASCII without spaces and quotes (RFC 9110 section 8.8.3).';
      rejectField('etag', message);
    }
    const entityTag = `${weak}"${opaque}"`;
    allow(reply, 'private, no-cache');
    const { ifMatch, ifNoneMatch, ...rest } = preconditionsOf(request);
    const conditions = { ...rest, ifMatch: quoteAll(ifMatch), ifNoneMatch: quoteAll(ifNoneMatch) };
    const outcome = checkPreconditions(conditions, { entityTag });
    if (outcome === 412) throw new HttpError(412, `If-Match does not have the tag ${entityTag}.`);
    reply.header('etag', entityTag);
    if (outcome === 304) return reply.code(304).send();
    return sendJson(reply, describeHead(request, ofGet));
  },
});

/** Adds quotes to tags without quotes, which test suites send because httpbin's own have none. */
function quoteAll(list: string | undefined): string | undefined {
  return list?.replace(
    /((?:W\/)?"[^"]*")|(\*)|(W\/)?([^\s,"]+)/g,
    (_all, quoted, star, weak = '', bare) => quoted ?? star ?? `${weak}"${bare}"`,
  );
}
