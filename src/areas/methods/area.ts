/** One endpoint for each HTTP method. Each returns the request as it arrived. */

import type { Area } from '#kit/area.js';
import { type Preset, presetToken } from '#kit/offers/front-page.js';
import { echoAny, echoedMethods, echoOf, pathOf } from './echo.js';
import { listMethods, sendHead } from './special-methods.js';

const presets: readonly Preset[] = [
  {
    title: 'a query',
    method: 'GET',
    path: '/api/methods/get?hello=world',
    response: {
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
  },
  { title: 'unsupported method', method: 'DELETE', path: '/api/methods/get' },
];

export const methodsArea: Area = {
  name: 'methods',
  title: 'HTTP methods',
  guide: 'methods',
  summary: 'One endpoint for each HTTP method. Each returns the request as it arrived.',
  front: {
    group: 'http',
    start: pathOf('any'),
    index: '/api/methods',
    purposes: [
      {
        purpose: 'test',
        title: 'HTTP',
        says: 'An echo of each method; statuses, caching, streams.',
        base: '/api/methods',
        line: `curl -s {base}${pathOf('any')}?a=1`,
        links: [
          ['HTTP lab', '/guides/http'],
          ['Test plan', '/verdicts#cache'],
          ['Guide', '/guides/methods'],
        ],
      },
    ],
    banner: (baseUrl) => ['First try', `curl ${baseUrl}/api/methods/get`],
    examples: () => [
      {
        title: 'See a query as it arrived',
        method: 'GET',
        path: '/api/methods/get?city=Z%C3%BCrich&tag=a&tag=b',
        response: { status: 200, has: '"city":"Zürich"' },
      },
      {
        title: 'Send JSON and see it in the response',
        method: 'POST',
        path: '/api/methods/post',
        json: { name: 'Ada', languages: ['en', 'fr'], active: true },
        response: { status: 200, has: '"message":"POST request received"' },
      },
      {
        title: 'Send an unsupported method',
        method: 'DELETE',
        path: '/api/methods/get',
        response: { status: 405, headers: ['Allow'], has: 'This path supports GET.' },
      },
    ],
  },
  postman: [{ adaptations: { getMethodsGet: { call: 'A query' } } }],
  offers: presets.map((preset) => presetToken.of(() => preset)),
  defaults: { isOpen: true, queryFaults: 'lenient' },
  endpoints: ({ runtime: { clock } }) => [
    ...echoedMethods.map((method) => echoOf(method, clock)),
    sendHead,
    listMethods,
    echoAny(clock),
  ],
};
