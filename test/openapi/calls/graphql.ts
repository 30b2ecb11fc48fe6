/** Calls of the GraphQL endpoint. */

import type { CallTable } from '../caller.js';

const document = '{ book(id: 1) { title author } }';
const json = { Accept: 'application/json' };

export const callGraphql: CallTable = async (caller) => {
  await caller.call('postGraphql', 'A query', { json: { query: document } });
  await caller.call('postGraphql', 'A query with variables', {
    json: {
      query: 'query Book($id: Int!) { book(id: $id) { title } }',
      variables: { id: 2 },
      operationName: 'Book',
    },
  });
  await caller.call('postGraphql', 'A mutation', {
    json: {
      query:
        'mutation { addTodo(title: "Learn", priority: "high", userId: 1) { id title completed } }',
    },
    headers: { 'X-Sandbox': 'examples' },
  });
  await caller.call('postGraphql', 'As plain JSON', { json: { query: document }, headers: json });
  await caller.call('postGraphql', 'An unknown field', {
    json: { query: '{ book(id: 1) { name } }' },
  });
  await caller.call('postGraphql', 'An unknown field, as plain JSON', {
    json: { query: '{ book(id: 1) { name } }' },
    headers: json,
  });
  await caller.call('postGraphql', 'No query', { json: {} });
  await caller.call('postGraphql', 'No query, as plain JSON', { json: {}, headers: json });
  await caller.call('postGraphql', 'Another Content-Type', { type: 'text/plain', body: document });
  await caller.call('postGraphql', 'An answer in XML', {
    json: { query: document },
    headers: { Accept: 'application/xml' },
  });
  await caller.call('postGraphql', 'A compressed body', {
    json: { query: document },
    headers: { 'Content-Encoding': 'gzip' },
  });

  await caller.call('getGraphql', 'A query', { query: { query: document } });
  await caller.call('getGraphql', 'A query with variables', {
    query: {
      query: 'query Book($id: Int!) { book(id: $id) { title } }',
      variables: '{"id": 2}',
      operationName: 'Book',
    },
  });
  await caller.call('getGraphql', 'As plain JSON', { query: { query: document }, headers: json });
  await caller.call('getGraphql', 'No query');
  await caller.call('getGraphql', 'No query, as plain JSON', { headers: json });
  await caller.call('getGraphql', 'A mutation', {
    query: { query: 'mutation { deleteTodo(id: 1) }' },
  });
  await caller.call('getGraphql', 'A mutation, as plain JSON', {
    query: { query: 'mutation { deleteTodo(id: 1) }' },
    headers: json,
  });
  await caller.call('getGraphql', 'An answer in XML', {
    query: { query: document },
    headers: { Accept: 'application/xml' },
  });
  await caller.call('getGraphql', 'The schema', { query: { sdl: '' } });
  // Names of files in the editor's page change with its build.
  const { headers } = await caller.call('getGraphql', 'The editor', {
    headers: { Accept: 'text/html' },
    isNoExample: true,
  });
  await caller.call('getGraphql', 'The editor again', {
    headers: { Accept: 'text/html', 'If-None-Match': headers.etag ?? '' },
    isNoExample: true,
  });
};
