/** Reports of bugs of pagination, which are never served. */

import type { BugCase } from './bug-case.js';

export const paginationCases: Readonly<Record<string, BugCase>> = {
  'page-last-too-early': {
    steps: ['GET /api/pagination/page?page=8&size=10'],
    at: 'body.last',
    right: false,
    wrong: true,
    healthy: ['GET /api/pagination/page'],
    healthyStatus: 200,
  },
  'offset-more-at-the-end': {
    steps: ['GET /api/pagination/offset?offset=90&limit=10'],
    at: 'body.pagination.hasMore',
    right: false,
    wrong: true,
    healthy: ['GET /api/pagination/offset?offset=10&limit=5'],
    healthyStatus: 200,
  },
  'cursor-skips-an-item': {
    steps: [
      'GET /api/pagination/cursor?limit=4',
      'GET /api/pagination/cursor?limit=4&cursor={1.json.next_cursor}',
    ],
    at: 'body.data',
    right: { length: 4 },
    wrong: { length: 3 },
    healthy: ['GET /api/pagination/cursor'],
    healthyStatus: 200,
  },
  'keyset-repeats-an-item': {
    steps: ['GET /api/pagination/keyset?after_id=4&limit=3'],
    at: 'body.data.0.id',
    right: 5,
    wrong: 4,
    healthy: ['GET /api/pagination/keyset'],
    healthyStatus: 200,
  },
  'hal-next-missing': {
    steps: ['GET /api/pagination/hal?page=8&size=10'],
    at: 'body._links.next',
    right: { href: '/api/pagination/hal?page=9&size=10' },
    wrong: null,
    healthy: ['GET /api/pagination/hal'],
    healthyStatus: 200,
  },
  'link-total-of-the-page': {
    steps: ['GET /api/pagination/link?per_page=10'],
    at: 'headers.x-total-count',
    right: '100',
    wrong: '10',
    healthy: ['GET /api/pagination/link?per_page=0'],
    healthyStatus: 400,
  },
  'last-item-unknown': {
    steps: ['GET /api/pagination/items/100'],
    at: 'status',
    right: 200,
    wrong: 404,
    healthy: ['GET /api/pagination/items/99'],
    healthyStatus: 200,
  },
};
