/**
 * GraphQL queries, compared with responses by hand, which parse no query, and with other servers
 * with the same schema, data and resolvers.
 */

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { importPeer, listenOnLoopback } from '../../harness/peers.js';
import { isJson, ours, sameCase, sendJson } from '../cases.js';
import { floor, recordsOf, sameBytes, startFloor, startSameBytes } from '../floors.js';
import { ourProgram } from '../programs.js';

const typeDefs = readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8');
const books = recordsOf('books');
const booksById = new Map(books.map((book) => [book.id, book]));

const fields =
  'id title author isbn genre publishedYear pages language price rating available tags';
const allBooks = sendJson('POST', '/graphql', { query: `{ books { ${fields} } }` });
const oneBook = sendJson('POST', '/graphql', {
  query: `query Book($id: Int!) { book(id: $id) { ${fields} } }`,
  variables: { id: 7 },
});

/** Resolvers of the two queries for other servers: records in memory and a lookup by id. */
const resolvers = {
  Query: {
    books: () => books,
    book: (/** @type {unknown} */ _parent, /** @type {{id: number}} */ { id }) =>
      booksById.get(id) ?? null,
  },
};

/** @type {import('../run-suite.js').Suite['contenders']} */
const contenders = {
  [ours]: ourProgram(),
  [floor]: (ourUrl) => startFloor(ourUrl, look, '/graphql?query=%7B__typename%7D'),
  [sameBytes]: (ourUrl) => startSameBytes(ourUrl, [allBooks, oneBook]),
  'mercurius with JIT': () => startMercurius({ jit: 1 }),
  mercurius: () => startMercurius({}),
  'graphql-yoga': startYoga,
  'Apollo Server': startApollo,
};

const all = Object.keys(contenders);

/** @type {import('../run-suite.js').Suite} */
export const suite = {
  contenders,
  cases: [
    sameCase('all 25 books, all 12 fields', allBooks, all, isJson({ data: { books } })),
    sameCase('one book by variable', oneBook, all, isJson({ data: { book: booksById.get(7) } })),
  ],
};

/** @type {import('../floors.js').Handle} */
function look(_request, body) {
  if (body === '') return undefined;
  const { variables } = JSON.parse(body);
  const data = variables === undefined ? { books } : { book: booksById.get(variables.id) ?? null };
  const type = 'application/graphql-response+json; charset=utf-8';
  return { type, body: JSON.stringify({ data }) };
}

/** @param {{jit?: number}} options */
async function startMercurius(options) {
  const { default: Fastify } = await importPeer('fastify');
  const { default: mercurius } = await importPeer('mercurius');
  const app = Fastify();
  await app.register(mercurius, { schema: typeDefs, resolvers, ...options });
  return app.listen({ host: '127.0.0.1', port: 0 });
}

async function startYoga() {
  const { createSchema, createYoga } = await importPeer('graphql-yoga');
  const schema = createSchema({ typeDefs, resolvers });
  return listenOnLoopback(createServer(createYoga({ schema, logging: false })));
}

async function startApollo() {
  const { ApolloServer } = await importPeer('@apollo/server');
  const { startStandaloneServer } = await importPeer('@apollo/server/standalone');
  const server = new ApolloServer({ typeDefs, resolvers });
  const { url } = await startStandaloneServer(server, { listen: { host: '127.0.0.1', port: 0 } });
  return url.replace(/\/$/, '');
}
