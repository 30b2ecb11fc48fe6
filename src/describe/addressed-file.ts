/** Files that contain the base URL of the request. */

import { type TSchema, Type } from 'typebox';
import type { Awaitable } from '#base/awaitable.js';
import type { AddressedContent } from '#http/caching/addressed-content.js';
import { contentResponseHeaders, sendContent } from '#http/caching/content.js';
import type { Fields, Request } from '#http/exchange.js';
import { cacheControl, ifNoneMatch } from '#http/schemas/header-schemas.js';
import { requireRoom } from '#http/sending/require-room.js';
import { endpoint, open, unvalidated } from '#kit/endpoint.js';

export interface AddressedFile {
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The content of a response. */
  readonly content: string;
  readonly contentType: string;
  readonly schema: TSchema;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Fields;
  readonly contentFor: (request: Request) => Awaitable<AddressedContent>;
}

export function addressedFile(file: AddressedFile) {
  const { path, summary, description, content, contentType, schema, headers = {}, query } = file;
  const literals = Object.entries(headers).map(([name, value]) => [name, Type.Literal(value)]);
  const described = { ...cacheControl, ...Object.fromEntries(literals) };
  return endpoint('GET', path, {
    summary,
    description,
    headers: unvalidated(ifNoneMatch),
    ...(query && { query: open(query) }),
    responses: {
      200: { description: content, content: { [contentType]: { schema } } },
      304: Type.Null({ description: 'The cached response is still valid.' }),
    },
    responseHeaders: {
      200: { ...contentResponseHeaders[200], ...described },
      304: { ...contentResponseHeaders[304], ...described },
    },
    async handle(request, reply) {
      reply.header('cache-control', 'no-cache').headers(headers);
      const contentAt = await file.contentFor(request);
      const sent = await contentAt(request.baseUrl, (bytes) => requireRoom(request, bytes));
      return sendContent(request, reply, sent);
    },
  });
}
