/** Solutions of the track graphql. */

import { createHash } from 'node:crypto';
import { type Call, headers, type Solutions } from './solution.js';

const run = (call: Call, query: string, more: object = {}) =>
  call('POST /graphql', { json: { query, ...more } });

const two = '{ a: book(id: 1) { title } b: book(id: 2) { title } }';
const short = '{ book(id: 1) { title } }';
const hash = createHash('sha256').update(short).digest('hex');
const extensions = { persistedQuery: { version: 1, sha256Hash: hash } };
const addTodo = (priority: string) =>
  `mutation { addTodo(title: "Learn", userId: 1, priority: "${priority}") { id } }`;
const response = headers({ Accept: 'application/graphql-response+json' });

export const graphqlSolutions: Solutions = {
  'graphql-query': {
    solve: (call) => run(call, '{ book(id: 1) { title author } }'),
    misses: [
      [/exactly title and author/, (call) => run(call, '{ book(id: 1) { title author price } }')],
      [/field book/, (call) => run(call, '{ books { title author } }')],
    ],
  },
  'graphql-variables': {
    solve: (call) =>
      run(call, 'query ($id: Int!) { book(id: $id) { title } }', { variables: { id: 1 } }),
    misses: [
      [/into the document/, (call) => run(call, short)],
      [/no variables/, (call) => run(call, 'query ($id: Int!) { book(id: $id) { title } }')],
    ],
  },
  'graphql-alias': {
    solve: (call) => run(call, two),
    misses: [
      [/only one book/, (call) => run(call, short)],
      [/same name/, (call) => run(call, '{ book(id: 1) { title } book(id: 2) { title } }')],
    ],
  },
  'graphql-fragment': {
    solve: (call) =>
      run(call, 'fragment P on Book { title } { a: book(id: 1) { ...P } b: book(id: 2) { ...P } }'),
    misses: [
      [/no fragment/, (call) => run(call, two)],
      [/two places/, (call) => run(call, 'fragment P on Book { title } { book(id: 1) { ...P } }')],
    ],
  },
  'graphql-operation-name': {
    solve: (call) => run(call, `query A ${short} query B ${short}`, { operationName: 'A' }),
    misses: [
      [/no operationName/, (call) => run(call, `query A ${short} query B ${short}`)],
      [/two named/, (call) => run(call, `query A ${short}`, { operationName: 'A' })],
    ],
  },
  'graphql-mutation': {
    solve: (call) => run(call, addTodo('high')),
    misses: [
      [/not a mutation/, (call) => run(call, short)],
      [/has errors/, (call) => run(call, addTodo('none'))],
    ],
  },
  'graphql-partial': {
    solve: async (call) => [await run(call, addTodo('none')), await run(call, addTodo('low'))],
    misses: [[/no field error/, (call) => run(call, addTodo('low'))]],
  },
  'graphql-status': {
    solve: (call) => call('POST /graphql', { json: { query: '{ none }' }, ...response }),
    misses: [
      [
        /document is valid/,
        (call) => call('POST /graphql', { json: { query: short }, ...response }),
      ],
      [/Accept does not/, (call) => run(call, '{ none }')],
    ],
  },
  'graphql-directive': {
    solve: (call) =>
      run(call, 'query ($full: Boolean!) { book(id: 1) { title author @include(if: $full) } }', {
        variables: { full: false },
      }),
    misses: [
      [
        /must be a variable/,
        (call) => run(call, '{ book(id: 1) { title author @skip(if: true) } }'),
      ],
    ],
  },
  'graphql-persisted': {
    async solve(call) {
      await run(call, short, { extensions });
      await call('POST /graphql', { json: { extensions } });
    },
    misses: [
      [
        /document again/,
        async (call) => [
          await run(call, short, { extensions }),
          await run(call, short, { extensions }),
        ],
      ],
      [/no extensions/, (call) => run(call, short)],
    ],
  },
  'graphql-get': {
    solve: (call) => call(`GET /graphql?query=${encodeURIComponent(short)}`),
    misses: [[/Use GET/, (call) => run(call, short)]],
  },
};
