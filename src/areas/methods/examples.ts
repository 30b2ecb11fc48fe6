/** What the front page shows of this area. */

import type { Example } from '../../server/example.js';

export const methodExamples: readonly Example[] = [
  {
    title: 'See a query as it arrived',
    method: 'GET',
    path: '/api/methods/get?city=Z%C3%BCrich&tag=a&tag=b',
    answer: { status: 200, has: '"city":"Zürich"' },
  },
  {
    title: 'Send JSON and get it back',
    method: 'POST',
    path: '/api/methods/post',
    json: { name: 'Ada', languages: ['en', 'fr'], active: true },
    answer: { status: 200, has: '"message":"POST request received"' },
  },
  {
    title: 'Send the wrong verb',
    method: 'DELETE',
    path: '/api/methods/get',
    answer: { status: 405, headers: ['Allow'], has: 'This path takes GET.' },
  },
];
