/** The pictures that the sample data points to: SVG 2 drawn by us, each from its record alone. */

import { Type } from 'typebox';
import type { Datasets } from '../../data/records.js';
import type { Area } from '../../server/area.js';
import {
  type Content,
  contentAnswerHeaders,
  contentOf,
  sendContent,
} from '../../server/content.js';
import { errorSchema } from '../../server/error-schema.js';
import { cacheControl, contentSecurityPolicy, ifNoneMatch } from '../../server/header-schemas.js';
import { HttpError } from '../../server/http-error.js';
import { drawAvatar } from './draw-avatar.js';
import { drawBookCover } from './draw-book-cover.js';
import { drawMoviePoster } from './draw-movie-poster.js';
import { drawPhoto } from './draw-photo.js';
import { drawProduct } from './draw-product.js';
import { pictureExamples } from './examples.js';

interface Kind {
  readonly path: string;
  readonly summary: string;
  /** One record, as the error for an unknown id calls it. */
  readonly noun: string;
  /** The drawing for the record of this id; undefined when there is none. */
  readonly draw: (datasets: Datasets, id: number) => string | undefined;
}

const kinds: readonly Kind[] = [
  {
    path: '/images/products/:id.svg',
    summary: 'A picture of a product',
    noun: 'product',
    draw: ({ products }, id) => drawById(products, id, drawProduct),
  },
  {
    path: '/images/movies/:id.svg',
    summary: 'The poster of a movie',
    noun: 'movie',
    draw: ({ movies }, id) => drawById(movies, id, drawMoviePoster),
  },
  {
    path: '/images/books/:id.svg',
    summary: 'The cover of a book',
    noun: 'book',
    draw: ({ books }, id) => drawById(books, id, drawBookCover),
  },
  {
    path: '/images/people/:id.svg',
    summary: 'The avatar of a person',
    noun: 'person',
    draw: ({ people }, id) => drawById(people, id, drawAvatar),
  },
  {
    path: '/images/photos/:id.svg',
    summary: 'A photo',
    noun: 'photo',
    draw: ({ photos }, id) => drawById(photos, id, (photo) => drawPhoto(photo, 1200)),
  },
  {
    path: '/images/photos/:id-thumbnail.svg',
    summary: 'A photo, small',
    noun: 'photo',
    draw: ({ photos }, id) => drawById(photos, id, (photo) => drawPhoto(photo, 300)),
  },
];

function drawById<Item extends { readonly id: number }>(
  records: readonly Item[],
  id: number,
  draw: (record: Item) => string,
): string | undefined {
  const found = records.find((record) => record.id === id);
  return found && draw(found);
}

/** Drawings change with versions of this service only; who kept one asks again after a day. */
const oneDay = 'public, max-age=86400';

const response = {
  200: {
    description: 'The picture.',
    content: { 'image/svg+xml': { schema: Type.String() } },
  },
  304: Type.Null({ description: 'The caller has it already.' }),
  404: errorSchema,
};

const params = Type.Object({ id: Type.String({ description: 'The id of the record.' }) });

const description = 'An SVG that is always the same for the same record. It can be kept for a day.';

const pictureHeaders = {
  ...cacheControl,
  ...contentSecurityPolicy,
  'Cross-Origin-Resource-Policy': Type.Literal('cross-origin'),
};
const responseHeaders = {
  200: { ...contentAnswerHeaders[200], ...pictureHeaders },
  304: { ...contentAnswerHeaders[304], ...pictureHeaders },
};

export const picturesArea: Area = {
  name: 'pictures',
  title: 'Pictures',
  isOpen: true,
  start: '/images/products/1.svg',
  summary: 'The pictures that the sample data points to.',
  examples: () => pictureExamples,

  addRoutes(app, { datasets }) {
    for (const { path, summary, noun, draw } of kinds) {
      // As many as there are records at most, since only theirs are kept.
      const drawn = new Map<number, Content>();
      app.get(
        path,
        {
          schema: {
            summary,
            description,
            params,
            described: { headers: ifNoneMatch },
            response,
            responseHeaders,
          },
        },
        async (request, reply) => {
          const id = /^[1-9]\d{0,8}$/.test(request.params.id) ? Number(request.params.id) : 0;
          let content = drawn.get(id);
          if (content === undefined) {
            const svg = draw(datasets, id);
            if (svg === undefined) {
              throw new HttpError(
                404,
                `There is no ${noun} ${request.params.id} in the sample data.`,
              );
            }
            content = contentOf(Buffer.from(svg), 'image/svg+xml; charset=utf-8');
            drawn.set(id, content);
          }
          reply
            .header('cache-control', oneDay)
            // Opened by itself a picture is a document; it may load and run nothing.
            .header('content-security-policy', "default-src 'none'")
            // Pages that are isolated from other origins show only pictures that say this.
            .header('cross-origin-resource-policy', 'cross-origin');
          return sendContent(request, reply, content);
        },
      );
    }
  },
};
