/** The area's examples on the front page. */

import type { Example } from '#kit/example.js';

export const rateLimitExamples: readonly Example[] = [
  {
    title: 'Send six requests: five pass, then you must wait',
    method: 'GET',
    path: '/api/RateLimit',
    headers: { 'X-Client-Id': 'visitor' },
    times: 6,
    response: { status: 429, headers: ['Retry-After'], has: '"error":"Too Many Requests"' },
  },
  {
    title: 'Start over',
    method: 'POST',
    path: '/api/RateLimit/reset',
    headers: { 'X-Client-Id': 'visitor' },
    response: { status: 200, has: '"clientId":"id:visitor"' },
  },
];
