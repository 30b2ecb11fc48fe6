/** Third-party GraphQL clients, subscribing over WebSocket and Server-Sent Events. */

import { ApolloClient, gql, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { EventSource } from 'eventsource';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createWsClient, type Client as WsClient } from 'graphql-ws';
import relay, { type RequestParameters } from 'relay-runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { foreignProgram } from '../support/foreign-program.js';
import { useService } from '../support/service.js';

const service = useService();
const endpoint = () => `${service.url}/graphql`;

const countdown = 'subscription Countdown($from: Int!) { countdown(from: $from, interval: 0.001) }';
const variables = { from: 2 };
const counted = [{ countdown: 2 }, { countdown: 1 }, { countdown: 0 }];
const endless = 'subscription { countdown(from: 1000, interval: 60) }';
const tooMuch = 'subscription { countdown(from: 1001) }';

const clients: { dispose(): void | Promise<void> }[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.dispose();
});

function wsClient(): WsClient {
  const url = endpoint().replace('http', 'ws');
  const client = createWsClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 });
  clients.push(client);
  return client;
}

function sseClient(singleConnection: boolean) {
  const client = createSseClient({ url: endpoint(), singleConnection, retryAttempts: 0 } as {
    url: string;
  });
  clients.push(client);
  return client;
}

/** Collects the values of an observable of any of the libraries, until it completes. */
function gather<Value>(observable: {
  subscribe(observer: {
    next(value: Value): void;
    error(error: unknown): void;
    complete(): void;
  }): unknown;
}): Promise<Value[]> {
  return new Promise((resolve, reject) => {
    const values: Value[] = [];
    observable.subscribe({
      next: (value) => values.push(value),
      error: reject,
      complete: () => resolve(values),
    });
  });
}

describe.each([
  ['graphql-ws', () => wsClient()],
  ['graphql-sse, a connection for each operation', () => sseClient(false)],
  ['graphql-sse, one connection', () => sseClient(true)],
] as const)('%s', (name, create) => {
  test('subscribes, and reads to the end', async () => {
    const results = [];
    for await (const { data } of create().iterate({ query: countdown, variables })) {
      results.push(data);
    }
    expect(results).toEqual(counted);
  });

  test('runs queries beside subscriptions that it ends', async () => {
    const client = create();
    const subscription = client.iterate({ query: endless });
    expect((await subscription.next()).value).toEqual({ data: { countdown: 1000 } });
    const query = '{ book(id: 1) { title } }';
    for await (const { data } of client.iterate({ query })) {
      expect(data).toEqual({ book: { title: 'The Hobbit' } });
    }
    await subscription.return?.();
    expect((await subscription.next()).done).toBe(true);
  });

  test('receives changes', async () => {
    const client = create();
    const changes = client.iterate<{ userChanged: unknown }>({
      query: 'subscription { userChanged { kind user { name } } }',
    });
    const first = changes.next();
    // The test cannot know when the subscription begins, so it creates users until one is reported.
    let isHeard = false;
    first.finally(() => {
      isHeard = true;
    });
    const query = `mutation { createUser(name: "${name}", job: "j", city: "c") { id } }`;
    while (!isHeard) await service.send('POST /graphql', { json: { query } });
    expect((await first).value).toEqual({
      data: { userChanged: { kind: 'CREATED', user: { name } } },
    });
    await changes.return?.();
  });
});

test('graphql-ws rejects with the errors of a rejected operation', async () => {
  const rejected = wsClient().iterate({ query: tooMuch }).next();
  await expect(rejected).rejects.toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
});

test('graphql-sse gets the errors of a rejected operation as a result', async () => {
  const { value } = await sseClient(false).iterate({ query: tooMuch }).next();
  expect(value.errors[0].extensions.code).toBe('BAD_USER_INPUT');
});

test('Apollo Client subscribes with its link for graphql-ws', async () => {
  const client = new ApolloClient({
    link: new GraphQLWsLink(wsClient()),
    cache: new InMemoryCache(),
  });
  const results = await gather<{ readonly data?: unknown }>(
    client.subscribe({ query: gql(countdown), variables }) as never,
  );
  expect(results.map(({ data }) => data)).toEqual(counted);
});

test('urql subscribes over WebSocket with its exchange', async () => {
  const ws = wsClient();
  const client = new Client({
    url: endpoint(),
    preferGetMethod: false,
    exchanges: [
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables: given }) => ({
          subscribe: (sink) => ({
            unsubscribe: ws.subscribe(
              { query, variables: given as Record<string, unknown> },
              sink as never,
            ),
          }),
        }),
      }),
    ],
  });
  expect(await dataOf(client)).toEqual(counted);
});

test('urql subscribes over Server-Sent Events by itself', async () => {
  const client = new Client({
    url: endpoint(),
    preferGetMethod: false,
    fetchSubscriptions: true,
    exchanges: [fetchExchange],
  });
  expect(await dataOf(client)).toEqual(counted);
});

/** Reads the countdown from urql, which does not report the end. */
function dataOf(client: Client): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const results: unknown[] = [];
    const { unsubscribe } = client
      .subscription(countdown, variables)
      .subscribe(({ data, error }) => {
        if (error) reject(error);
        results.push({ ...data });
        if (results.length < counted.length) return;
        setImmediate(() => unsubscribe());
        resolve(results);
      });
  });
}

test("Relay's network subscribes over WebSocket", async () => {
  const ws = wsClient();
  const network = relay.Network.create(
    () => {
      throw new Error('Nothing is fetched.');
    },
    ({ text }, given) =>
      relay.Observable.create((sink) =>
        ws.subscribe({ query: text ?? '', variables: given }, sink as never),
      ),
  );
  const request: RequestParameters = {
    id: null,
    cacheID: 'countdown',
    metadata: {},
    name: 'Countdown',
    operationKind: 'subscription',
    text: countdown,
  };
  const results = await gather<unknown>(network.execute(request, variables, {}) as never);
  expect(results).toEqual(counted.map((data) => ({ data })));
});

test('an EventSource subscribes by GET', async () => {
  const query = new URLSearchParams({ query: countdown, variables: JSON.stringify(variables) });
  const source = new EventSource(`${endpoint()}?${query}`);
  clients.push({ dispose: () => source.close() });
  const results: unknown[] = [];
  await new Promise((resolve, reject) => {
    source.addEventListener('next', ({ data }) => results.push(JSON.parse(data).data));
    source.addEventListener('complete', resolve);
    source.addEventListener('error', reject);
  });
  expect(results).toEqual(counted);
});

const curl = foreignProgram('curl');
curl.test('curl -N shows events as they arrive', async () => {
  const shown = await curl.run(
    '-sN',
    endpoint(),
    '-H',
    'Content-Type: application/json',
    '-H',
    'Accept: text/event-stream',
    '-d',
    JSON.stringify({ query: countdown, variables }),
  );
  expect(shown).toContain('event: next\ndata: {"data":{"countdown":2}}\n\n');
  expect(shown).toMatch(/event: complete\ndata: \n\n$/);
});
