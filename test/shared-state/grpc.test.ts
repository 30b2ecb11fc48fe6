/** gRPC where accounts are required, over TLS, and before two replicas behind haproxy. */

import { createClient, type Interceptor } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import grpc from '@grpc/grpc-js';
import { afterAll, beforeAll, expect } from 'vitest';
import { SumRequestSchema } from '../../src/areas/grpc/generated/addsvc_pb.js';
import {
  BookSchema,
  Books,
  GetRequestSchema,
  ListBooksResponseSchema,
  ListRequestSchema,
  UpdateBookRequestSchema,
} from '../../src/areas/grpc/generated/practice/v1/records_pb.js';
import { createService, type Service } from '../../src/index.js';
import { testsWith } from '../support/foreign-program.js';
import { callRaw, messageOf, messagesIn, statusOf } from '../support/grpc-call.js';
import { type Loaded, loadServices } from '../support/grpc-node-clients.js';
import { type GrpcProxy, startHaproxy } from '../support/grpc-proxy.js';
import { type RedisServer, startRedis } from '../support/redis.js';

const { isInstalled, test } = testsWith('haproxy', 'redis');

let redis: RedisServer;
let proxy: GrpcProxy;
let services: Service[] = [];
beforeAll(async () => {
  if (!isInstalled) return;
  redis = await startRedis();
  const options = {
    stateUrl: redis.url,
    accounts: 'required',
    accountQuota: 60,
    tls: true,
  } as const;
  services = [await createService(options), await createService(options)];
  proxy = await startHaproxy(services.map(({ url }) => new URL(url).host));
});
afterAll(async () => {
  await proxy?.stop();
  await Promise.all(services.map((each) => each.close()));
  await redis?.close();
});

const sum = '/addsvc.Add/Sum';
const body = messageOf(SumRequestSchema, { a: 1n, b: 2n });

async function keyOfAccount(): Promise<string> {
  const response = await fetch(`${services[0]?.url}/api/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'grpc' }),
  });
  return ((await response.json()) as { readonly key: string }).key;
}

test('a call without a key is UNAUTHENTICATED, and one beyond the quota RESOURCE_EXHAUSTED', async () => {
  const url = `http://${proxy.target}`;
  expect(statusOf(await callRaw(url, sum, { body })).code).toBe(16);
  const headers = { 'x-service-key': await keyOfAccount() };
  const codes = new Set<number>();
  for (let count = 0; count < 61; count++) {
    codes.add(statusOf(await callRaw(url, sum, { headers, body })).code);
  }
  expect([...codes]).toEqual([0, 8]);
});

