/** What the front page shows of events. */

import type { Example } from '../../../kit/example.js';

export const eventExamples: readonly Example[] = [
  {
    title: 'Filter, sort and take the first two',
    method: 'GET',
    path: '/api/Events?category=Music&price_lte=60&sort=-startsAt&limit=2',
    answer: { status: 200, headers: ['X-Total-Count', 'Link'], has: '"category":"Music"' },
  },
  {
    title: 'Send faulty fields and have each one named',
    method: 'POST',
    path: '/api/Events',
    json: { name: '', startsAt: 'tomorrow', endsAt: '2030-01-01T00:00:00Z', price: -1 },
    answer: { status: 400, has: '"field":"startsAt"' },
  },
];
