/** Persisted queries of Apollo Client and urql, and of the client of graphql-ws. */

import { createHash } from 'node:crypto';
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { Client, cacheExchange, fetchExchange } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';
import { createClient } from 'graphql-ws';
import { describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { useService } from '../support/service.js';

const service = useService();

interface Sent {
  readonly method: string;
  readonly hasQuery: boolean;
  readonly hasHash: boolean;
}

/** A separate sandbox, and a fetch that notes what the client sends. */
function observe(name: string) {
  const sent: Sent[] = [];
  const observed: typeof fetch = (input, init) => {
    const method = init?.method ?? 'GET';
    const text = method === 'GET' ? decodeURIComponent(String(input)) : String(init?.body);
    const hasQuery = method === 'GET' ? /[?&]query=/.test(text) : 'query' in JSON.parse(text);
    sent.push({ method, hasQuery, hasHash: text.includes('sha256Hash') });
    return fetch(input, init);
  };
  return { sent, uri: `${service.url}/s/${name}/graphql`, observed };
}

const document = 'query Book($id: Int!) { book(id: $id) { id title } }';
const mutation = 'mutation Remove { deleteTodo(id: 1) }';
const hobbit = { id: 1, title: 'The Hobbit' };
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe.each([false, true])('Apollo Client, with GET for hashes: %s', (useGETForHashedQueries) => {
  const name = `apollo-${useGETForHashedQueries}`;
  const connect = ({ uri, observed }: ReturnType<typeof observe>) => {
    const link = new PersistedQueryLink({ sha256, useGETForHashedQueries });
    return new ApolloClient({
      link: link.concat(new HttpLink({ uri, fetch: observed })),
      cache: new InMemoryCache(),
    });
  };

  test('registers a query once; another client sends only its hash', async () => {
    const first = observe(name);
    const variables = { id: 1 };
    const { data } = await connect(first).query({ query: gql(document), variables });
    expect(data).toMatchObject({ book: hobbit });
    expect(first.sent.map(({ hasQuery }) => hasQuery)).toEqual([false, true]);

    const second = observe(name);
    const again = await connect(second).query({ query: gql(document), variables });
    expect(again.data).toMatchObject({ book: hobbit });
    const method = useGETForHashedQueries ? 'GET' : 'POST';
    expect(second.sent).toEqual([{ method, hasQuery: false, hasHash: true }]);
  });

  test('runs a mutation', async () => {
    const { data } = await connect(observe(`${name}-m`)).mutate({ mutation: gql(mutation) });
    expect(data).toMatchObject({ deleteTodo: true });
  });
});

describe.each([false, true])('urql, with GET for hashes: %s', (preferGetForPersistedQueries) => {
  const name = `urql-${preferGetForPersistedQueries}`;
  const connect = ({ uri, observed }: ReturnType<typeof observe>) =>
    new Client({
      url: uri,
      fetch: observed,
      preferGetMethod: preferGetForPersistedQueries,
      exchanges: [
        cacheExchange,
        persistedExchange({ preferGetForPersistedQueries, enableForMutation: true }),
        fetchExchange,
      ],
    });

  test('registers a query once; another client sends only its hash', async () => {
    const first = observe(name);
    const { data, error } = await connect(first).query(document, { id: 1 });
    expect(error).toBeUndefined();
    expect(data.book).toMatchObject(hobbit);
    expect(first.sent.map(({ hasQuery }) => hasQuery)).toEqual([false, true]);

    const second = observe(name);
    expect((await connect(second).query(document, { id: 1 })).data.book).toMatchObject(hobbit);
    const method = preferGetForPersistedQueries ? 'GET' : 'POST';
    expect(second.sent).toEqual([{ method, hasQuery: false, hasHash: true }]);
  });

  test('runs a mutation', async () => {
    const { data, error } = await connect(observe(`${name}-m`)).mutation(mutation, {});
    expect(error).toBeUndefined();
    expect(data.deleteTodo).toBe(true);
  });
});

test('graphql-ws sends a hash with an empty query', async () => {
  const url = `${service.url.replace('http', 'ws')}/s/persisted-socket/graphql`;
  const client = createClient({ url, webSocketImpl: WebSocket });
  const run = (query: string) =>
    new Promise((resolve, reject) => {
      const persistedQuery = { version: 1, sha256Hash: sha256(document) };
      const payload = { query, variables: { id: 1 }, extensions: { persistedQuery } };
      client.subscribe(payload, { next: resolve, error: reject, complete: () => {} });
    });
  const code = 'PERSISTED_QUERY_NOT_FOUND';
  const unknown = [{ message: 'PersistedQueryNotFound', extensions: { code } }];
  await expect(run('')).rejects.toEqual(unknown);
  expect(await run(document)).toEqual({ data: { book: hobbit } });
  expect(await run('')).toEqual({ data: { book: hobbit } });
  await client.dispose();
});
