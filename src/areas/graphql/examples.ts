/** What the front page shows of this area. */

import type { Example } from '../../kit/example.js';

const accept = 'application/graphql-response+json';

export const graphqlExamples: readonly Example[] = [
  {
    title: 'Ask for two fields of a country',
    method: 'POST',
    path: '/graphql',
    json: {
      query: 'query Capital($code: String!) { country(code: $code) { name capital } }',
      variables: { code: 'JP' },
    },
    answer: { status: 200, has: '"capital":"Tokyo"' },
  },
  {
    title: 'Ask for a field that is not there',
    method: 'POST',
    path: '/graphql',
    headers: { Accept: accept },
    json: { query: '{ books { titel } }' },
    answer: { status: 400, has: '"field":"titel"' },
  },
];
