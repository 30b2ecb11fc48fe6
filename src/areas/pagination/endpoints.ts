/** Endpoints of pagination: the list of styles, a page in each style, and single items. */

import { Type } from 'typebox';
import type { Item } from '#data/records.js';
import type { Reply, Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import { type Endpoint, endpoint } from '#kit/endpoint.js';
import { cursorStyle } from './page-by-cursor.js';
import { halContentType, halItem, halItemSchema, halStyle } from './page-by-hal.js';
import { keysetStyle } from './page-by-keyset.js';
import { linkStyle } from './page-by-link.js';
import { pageStyle } from './page-by-number.js';
import { offsetStyle } from './page-by-offset.js';
import type { PaginationStyle } from './pagination-style.js';

export const path = '/api/pagination';

const styles = [offsetStyle, pageStyle, cursorStyle, linkStyle, keysetStyle, halStyle];

const urlOf = ({ baseUrl }: Request, name: string) => `${baseUrl}${path}/${name}`;

export function paginationEndpoints(items: readonly Item[], cursorKey: Buffer): Endpoint[] {
  return [
    listStyles(items.length),
    ...styles.map((style) => readPage(style, items, cursorKey)),
    readItem(items),
  ];
}

const listStyles = (total: number) =>
  endpoint('GET', path, {
    summary: 'List the pagination styles',
    description: 'Each with its URL and parameters.',
    responses: {
      200: Type.Object({
        total: Type.Integer({ description: 'Total number of items.' }),
        styles: Type.Array(
          Type.Object({
            name: Type.String(),
            summary: Type.String(),
            url: Type.String(),
            parameters: Type.Array(Type.String()),
          }),
        ),
      }),
    },
    examples: { 'The styles': {} },
    handle: (request) => ({
      total,
      styles: styles.map(({ name, summary, parameters }) => ({
        name,
        summary,
        url: urlOf(request, name),
        parameters: Object.keys(parameters),
      })),
    }),
  });

function readPage(
  {
    name,
    summary,
    parameters,
    response,
    responseHeaders,
    contentType,
    examples,
    page,
  }: PaginationStyle<never>,
  items: readonly Item[],
  cursorKey: Buffer,
): Endpoint {
  return endpoint('GET', `${path}/${name}`, {
    summary: `Get a page in the style ${name}`,
    description: `${summary} The ${items.length} items are always the same.`,
    query: parameters,
    responses: { 200: bodyOf(response, contentType) },
    ...(responseHeaders && { responseHeaders: { 200: responseHeaders } }),
    examples,
    handle(request, reply) {
      const { body, headers = {} } = page(items, request.query as never, {
        url: urlOf(request, name),
        itemsUrl: urlOf(request, 'items/'),
        cursorKey,
      });
      return send(reply.headers(headers), body, contentType);
    },
  });
}

const readItem = (items: readonly Item[]) =>
  endpoint('GET', `${path}/items/:id`, {
    summary: 'Get an item, with its links',
    description: 'One of the items that every style pages through.',
    params: {
      id: Type.Integer({
        maximum: Number.MAX_SAFE_INTEGER,
        description: `From 1 to ${items.length}.`,
      }),
    },
    responses: { 200: bodyOf(halItemSchema, halContentType), 404: errorSchema },
    examples: {
      'One item': { path: { id: 7 } },
      'An invalid id': { path: { id: 'x' } },
    },
    handle(request, reply) {
      const { id } = request.params;
      const item = items.find((each) => each.id === id);
      if (item === undefined) {
        const message = `There is no item ${id}. Items are numbered from 1 to ${items.length}.`;
        throw new HttpError(404, message);
      }
      const links = halItem(item, urlOf(request, 'items/'), urlOf(request, halStyle.name));
      return send(reply, links, halContentType);
    },
  });

function bodyOf(schema: object, contentType: string | undefined) {
  return contentType === undefined ? schema : { content: { [contentType]: { schema } } };
}

function send(reply: Reply, body: unknown, contentType: string | undefined): Reply {
  if (contentType === undefined) return reply.send(body);
  // Its own serializer keeps the framework from adding a charset to the type.
  return reply.header('content-type', contentType).serializer(JSON.stringify).send(body);
}
