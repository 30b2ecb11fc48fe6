/** Which pictures there are: the path of each kind, and what draws it. */

import type { Datasets } from '../../data/records.js';
import { drawAvatar } from './draw-avatar.js';
import { drawBookCover } from './draw-book-cover.js';
import { drawMoviePoster } from './draw-movie-poster.js';
import { drawPhoto } from './draw-photo.js';
import { drawProduct } from './draw-product.js';

export interface PictureKind {
  readonly path: string;
  readonly summary: string;
  /** One record, as the error for an unknown id calls it. */
  readonly noun: string;
  /** The drawing for the record of this id; undefined when there is none. */
  readonly draw: (datasets: Datasets, id: number) => string | undefined;
}

export const pictureKinds: readonly PictureKind[] = [
  {
    path: '/images/products/:id.svg',
    summary: 'Get the picture of a product',
    noun: 'product',
    draw: ({ products }, id) => drawById(products, id, drawProduct),
  },
  {
    path: '/images/movies/:id.svg',
    summary: 'Get the poster of a movie',
    noun: 'movie',
    draw: ({ movies }, id) => drawById(movies, id, drawMoviePoster),
  },
  {
    path: '/images/books/:id.svg',
    summary: 'Get the cover of a book',
    noun: 'book',
    draw: ({ books }, id) => drawById(books, id, drawBookCover),
  },
  {
    path: '/images/people/:id.svg',
    summary: 'Get the avatar of a person',
    noun: 'person',
    draw: ({ people }, id) => drawById(people, id, drawAvatar),
  },
  {
    path: '/images/photos/:id.svg',
    summary: 'Get a photo',
    noun: 'photo',
    draw: ({ photos }, id) => drawById(photos, id, (photo) => drawPhoto(photo, 1200)),
  },
  {
    path: '/images/photos/:id-thumbnail.svg',
    summary: 'Get the thumbnail of a photo',
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
