/** The pictures that the sample data points to: SVG 2 drawn by us, each from its record alone. */

import type { Datasets } from '../../data/records.js';
import { type Content, contentOf, sendContent } from '../../http/caching/content.js';
import type { Reply, Request } from '../../http/exchange.js';
import { HttpError } from '../../http/http-error.js';
import type { Area } from '../../kit/area.js';
import { pictureExamples } from './examples.js';
import { indexHandler, indexSchema } from './index-page.js';
import { type PictureKind, pictureKinds } from './picture-kinds.js';
import { routeSchema } from './route-schema.js';

export const picturesArea: Area = {
  name: 'pictures',
  title: 'Pictures',
  guide: 'pictures',
  defaults: {
    isOpen: true,
  },
  front: {
    start: '/images/products/1.svg',
    examples: () => pictureExamples,
  },
  summary: 'The pictures that the sample data points to.',
  addRoutes(app, { datasets, baseUrlOf }) {
    app.get('/images', { schema: indexSchema }, indexHandler(datasets, baseUrlOf));
    for (const kind of pictureKinds) {
      const give = createHandler(kind, datasets);
      app.get(kind.path, { schema: routeSchema(kind.summary) }, (request, reply) =>
        give(request, reply, request.params.id),
      );
    }
  },
};

/** Drawings change with versions of this service only; who kept one asks again after a day. */
const oneDay = 'public, max-age=86400';

function createHandler({ noun, draw }: PictureKind, datasets: Datasets) {
  // As many as there are records at most, since only theirs are kept.
  const drawn = new Map<number, Content>();

  function pictureOf(givenId: string): Content {
    const id = /^[1-9]\d{0,8}$/.test(givenId) ? Number(givenId) : 0;
    const known = drawn.get(id);
    if (known !== undefined) return known;
    const svg = draw(datasets, id);
    if (svg === undefined) {
      throw new HttpError(404, `There is no ${noun} ${givenId} in the sample data.`);
    }
    const content = contentOf(Buffer.from(svg), 'image/svg+xml; charset=utf-8');
    drawn.set(id, content);
    return content;
  }

  return async (request: Request, reply: Reply, givenId: string) => {
    const content = pictureOf(givenId);
    reply
      .header('cache-control', oneDay)
      // Opened by itself a picture is a document; it may load and run nothing.
      .header('content-security-policy', "default-src 'none'")
      // Pages that are isolated from other origins show only pictures that say this.
      .header('cross-origin-resource-policy', 'cross-origin');
    return sendContent(request, reply, content);
  };
}
