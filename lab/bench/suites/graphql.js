/**
 * GraphQL queries beside answers made by hand, which parse no query, and other servers with the same
 * schema, data and resolvers.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { floor, sameBytes, startGraphqlFloor, startSameBytes } from '../floors.js';
import { importPeer } from '../import-peer.js';
import { listenOnLoopback } from '../listen-on-loopback.js';
import { ourProgram } from '../our-program.js';

const file = (/** @type {string} */ path) =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** @type {{id: number}[]} */
const books = JSON.parse(file('data/books.json'));

const allBooks =
  '{ books { id title author isbn genre publishedYear pages language price rating available tags } }';
const oneBook =
  'query Book($id: Int!) { book(id: $id) { id title author isbn genre publishedYear pages language price rating available tags } }';

/** What peers need to answer the two queries: the records in memory and a look-up by id. */
const resolvers = {
  Query: {
    books: () => books,
    book: (/** @type {unknown} */ _parent, /** @type {{id: number}} */ { id }) =>
      booksById.get(id) ?? null,
  },
};
const booksById = new Map(books.map((book) => [book.id, book]));

const peers = {
  'mercurius with JIT': () => startMercurius({ jit: 1 }),
  mercurius: () => startMercurius({}),
  'graphql-yoga': startYoga,
  'Apollo Server': startApollo,
};

const contenders = {
  'practice-api': ourProgram(),
  [floor]: startGraphqlFloor,
  [sameBytes]: (/** @type {string} */ ourUrl) =>
    startSameBytes(ourUrl, [
      posted({ query: allBooks }),
      posted({ query: oneBook, variables: { id: 7 } }),
    ]),
  ...peers,
};

/** @type {import('../harness.js').Suite} */
export const suite = {
  name: 'graphql',
  contenders,
  cases: [
    {
      name: 'all 25 books, all 12 fields',
      requests: requestsFor({ query: allBooks }),
      check(status, body) {
        assert.equal(status, 200);
        assert.deepEqual(JSON.parse(body), { data: { books } });
      },
    },
    {
      name: 'one book by variable',
      requests: requestsFor({ query: oneBook, variables: { id: 7 } }),
      check(status, body) {
        assert.equal(status, 200);
        assert.deepEqual(JSON.parse(body), { data: { book: booksById.get(7) } });
      },
    },
  ],
};

/** @param {object} parameters */
function posted(parameters) {
  return {
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(parameters),
  };
}

/** @param {object} parameters */
function requestsFor(parameters) {
  const request = posted(parameters);
  return Object.fromEntries(Object.keys(contenders).map((name) => [name, request]));
}

/** @param {{jit?: number}} options */
async function startMercurius(options) {
  const { default: Fastify } = await importPeer('fastify');
  const { default: mercurius } = await importPeer('mercurius');
  const app = Fastify();
  await app.register(mercurius, { schema: file('schema.graphql'), resolvers, ...options });
  return app.listen({ host: '127.0.0.1', port: 0 });
}

async function startYoga() {
  const { createSchema, createYoga } = await importPeer('graphql-yoga');
  const schema = createSchema({ typeDefs: file('schema.graphql'), resolvers });
  return listenOnLoopback(createServer(createYoga({ schema, logging: false })));
}

async function startApollo() {
  const { ApolloServer } = await importPeer('@apollo/server');
  const { startStandaloneServer } = await importPeer('@apollo/server/standalone');
  const server = new ApolloServer({ typeDefs: file('schema.graphql'), resolvers });
  const { url } = await startStandaloneServer(server, { listen: { host: '127.0.0.1', port: 0 } });
  return url.replace(/\/$/, '');
}
