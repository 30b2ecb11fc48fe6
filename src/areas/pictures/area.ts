/** Images for the sample data. */

import type { Area } from '#kit/area.js';
import { getPicture, listPictures } from './endpoints.js';
import { pictureKinds } from './picture-kinds.js';

export const picturesArea: Area = {
  name: 'pictures',
  title: 'Images',
  guide: 'pictures',
  summary: 'Images for the sample data.',
  front: {
    group: 'data',
    start: '/images/products/1.svg',
    examples: () => [
      {
        title: 'Get the cover of a book',
        method: 'GET',
        path: '/images/books/19.svg',
        response: { status: 200, headers: ['Content-Type', 'ETag'], has: 'image/svg+xml' },
      },
    ],
  },
  defaults: { isOpen: true },
  endpoints({ sandboxes: { datasets } }) {
    const kinds = pictureKinds(datasets);
    return [listPictures(kinds), ...kinds.map(getPicture)];
  },
};
