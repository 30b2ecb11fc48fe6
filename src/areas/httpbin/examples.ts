/** What the front page shows of this area. */

import type { Example } from '../../kit/example.js';

export const httpbinExamples: readonly Example[] = [
  {
    title: 'Send a form, and see it as httpbin shows it',
    method: 'POST',
    path: '/httpbin/post',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'name=Ada&tag=a&tag=b',
    answer: { status: 200, has: '"name": "Ada"' },
  },
];
