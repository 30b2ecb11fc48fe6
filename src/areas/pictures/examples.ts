/** What the front page shows of this area. */

import type { Example } from '../../kit/example.js';

export const pictureExamples: readonly Example[] = [
  {
    title: 'Get the cover of a book',
    method: 'GET',
    path: '/images/books/19.svg',
    answer: { status: 200, headers: ['Content-Type', 'ETag'], has: 'image/svg+xml' },
  },
];
