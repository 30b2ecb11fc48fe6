/** Six ways to page through the same 100 items. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { signingKey, valuesIn } from '../../config/setting.js';
import type { Area } from '../../server/area.js';
import { errorSchema } from '../../server/error-schema.js';
import { faultParameters } from '../../server/fault-parameters.js';
import { HttpError } from '../../server/http-error.js';
import { paginationCollection } from './collection.js';
import { paginationExamples } from './examples.js';
import { cursorStyle } from './page-by-cursor.js';
import { halContentType, halItem, halItemSchema, halStyle } from './page-by-hal.js';
import { keysetStyle } from './page-by-keyset.js';
import { linkStyle } from './page-by-link.js';
import { pageStyle } from './page-by-number.js';
import { offsetStyle } from './page-by-offset.js';

const path = '/api/pagination';

const styles = [offsetStyle, pageStyle, cursorStyle, linkStyle, keysetStyle, halStyle];

const indexSchema = Type.Object({
  total: Type.Integer({ description: 'How many items there are.' }),
  styles: Type.Array(
    Type.Object({
      name: Type.String(),
      summary: Type.String(),
      url: Type.String(),
      parameters: Type.Array(Type.String()),
    }),
  ),
});

const settings = {
  /** Signs the positions in cursors; at least 32 bytes, random by default. */
  cursorKey: signingKey('cursor-key', 'key that signs pagination cursors'),
};

export const paginationArea = {
  name: 'pagination',
  title: 'Pagination',
  caching: 'revalidate',
  start: path,
  summary: 'Six pagination styles over the same 100 items.',
  settings,
  examples: () => paginationExamples,
  presets: [{ title: 'a page of items', method: 'GET', path: `${path}/link?page=2&per_page=2` }],
  collections: [paginationCollection],

  async addRoutes(app, { baseUrlOf, config, datasets, signingKey: keyOf }) {
    const cursorKey = await keyOf('cursor', valuesIn(config, settings).cursorKey);
    const itemsUrlOf = (request: FastifyRequest) => `${baseUrlOf(request)}${path}/items/`;

    app.get(
      path,
      {
        schema: {
          summary: 'Lists the pagination styles',
          description: 'Each with its address and the parameters that it takes.',
          response: { 200: indexSchema },
        },
      },
      async (request) => ({
        total: datasets.items.length,
        styles: styles.map(({ name, summary, parameters }) => ({
          name,
          summary,
          url: `${baseUrlOf(request)}${path}/${name}`,
          parameters: Object.keys(parameters),
        })),
      }),
    );

    for (const style of styles) {
      const { name, parameters, contentType } = style;
      app.route({
        method: 'GET',
        url: `${path}/${name}`,
        schema: {
          summary: style.summary,
          description: `Always of the same ${datasets.items.length} items, which nothing changes.`,
          querystring: Type.Object(
            { ...parameters, ...faultParameters },
            { additionalProperties: false },
          ),
          response: { 200: bodyOf(style.response, contentType), 400: errorSchema },
          ...(style.responseHeaders && { responseHeaders: { 200: style.responseHeaders } }),
        },
        handler: async (request, reply: FastifyReply) => {
          const { body, headers = {} } = style.page(datasets.items, request.query as never, {
            url: `${baseUrlOf(request)}${path}/${name}`,
            itemsUrl: itemsUrlOf(request),
            cursorKey,
          });
          return send(reply.headers(headers), body, contentType);
        },
      });
    }

    app.route({
      method: 'GET',
      url: `${path}/items/:id`,
      schema: {
        summary: 'Reads one item, with its links',
        description: 'One of the items that every style pages through.',
        params: Type.Object({
          id: Type.Integer({
            maximum: Number.MAX_SAFE_INTEGER,
            description: `From 1 to ${datasets.items.length}.`,
          }),
        }),
        response: {
          200: bodyOf(halItemSchema, halContentType),
          400: errorSchema,
          404: errorSchema,
        },
      },
      handler: async (request, reply: FastifyReply) => {
        const { id } = request.params as { id: number };
        const item = datasets.items.find((each) => each.id === id);
        if (item === undefined) {
          const message = `There is no item ${id}. They are numbered from 1 to ${datasets.items.length}.`;
          throw new HttpError(404, message);
        }
        const collectionUrl = `${baseUrlOf(request)}${path}/${halStyle.name}`;
        return send(reply, halItem(item, itemsUrlOf(request), collectionUrl), halContentType);
      },
    });
  },
} satisfies Area;

function bodyOf(schema: object, contentType: string | undefined) {
  return contentType === undefined ? schema : { content: { [contentType]: { schema } } };
}

function send(reply: FastifyReply, body: unknown, contentType: string | undefined): FastifyReply {
  if (contentType === undefined) return reply.send(body);
  // By a serializer of its own, because the framework would add a charset that the type has not.
  return reply.header('content-type', contentType).serializer(JSON.stringify).send(body);
}
