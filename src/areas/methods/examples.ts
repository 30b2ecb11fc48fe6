/** What the front page shows of this area. */

import type { Preset } from '../../kit/area.js';
import type { Example } from '../../kit/example.js';

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
    title: 'Send the wrong method',
    method: 'DELETE',
    path: '/api/methods/get',
    answer: { status: 405, headers: ['Allow'], has: 'This path supports GET.' },
  },
];

export const firstPreset: Preset = {
  title: 'a query',
  method: 'GET',
  path: '/api/methods/get?hello=world',
  answer: {
    headers: { 'content-length': '208', 'content-type': 'application/json; charset=utf-8' },
    json: {
      method: 'GET',
      message: 'GET request received',
      path: '/api/methods/get',
      query: { hello: 'world' },
      contentType: null,
      bodyLength: 0,
      bodyTruncated: false,
      body: null,
      timestamp: '2026-01-01T09:30:00.000Z',
    },
  },
};
