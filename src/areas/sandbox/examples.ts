/** What the front page shows of this area. */

import type { Example } from '../../kit/example.js';

const headers = { 'X-Sandbox': 'my-suite' };

export const sandboxExamples: readonly Example[] = [
  {
    title: 'Look an hour ahead, in your sandbox alone',
    method: 'PUT',
    path: '/api/sandbox/clock',
    headers,
    json: { offsetSeconds: 3600 },
    answer: { status: 200, has: '"offsetSeconds":3600' },
  },
  {
    title: 'Put all of it back',
    method: 'DELETE',
    path: '/api/sandbox',
    headers,
    answer: { status: 204, has: '' },
  },
  {
    title: 'Have any endpoint fail',
    method: 'GET',
    path: '/api/Books/1?error=503',
    answer: { status: 503, headers: ['X-Simulated'], has: 'true' },
  },
];
