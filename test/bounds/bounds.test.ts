/** Limits that callers can reach: exactly the limit is accepted, and one beyond it gets its rejection. */

import { beforeAll, describe } from 'vitest';
import { useService } from '../support/service.js';
import { allBounds } from './all-bounds.js';
import { testBounds } from './bound.js';

const service = useService();

const wide = Object.fromEntries(Array.from({ length: 12 }, (_, place) => [`f${place}`, place]));

beforeAll(async () => {
  await service.send('PUT /api/sandbox/data', {
    headers: { 'X-Sandbox': 'bounds-of-posts' },
    json: {
      posts: [{ id: 1, title: 'a', views: 1 }],
      comments: [{ id: 1, postId: 1 }],
      wide: [wide],
    },
  });
});

for (const [area, bounds] of Object.entries(allBounds)) {
  describe(area, () => testBounds(service, bounds));
}
