/** Records of a sandbox by clients of gRPC, beside REST and GraphQL; sandboxes, the clock, the peer and the log. */

import { readFileSync } from 'node:fs';
import { Code, ConnectError, createClient, type Interceptor } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { createConnectTransport } from '@connectrpc/connect-web';
import grpc from '@grpc/grpc-js';
import { afterAll, describe, expect, test } from 'vitest';
import { setupsFor } from '../../pages/grpc/clients.js';
import { HelloService } from '../../src/areas/grpc/generated/hello_pb.js';
import { Echo } from '../../src/areas/grpc/generated/practice/v1/echo_pb.js';
import { Books, ChangeKind, Todos } from '../../src/areas/grpc/generated/practice/v1/records_pb.js';
import { type Loaded, loadServices } from '../support/grpc-node-clients.js';
import { useService } from '../support/service.js';

const service = useService({ trustProxy: true });
const { send } = service;

const sessions: Http2SessionManager[] = [];
afterAll(() => {
  for (const session of sessions) session.abort();
});

/** A transport of gRPC whose calls have this metadata. */
function transportWith(metadata: Readonly<Record<string, string>>) {
  const sessionManager = new Http2SessionManager(service.url);
  sessions.push(sessionManager);
  const add: Interceptor = (next) => (request) => {
    for (const [name, value] of Object.entries(metadata)) request.header.set(name, value);
    return next(request);
  };
  return createGrpcTransport({ baseUrl: service.url, sessionManager, interceptors: [add] });
}

const inSandbox = (name: string) => transportWith({ 'x-sandbox': name });
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error) => ConnectError.from(error).code,
  );

/** Begins a watch, and resolves once its head has arrived. */
async function watchBooks(sandbox: string) {
  const leaving = new AbortController();
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const watch = createClient(Books, inSandbox(sandbox)).watch(
    {},
    { signal: leaving.signal, onHeader: () => begin() },
  );
  const iterator = watch[Symbol.asyncIterator]();
  const first = iterator.next();
  await begun;
  return {
    first,
    next: () => iterator.next(),
    leave: () => leaving.abort(),
  };
}

const book = {
  title: 'By REST',
  author: 'B',
  isbn: '9780547928227',
  publishedYear: 2000,
  pages: 9,
};

test('a record that REST writes is read by gRPC and GraphQL, and a watch sees it', async () => {
  const headers = { 'x-sandbox': 'written-by-rest' };
  const watch = await watchBooks('written-by-rest');
  const { json } = await send('POST /api/Books', { headers, json: book });
  const { id } = json;
  const books = createClient(Books, inSandbox('written-by-rest'));
  expect(await books.get({ id })).toMatchObject(book);
  const query = { query: `{ book(id: ${id}) { title pages } }` };
  const { json: found } = await send('POST /graphql', { headers, json: query });
  expect(found.data.book).toEqual({ title: 'By REST', pages: 9 });
  await send(`PATCH /api/Books/${id}`, { headers, json: { price: 3.5 } });
  await send(`DELETE /api/Books/${id}`, { headers });
  const changes = [await watch.first, await watch.next(), await watch.next()];
  expect(changes.map(({ value }) => value)).toMatchObject([
    { kind: ChangeKind.CREATED, book: { id, title: 'By REST' } },
    { kind: ChangeKind.UPDATED, book: { id, price: 3.5 } },
    { kind: ChangeKind.DELETED, book: { id } },
  ]);
  watch.leave();
  expect(await codeOf(books.get({ id }))).toBe(Code.NotFound);
});

test('two sandboxes do not see each other: records, etags and watches', async () => {
  const [one, other] = ['apart-1', 'apart-2'].map((name) => createClient(Books, inSandbox(name)));
  const watch = await watchBooks('apart-1');
  const before = await one?.get({ id: 1 });
  const there = await other?.create({ book: { ...book, title: 'There' } });
  await other?.update({ book: { id: 1, price: 9, etag: before?.etag ?? '' } });
  expect(await codeOf(one?.get({ id: there?.id ?? 0 }) as Promise<unknown>)).toBe(Code.NotFound);
  expect(await one?.get({ id: 1 })).toEqual(before);
  const here = await one?.create({ book: { ...book, title: 'Here' } });
  // The watch does not send changes of the other sandbox.
  expect((await watch.first).value).toMatchObject({ book: { id: here?.id, title: 'Here' } });
  watch.leave();
});

test('the clock of the sandbox sets dates of new records', async () => {
  const headers = { 'x-sandbox': 'later' };
  const dueDateOf = async (sandbox: string) => {
    const todos = createClient(Todos, inSandbox(sandbox));
    const { dueDate } = await todos.create({ todo: { userId: 1, title: 'Due' } });
    return Date.parse(dueDate);
  };
  const day = 86_400_000;
  await send('PUT /api/sandbox/clock', { headers, json: { offsetSeconds: 10 * 86_400 } });
  const [later, today] = [await dueDateOf('later'), await dueDateOf('today')];
  // Midnight may be between them.
  expect([9, 10]).toContain((later - today) / day);
});

