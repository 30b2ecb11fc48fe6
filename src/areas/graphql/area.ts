/** A GraphQL API over the same records as the REST areas. */

import type { Area } from '#kit/area.js';
import { importedFileToken } from '#kit/offers/front-page.js';
import { path } from './path.js';
import { graphqlSettings } from './settings.js';

const loaded = () => import('./loaded.js');

export const graphqlArea = {
  name: 'graphql',
  title: 'GraphQL',
  guide: 'graphql',
  summary: 'A GraphQL API over thirteen datasets: 20 queries, 6 mutations, 5 subscriptions.',
  front: {
    group: 'protocols',
    live: {
      method: 'GET',
      path: `${path}?query=${encodeURIComponent('{book(id:1){title}}')}`,
      shows: [
        'HTTP/1.1 200 OK',
        '',
        '{',
        '  "data": {',
        '    "book": {',
        '      "title": "The Hobbit"',
      ],
    },
    page: { path },
    purposes: [
      {
        purpose: 'test',
        title: 'GraphQL',
        says: 'Queries, mutations, subscriptions, partial failures.',
        base: '/graphql',
        line: `curl -s {base}/graphql -H 'Content-Type: application/json' -d '{"query":"{ books { title } }"}'`,
        links: [
          ['Editor', '/graphql'],
          ['Test plan', '/challenges#graphql-query'],
          ['Guide', '/guides/graphql'],
        ],
      },
    ],
    banner: (baseUrl) => ['GraphQL', baseUrl + path],
    start: `${path}?query=${encodeURIComponent('{ books { id title author } }')}`,
    examples: () => [
      {
        title: 'Request two fields of a country',
        method: 'POST',
        path,
        json: {
          query: 'query Capital($code: String!) { country(code: $code) { name capital } }',
          variables: { code: 'JP' },
        },
        response: { status: 200, has: '"capital":"Tokyo"' },
      },
      {
        title: 'Request an unknown field',
        method: 'POST',
        path,
        headers: { Accept: 'application/graphql-response+json' },
        json: { query: '{ books { titel } }' },
        response: { status: 400, has: '"field":"titel"' },
      },
    ],
  },
  offers: [
    importedFileToken.of(() => ({
      path: `${path}?sdl`,
      name: 'GraphQL schema',
      format: 'GraphQL SDL',
      for: 'GraphQL clients and type generators.',
    })),
  ],
  settings: graphqlSettings,
  postman: [{ leftOut: { deleteGraphql: 'It ends an operation of an open stream.' } }],
  defaults: { caching: 'sandbox' },
  failures: { shape: async (request, failure) => (await loaded()).shape(request, failure) },
  isLate: true,
  endpoints: async (services) => (await loaded()).endpoints(services),
} satisfies Area;
