/** Responses that caches may keep, and conditions on entity tags (RFC 9110 section 13, RFC 9111). */

import { randomUUID } from 'node:crypto';
import { addVary } from '../../http/caching/caching.js';
import { checkPreconditions, preconditionsOf } from '../../http/caching/conditional.js';
import type { Reply } from '../../http/exchange.js';
import { HttpError } from '../../http/http-error.js';
import { describeHead, ofGet } from './echo.js';
import type { Handler } from './lab.js';
import { sendJson } from './send-json.js';

/** The response depends on these, so that no shared cache gives one caller's response to another. */
function varyByCaller(reply: Reply): void {
  addVary(reply, 'X-Sandbox, X-Service-Key, Authorization, Cookie');
}

/** To be kept, but for its caller alone, and asked about each time. */
function allowRevalidation(reply: Reply): void {
  reply.header('cache-control', 'private, no-cache');
  varyByCaller(reply);
}

/** Whatever validator a client has, it has the right one. */
export const giveCacheable: Handler = (request, reply, lab) => {
  allowRevalidation(reply);
  const { 'if-none-match': tags, 'if-modified-since': since } = request.headers;
  if (tags === undefined && since === undefined) {
    reply.header('last-modified', new Date().toUTCString());
    reply.header('etag', `"${randomUUID().replaceAll('-', '')}"`);
    return sendJson(reply, describeHead(request, lab, ofGet));
  }
  // A 304 has the validators that a 200 would have had (RFC 9110 section 15.4.5).
  const [tag] = /(?:W\/)?"[\x21\x23-\x7e]*"/.exec(tags ?? '') ?? [];
  if (tag !== undefined) reply.header('etag', tag);
  return reply.code(304).send();
};

export const giveFreshFor: Handler = (request, reply, lab) => {
  const { seconds } = request.params as { readonly seconds: number };
  reply.header('cache-control', `public, max-age=${seconds}`);
  varyByCaller(reply);
  return sendJson(reply, describeHead(request, lab, ofGet));
};

const givenTag = /^(W\/)?"?([\x21\x23-\x7e]+?)"?$/;

/** The resource has the tag of the path, which may come with its quotes or without. */
export const giveTagged: Handler = (request, reply, lab) => {
  const { etag } = request.params as { readonly etag: string };
  const [, weak = '', opaque] = givenTag.exec(etag) ?? [];
  if (opaque === undefined) {
    const message =
      'An entity tag is printable ASCII without spaces and quotes (RFC 9110 section 8.8.3).';
    throw new HttpError(400, message, { body: { errors: [{ field: 'etag', message }] } });
  }
  const entityTag = `${weak}"${opaque}"`;
  allowRevalidation(reply);
  const { ifMatch, ifNoneMatch, ...rest } = preconditionsOf(request);
  const conditions = { ...rest, ifMatch: quoteAll(ifMatch), ifNoneMatch: quoteAll(ifNoneMatch) };
  const outcome = checkPreconditions(conditions, { entityTag });
  if (outcome === 412) throw new HttpError(412, `If-Match has another tag than ${entityTag}.`);
  reply.header('etag', entityTag);
  if (outcome === 304) return reply.code(304).send();
  return sendJson(reply, describeHead(request, lab, ofGet));
};

/** Puts quotes around tags that came without, which suites send because httpbin's own has none. */
function quoteAll(list: string | undefined): string | undefined {
  return list?.replace(
    /((?:W\/)?"[^"]*")|(\*)|(W\/)?([^\s,"]+)/g,
    (_all, quoted, star, weak = '', bare) => quoted ?? star ?? `${weak}"${bare}"`,
  );
}
