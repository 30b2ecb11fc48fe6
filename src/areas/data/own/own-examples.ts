/** What the front page shows of this area. */

import type { Example } from '../../../kit/example.js';

const headers = { 'X-Sandbox': 'my-suite' };

export const ownExamples: readonly Example[] = [
  {
    title: 'Bring data of your own',
    method: 'PUT',
    path: '/api/sandbox/data',
    headers,
    json: { posts: [{ id: 1, title: 'Hello' }], comments: [{ id: 1, postId: 1, text: 'Hi' }] },
    answer: { status: 200, has: '"posts":1' },
  },
  {
    title: 'See what became of it',
    method: 'GET',
    path: '/my',
    headers,
    answer: { status: 200, has: '"collections"' },
  },
];
