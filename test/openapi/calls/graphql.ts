/** Calls of the GraphQL endpoint. */

import { createHash } from 'node:crypto';
import { handshake } from '../../support/raw-web-socket.js';
import type { CallTable } from '../caller.js';

const document = '{ book(id: 1) { title author } }';
const sha256Hash = createHash('sha256').update(document).digest('hex');
const hashed = { persistedQuery: { version: 1, sha256Hash } };
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
  await caller.call('postGraphql', 'An unknown persisted query', {
    json: { extensions: hashed },
  });
  await caller.call('postGraphql', 'Registering a persisted query', {
    json: { query: document, extensions: hashed },
    headers: { 'X-Sandbox': 'examples' },
  });
  await caller.call('postGraphql', 'A registered persisted query', {
    json: { extensions: hashed },
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

  await caller.call('getGraphql', 'A query', { query: { query: document } });
  await caller.call('getGraphql', 'A query with variables', {
    query: {
      query: 'query Book($id: Int!) { book(id: $id) { title } }',
      variables: '{"id": 2}',
      operationName: 'Book',
    },
  });
  await caller.call('getGraphql', 'A persisted query', {
    query: { extensions: JSON.stringify(hashed) },
    headers: { 'X-Sandbox': 'examples' },
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
  await caller.call('getGraphql', 'The schema', { query: { sdl: '' } });
  await callStreams(caller);
};

const events = { Accept: 'text/event-stream' };
const countdown = 'subscription { countdown(from: 2, interval: 0) }';
const unknown = { 'X-GraphQL-Event-Stream-Token': 'unknown' };

const callStreams: CallTable = async (caller) => {
  await caller.call('getGraphql', 'A WebSocket', {
    headers: { ...handshake, 'Sec-WebSocket-Protocol': 'graphql-transport-ws' },
    isNoExample: true,
  });
  await caller.call('postGraphql', 'A subscription', {
    json: { query: countdown },
    headers: events,
  });
  await caller.call('getGraphql', 'A subscription', {
    query: { query: countdown },
    headers: events,
  });
  await caller.call('postGraphql', 'No Accept for event streams', {
    json: { query: countdown, extensions: { operationId: '1' } },
    headers: unknown,
  });
  await caller.call('getGraphql', 'No Accept for event streams', {
    query: { token: 'unknown' },
    headers: events,
  });
  await caller.call('deleteGraphql', 'No Accept for event streams', {
    query: { operationId: '1' },
    headers: unknown,
  });
  await caller.call('deleteGraphql', 'No token', { query: { operationId: '1' } });
  await caller.call('putGraphql', 'As JSON', { headers: json });
  const full = { headers: { 'X-Sandbox': 'full-of-streams' } };
  await Promise.all(Array.from({ length: 200 }, () => caller.send('putGraphql', full)));
  await caller.call('putGraphql', 'One event stream too many', full);

  const { bytes } = await caller.call('putGraphql', 'An event stream');
  const token = { 'X-GraphQL-Event-Stream-Token': String(bytes) };
  const asked = {
    json: { query: countdown, extensions: { operationId: '1' } },
    headers: token,
  } as const;
  await caller.call('postGraphql', 'On an event stream', asked);
  await caller.call('postGraphql', 'The same operation again', asked);
  await caller.call('getGraphql', 'The event stream', {
    query: { token: String(bytes) },
    headers: events,
    isStreamCut: true,
    isNoExample: true,
    onHead: async () => {
      await caller.call('getGraphql', 'The event stream again', {
        query: { token: String(bytes) },
        headers: events,
      });
      await caller.call('deleteGraphql', 'An operation', {
        query: { operationId: '1' },
        headers: token,
        isNoExample: true,
      });
    },
  });
};
