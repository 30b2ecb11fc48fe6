/** The requests with which the front page shows collections. */

import type { Preset } from '../../../kit/area.js';
import type { Example } from '../../../kit/example.js';

export const examples: readonly Example[] = [
  {
    title: 'Change one in a sandbox of your own',
    method: 'PATCH',
    path: '/api/Books/1',
    headers: { 'X-Sandbox': 'my-suite' },
    json: { price: 9.5, available: false },
    answer: { status: 200, has: '"price":9.5,' },
  },
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

/** For the console. */
export const presets: readonly Preset[] = [
  { title: 'a book', method: 'GET', path: '/api/Books/19' },
];