test('the peer is the client, as a trusted proxy names it', async () => {
  const peerOf = async (metadata: Readonly<Record<string, string>>) =>
    (await createClient(Echo, transportWith(metadata)).unary({})).peer;
  expect(await peerOf({})).toBe('127.0.0.1');
  expect(await peerOf({ 'x-forwarded-for': '192.0.2.7' })).toBe('192.0.2.7');
});

test('any authority is accepted, and selects nothing', async () => {
  const { practice } = loadServices('practice/v1/records.proto');
  const client: Loaded = new practice.v1.Books(
    new URL(service.url).host,
    grpc.credentials.createInsecure(),
    { 'grpc.default_authority': 'books.example:8080' },
  );
  const get = (sandbox: string) =>
    new Promise((resolve, reject) => {
      const metadata = new grpc.Metadata();
      metadata.set('x-sandbox', sandbox);
      client.Get({ id: 1 }, metadata, (error: unknown, value: unknown) =>
        error ? reject(error) : resolve(value),
      );
    });
  await send('PATCH /api/Books/1', { headers: { 'x-sandbox': 'authority' }, json: { price: 77 } });
  expect(await get('authority')).toMatchObject({ price: 77 });
  expect(await get('authority-2')).not.toMatchObject({ price: 77 });
  client.close();
});

test('the record of requests has calls with their method, status and fault', async () => {
  const headers = { 'x-sandbox': 'recorded' };
  await send('PUT /api/sandbox/recording', { headers, json: { on: true } });
  const rules = [{ match: { method: '/practice.v1.Books/Get' }, sequence: [{ status: 503 }] }];
  await send('PUT /api/sandbox/faults', { headers, json: { rules } });
  const books = createClient(Books, inSandbox('recorded'));
  expect(await codeOf(books.get({ id: 1 }))).toBe(Code.Unavailable);
  expect(await codeOf(books.get({ id: 1 }))).toBeUndefined();
  const { json } = await send('GET /api/sandbox/requests', { headers });
  expect(json.requests.slice(1)).toMatchObject([
    { method: 'POST', path: '/practice.v1.Books/Get', status: 200, fault: 'rule-1#1' },
    { method: 'POST', path: '/practice.v1.Books/Get', status: 200, fault: null },
  ]);
});

describe('connect-web runs', () => {
  const AsyncFunction = (async () => {}).constructor as new (
    ...texts: string[]
  ) => (...given: unknown[]) => Promise<unknown>;
  const run = (lines: string, result: string) =>
    new AsyncFunction(
      ...['createClient', 'createConnectTransport', 'Books', 'HelloService'],
      `${lines}; return ${result};`,
    )(createClient, createConnectTransport, Books, HelloService);

  test('the lines of the page', async () => {
    const { host } = new URL(service.url);
    const lines = setupsFor(host, 'page').find(({ id }) => id === 'connect-web')?.text ?? '';
    expect(await run(lines, 'book')).toMatchObject({ id: 1, title: 'The Hobbit' });
    const { json } = await send('GET /api/sandbox/grpc/findings', {
      headers: { 'x-sandbox': 'page' },
    });
    expect(json.rules).toContainEqual(
      expect.objectContaining({ rule: 'deadline-sent', outcome: 'kept' }),
    );
  });

  test('the lines of the guide', async () => {
    const guide = readFileSync(new URL('../../docs/grpc/browser.md', import.meta.url), 'utf8');
    const [, lines = ''] = /```js\n(?:import .*\n)+([^`]+)```/.exec(guide) ?? [];
    const here = lines.replace('http://localhost:3000', service.url);
    expect(here).toContain(service.url);
    expect(await run(here, "hello.sayHello({ greeting: 'Ada' })")).toMatchObject({
      reply: 'hello Ada',
    });
  });
});

test('an update with a mask changes only its fields, and resets those that are not set', async () => {
  const headers = { 'x-sandbox': 'masked' };
  const books = createClient(Books, createConnectTransport({ baseUrl: service.url }));
  const before = await books.get({ id: 3 }, { headers });
  const book = { id: 3, title: 'Ignored', pages: 7 };
  const updateMask = { paths: ['pages', 'genre'] };
  const after = await books.update({ book, updateMask }, { headers });
  expect([after.title, after.pages, after.genre]).toEqual([before.title, 7, 'Other']);
  await books.delete({ id: 3, etag: after.etag }, { headers });
  const gone = await books.get({ id: 3 }, { headers }).catch(ConnectError.from);
  expect((gone as ConnectError).code).toBe(Code.NotFound);
});
