/** Kinds of images: SVG 2, drawn only from the record. */

import { lazily } from '#base/lazily.js';
import type { Datasets } from '#data/records.js';
import { type Content, contentOf } from '#http/caching/content.js';
import { drawAvatar } from './draw-avatar.js';
import { drawBookCover } from './draw-book-cover.js';
import { drawMoviePoster } from './draw-movie-poster.js';
import { drawPhoto } from './draw-photo.js';
import { drawProduct } from './draw-product.js';

export interface PictureKind {
  /** Path below `/images/`. */
  readonly file: string;
  /** Name of one record, for the error about an unknown id. */
  readonly noun: string;
  readonly summary: string;
  /** Images by id, each drawn on first use. */
  readonly pictures: () => ReadonlyMap<string, () => Content>;
}

export function pictureKinds(datasets: Datasets): readonly PictureKind[] {
  const { products, movies, books, people, photos } = datasets;
  return [
    kind('products/:id.svg', 'product', 'Get the image of a product', products, drawProduct),
    kind('movies/:id.svg', 'movie', 'Get the poster of a movie', movies, drawMoviePoster),
    kind('books/:id.svg', 'book', 'Get the cover of a book', books, drawBookCover),
    kind('people/:id.svg', 'person', 'Get the avatar of a person', people, drawAvatar),
    kind('photos/:id.svg', 'photo', 'Get a photo', photos, (photo) => drawPhoto(photo, 1200)),
    kind('photos/:id-thumbnail.svg', 'photo', 'Get the thumbnail of a photo', photos, (photo) =>
      drawPhoto(photo, 300),
    ),
  ];
}

function kind<Drawn extends { readonly id: number }>(
  file: string,
  noun: string,
  summary: string,
  records: readonly Drawn[],
  draw: (record: Drawn) => string,
): PictureKind {
  const picture = (record: Drawn) =>
    lazily(() => contentOf(Buffer.from(draw(record)), 'image/svg+xml; charset=utf-8'));
  const entries = () => records.map((record) => [String(record.id), picture(record)] as const);
  return { file, noun, summary, pictures: lazily(() => new Map(entries())) };
}
