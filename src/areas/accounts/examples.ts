/** What the front page shows of this area. */

import type { Example } from '../../kit/example.js';

export const accountExamples: readonly Example[] = [
  {
    title: 'Whether this service needs an account',
    method: 'GET',
    path: '/api/accounts',
    answer: { status: 200, has: '"isRequired"' },
  },
  {
    title: 'Create an account, and see its key once',
    method: 'POST',
    path: '/api/accounts',
    json: { name: 'My test suite' },
    answer: { status: 201, headers: ['Location'], has: '"key":"psk_' },
  },
];
