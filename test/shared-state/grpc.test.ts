/** gRPC where accounts are required, over TLS, and before two replicas behind haproxy. */

import { afterAll, beforeAll, expect } from 'vitest';
import { SumRequestSchema } from '../../src/areas/grpc/generated/addsvc_pb.js';
import {
  BookSchema,
  GetRequestSchema,
  ListBooksResponseSchema,
  ListRequestSchema,
  UpdateBookRequestSchema,
} from '../../src/areas/grpc/generated/practice/v1/records_pb.js';
import { createService, type Service } from '../../src/index.js';
import { testsWith } from '../support/foreign-program.js';
import { callRaw, messageOf, messagesIn, statusOf } from '../support/grpc-call.js';
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
    accountQuota: 30,
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
  for (let count = 0; count < 31; count++) {
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

test('calls over TLS', async () => {
  const headers = { 'x-service-key': await keyOfAccount() };
  const url = String(services[0]?.tlsUrl);
  expect(statusOf(await callRaw(url, sum, { headers, body })).code).toBe(0);
});