test('replicas share records, etags and page tokens, and a watch at one sees what the other writes', async () => {
  const headers = { 'x-service-key': await keyOfAccount() };
  const [first, second] = services.map(({ url }) => url) as [string, string];
  const list = await callRaw(first, '/practice.v1.Books/List', { headers });
  const [page] = messagesIn(ListBooksResponseSchema, list.body);
  const next = messageOf(ListRequestSchema, { pageToken: page?.nextPageToken ?? '' });
  const rest = await callRaw(second, '/practice.v1.Books/List', { headers, body: next });
  expect(statusOf(rest).code).toBe(0);
  const get = messageOf(GetRequestSchema, { id: 1 });
  const [book] = messagesIn(
    BookSchema,
    (await callRaw(first, '/practice.v1.Books/Get', { headers, body: get })).body,
  );
  const watched = callRaw(first, '/practice.v1.Books/Watch', {
    headers: { ...headers, 'grpc-timeout': '2S' },
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const change = messageOf(UpdateBookRequestSchema, {
    book: { id: 1, price: 1.5, etag: book?.etag ?? '' },
  });
  const update = () => callRaw(second, '/practice.v1.Books/Update', { headers, body: change });
  expect(statusOf(await update()).code).toBe(0);
  expect(statusOf(await update()).code).toBe(10);
  const { body: changes, ...ended } = await watched;
  expect(statusOf({ body: changes, ...ended }).code).toBe(4);
  expect(changes.length).toBeGreaterThan(20);
});

const pageSize = 7;

/** Calls go through the proxy to each replica in turn. */
const withGrpcJs = (key?: string) => {
  const { practice } = loadServices('practice/v1/records.proto');
  const client: Loaded = new practice.v1.Books(proxy.target, grpc.credentials.createInsecure());
  const metadata = new grpc.Metadata();
  if (key !== undefined) metadata.set('x-service-key', key);
  const call = (method: string, request: object) =>
    new Promise<Loaded>((resolve, reject) =>
      client[method](request, metadata, (error: unknown, value: unknown) =>
        error ? reject(error) : resolve(value),
      ),
    );
  return {
    get: (id: number) => call('Get', { id }),
    update: (id: number, price: number, etag: string) =>
      call('Update', { book: { id, price, etag } }),
    async list(token: string): Promise<{ readonly ids: number[]; readonly next: string }> {
      const page = await call('List', { page_size: pageSize, page_token: token });
      return { ids: page.books.map(({ id }: { id: number }) => id), next: page.next_page_token };
    },
    /** Returns what reads the price of the first change, once the head has arrived. */
    async watch() {
      const stream = client.Watch({}, metadata);
      stream.on('error', () => {});
      await new Promise((resolve) => stream.once('metadata', resolve));
      const first = new Promise<number>((resolve) =>
        stream.once('data', (change: Loaded) => resolve(change.book.price)),
      );
      return () => first.finally(() => stream.cancel());
    },
    close: () => client.close(),
  };
};

const failure = (call: Promise<unknown>) =>
  call.then(
    () => 0,
    (error: grpc.ServiceError) => error.code,
  );

test('pages, etags and watches of grpc-js hold across replicas, and a call without a key is rejected', async () => {
  const client = withGrpcJs(await keyOfAccount());
  const ids: number[] = [];
  let token = '';
  do {
    const page = await client.list(token);
    ids.push(...page.ids);
    token = page.next;
  } while (token !== '');
  expect(ids).toHaveLength(25);
  expect(new Set(ids).size).toBe(25);
  // Two watches and the calls between them reach both replicas.
  const watches = [await client.watch(), await client.watch()];
  const { etag } = await client.get(1);
  await client.update(1, 7.5, etag);
  for (const price of await Promise.all(watches.map((next) => next()))) expect(price).toBe(7.5);
  for (let count = 0; count < 2; count++) expect((await client.get(1)).price).toBe(7.5);
  expect(await failure(client.update(1, 8, etag))).toBe(10);
  client.close();

  const stranger = withGrpcJs();
  expect(await failure(stranger.get(1))).toBe(16);
  stranger.close();
  // Another account has its own records.
  const other = withGrpcJs(await keyOfAccount());
  expect((await other.get(1)).price).not.toBe(7.5);
  other.close();
});

test('a watch of Connect for Node over gRPC sees what the other replica writes', async () => {
  const key = await keyOfAccount();
  const sessions = new Http2SessionManager(`http://${proxy.target}`);
  const withKey: Interceptor = (next) => (request) => {
    request.header.set('x-service-key', key);
    return next(request);
  };
  const books = createClient(
    Books,
    createGrpcTransport({
      baseUrl: `http://${proxy.target}`,
      sessionManager: sessions,
      interceptors: [withKey],
    }),
  );
  for (const price of [3.25, 4.5, 5.75]) {
    const end = new AbortController();
    let begin = () => {};
    const hasBegun = new Promise<void>((resolve) => (begin = resolve));
    const stream = books.watch({}, { signal: end.signal, onHeader: begin });
    // The client sends the request when the first message is read.
    const first = stream[Symbol.asyncIterator]().next();
    await hasBegun;
    const { etag } = await books.get({ id: 2 });
    await books.update({ book: { id: 2, price, etag } });
    const { value } = await first;
    expect(value?.book?.price).toBe(price);
    end.abort();
  }
  sessions.abort();
});

test('calls over TLS', async () => {
  const headers = { 'x-service-key': await keyOfAccount() };
  const url = String(services[0]?.tlsUrl);
  expect(statusOf(await callRaw(url, sum, { headers, body })).code).toBe(0);
});
