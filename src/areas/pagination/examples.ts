/** The area's examples on the front page. */

import type { Example } from '#kit/example.js';

export const paginationExamples: readonly Example[] = [
  {
    title: 'Get a page, and the cursor of the next page',
    method: 'GET',
    path: '/api/pagination/cursor?limit=3',
    response: { status: 200, has: '"has_more":true' },
  },
  {
    title: 'Follow the Link header',
    method: 'GET',
    path: '/api/pagination/link?page=2&per_page=3',
    response: { status: 200, headers: ['Link', 'X-Total-Count'], has: 'rel="next"' },
  },
];
