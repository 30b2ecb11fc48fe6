/** Six ways to page through the same 100 items. */

import { signingKey, valuesIn } from '../../config/setting.js';
import type { Reply, Request } from '../../http/exchange.js';
import { HttpError } from '../../http/http-error.js';
import type { Area, Services } from '../../kit/area.js';
import { paginationCollection } from './collection.js';
import { paginationExamples } from './examples.js';
import { cursorStyle } from './page-by-cursor.js';
import { halContentType, halItem, halStyle } from './page-by-hal.js';
import { keysetStyle } from './page-by-keyset.js';
import { linkStyle } from './page-by-link.js';
import { pageStyle } from './page-by-number.js';
import { offsetStyle } from './page-by-offset.js';
import type { PaginationStyle } from './pagination-style.js';
import * as schemas from './schemas.js';

const path = '/api/pagination';

const styles = [offsetStyle, pageStyle, cursorStyle, linkStyle, keysetStyle, halStyle];

const settings = {
  /** Signs the positions in cursors; at least 32 bytes, random by default. */
  cursorKey: signingKey('cursor-key', 'key that signs pagination cursors'),
};

export const paginationArea = {
  name: 'pagination',
  title: 'Pagination',
  guide: 'pagination',
  caching: 'revalidate',
  start: path,
  summary: 'Six pagination styles over the same 100 items.',
  settings,
  examples: () => paginationExamples,
  presets: [{ title: 'a page of items', method: 'GET', path: `${path}/link?page=2&per_page=2` }],
  collections: [paginationCollection],

  async addRoutes(app, services) {
    const cursorKey = await services.signingKey(
      'cursor',
      valuesIn(services.config, settings).cursorKey,
    );
    const handle = createHandlers(services, cursorKey);
    const itemCount = services.datasets.items.length;
    app.get(path, { schema: schemas.listStyles }, handle.listStyles);
    for (const style of styles) {
      const schema = schemas.readPage(style, itemCount);
      app.get(`${path}/${style.name}`, { schema }, handle.readPage(style));
    }
    app.get(`${path}/items/:id`, { schema: schemas.readItem(itemCount) }, handle.readItem);
  },
} satisfies Area;

function createHandlers({ baseUrlOf, datasets: { items } }: Services, cursorKey: Buffer) {
  const itemsUrlOf = (request: Request) => `${baseUrlOf(request)}${path}/items/`;

  return {
    async listStyles(request: Request) {
      return {
        total: items.length,
        styles: styles.map(({ name, summary, parameters }) => ({
          name,
          summary,
          url: `${baseUrlOf(request)}${path}/${name}`,
          parameters: Object.keys(parameters),
        })),
      };
    },

    readPage:
      ({ name, contentType, page }: PaginationStyle<never>) =>
      async (request: Request, reply: Reply) => {
        const { body, headers = {} } = page(items, request.query as never, {
          url: `${baseUrlOf(request)}${path}/${name}`,
          itemsUrl: itemsUrlOf(request),
          cursorKey,
        });
        return send(reply.headers(headers), body, contentType);
      },

    async readItem(request: Request, reply: Reply) {
      const { id } = request.params as { id: number };
      const item = items.find((each) => each.id === id);
      if (item === undefined) {
        const message = `There is no item ${id}. They are numbered from 1 to ${items.length}.`;
        throw new HttpError(404, message);
      }
      const collectionUrl = `${baseUrlOf(request)}${path}/${halStyle.name}`;
      return send(reply, halItem(item, itemsUrlOf(request), collectionUrl), halContentType);
    },
  };
}

function send(reply: Reply, body: unknown, contentType: string | undefined): Reply {
  if (contentType === undefined) return reply.send(body);
  // With a serializer of its own, the type gets no charset.
  return reply.header('content-type', contentType).serializer(JSON.stringify).send(body);
}
