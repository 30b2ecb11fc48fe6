/** What the front page shows of books. */

import type { Example } from '../../../kit/example.js';

export const bookExamples: readonly Example[] = [
  {
    title: 'Change one in a sandbox of your own',
    method: 'PATCH',
    path: '/api/Books/1',
    headers: { 'X-Sandbox': 'my-suite' },
    json: { price: 9.5, available: false },
    answer: { status: 200, has: '"price":9.5,' },
  },
];
