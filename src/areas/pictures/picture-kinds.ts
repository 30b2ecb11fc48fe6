/** The kinds of pictures: SVG 2 drawn by us, each from its record alone. */

import { lazily } from '../../base/lazily.js';
import type { Datasets } from '../../data/records.js';
import { type Content, contentOf } from '../../http/caching/content.js';
import { drawAvatar } from './draw-avatar.js';
import { drawBookCover } from './draw-book-cover.js';
import { drawMoviePoster } from './draw-movie-poster.js';
import { drawPhoto } from './draw-photo.js';
import { drawProduct } from './draw-product.js';

export interface PictureKind {
  /** Below `/images/`. */
  readonly file: string;
  /** One record, as the error for an unknown id names it. */
  readonly noun: string;
  readonly summary: string;
  /** The pictures by id, each of which is drawn when it is first read. */
  readonly pictures: () => ReadonlyMap<string, () => Content>;
}

export function pictureKinds(datasets: Datasets): readonly PictureKind[] {
  const { products, movies, books, people, photos } = datasets;
  return [
    kind('products/:id.svg', 'product', 'Get the picture of a product', products, drawProduct),
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
