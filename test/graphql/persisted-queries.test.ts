/** Automatic persisted queries: by POST, GET, events and WebSocket, with right and wrong hashes. */

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { useGraphQL } from './graphql.js';

const service = useService();
const { post, send } = useGraphQL(service);

let count = 0;
/** Returns a document that no other test has registered, with its extensions. */
function newQuery(text = '{ book(id: 1) { title } }') {
  count += 1;
  return withHash(`${text} # ${count} ${process.pid}`);
}

function withHash(query: string) {
  const sha256Hash = createHash('sha256').update(query).digest('hex');
  return { query, sha256Hash, extensions: { persistedQuery: { version: 1, sha256Hash } } };
}

const notFound = [
  { message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } },
];
const hobbit = { book: { title: 'The Hobbit' } };

test.each([undefined, 'application/json', 'application/graphql-response+json', '*/*'])(
  'an unknown hash gets 200 and PersistedQueryNotFound; a known one runs. Accept: %s',
  async (accept) => {
    const headers = accept === undefined ? {} : { Accept: accept };
    const { query, extensions } = newQuery();
    const unknown = await post({ extensions }, headers);
    expect(unknown.status).toBe(200);
    expect(unknown.errors).toEqual(notFound);
    expect(unknown.headers['cache-control']).toContain('no-cache');
    expect((await post({ query, extensions }, headers)).data).toEqual(hobbit);
    const known = await post({ extensions }, headers);
    expect(known.status).toBe(200);
    expect(known.data).toEqual(hobbit);
  },
);

test.each([
  ['absent', {}],
  ['empty', { query: '' }],
  ['null', { query: null }],
])('the query may be %s beside a hash', async (_name, without) => {
  const { query, extensions } = newQuery();
  await post({ query, extensions });
  expect((await post({ ...without, extensions })).data).toEqual(hobbit);
});

const targetOf = (parameters: Readonly<Record<string, unknown>>) => {
  const texts = Object.entries(parameters).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return `/graphql?${new URLSearchParams(Object.fromEntries(texts))}`;
};

test('GET finds and registers hashes, also for a browser, and below /s/{sandbox}', async () => {
  const { query, extensions } = newQuery('query Q($id: Int!) { book(id: $id) { title } }');
  const variables = { id: 1 };
  const hashed = targetOf({ extensions, variables, operationName: 'Q' });
  expect((await send(`GET ${hashed}`)).errors).toEqual(notFound);
  expect((await send(`GET ${targetOf({ query, extensions, variables })}`)).data).toEqual(hobbit);
  expect((await send(`GET ${hashed}`)).data).toEqual(hobbit);
  const headers = { Accept: 'text/html,application/json;q=0.9' };
  expect((await send(`GET ${hashed}`, { headers })).data).toEqual(hobbit);
  expect((await send(`GET /s/another${hashed}`)).errors).toEqual(notFound);
});

test('a sandbox has its own hashes, and a reset forgets them', async () => {
  const { query, extensions } = newQuery();
  const mine = { 'X-Sandbox': 'persisted-mine' };
  await post({ query, extensions }, mine);
  expect((await post({ extensions }, mine)).data).toEqual(hobbit);
  expect((await post({ extensions }, { 'X-Sandbox': 'persisted-other' })).errors).toEqual(notFound);
  await service.send('DELETE /api/sandbox', { headers: mine });
  expect((await post({ extensions }, mine)).errors).toEqual(notFound);
});

test('a mutation by its hash runs with POST only', async () => {
  const headers = { 'X-Sandbox': 'persisted-mutation' };
  const { query, extensions } = newQuery('mutation { deleteTodo(id: 1) }');
  expect((await post({ query, extensions }, headers)).data).toEqual({ deleteTodo: true });
  expect((await post({ extensions }, headers)).data).toEqual({ deleteTodo: false });
  const got = await send(`GET ${targetOf({ extensions })}`, { headers });
  expect(got.status).toBe(405);
  expect(got.headers.allow).toBe('POST');
});

test.each(['application/json', 'application/graphql-response+json'])(
  'a hash of another document is an error that names the right hash: %s',
  async (accept) => {
    const { query, sha256Hash } = newQuery();
    const { extensions } = newQuery();
    const { status, errors } = await post({ query, extensions }, { Accept: accept });
    expect(status).toBe(400);
    expect(errors[0].extensions.code).toBe('INVALID_REQUEST');
    expect(errors[0].message).toContain(sha256Hash);
    expect((await post({ extensions })).errors).toEqual(notFound);
  },
);

const { sha256Hash } = newQuery();
test.each([
  ['true', true, 'a boolean'],
  ['a string', 'x', 'a string'],
  ['a list', [], 'an array'],
  ['an empty object', {}, 'version must be 1'],
  ['version 2', { version: 2, sha256Hash }, 'version must be 1'],
  ['version "1"', { version: '1', sha256Hash }, 'version must be 1'],
  ['no hash', { version: 1 }, '64 hexadecimal digits'],
  ['a short hash', { version: 1, sha256Hash: 'abc' }, '64 hexadecimal digits'],
  ['capitals', { version: 1, sha256Hash: sha256Hash.toUpperCase() }, '64 hexadecimal digits'],
  ['a number', { version: 1, sha256Hash: 7 }, '64 hexadecimal digits'],
  [
    'a member of Object.prototype',
    { version: 1, sha256Hash: '__proto__' },
    '64 hexadecimal digits',
  ],
])('persistedQuery that is %s is rejected', async (_name, persistedQuery, message) => {
  const extensions = { persistedQuery };
  const posted = await post({ query: '{ book(id: 1) { title } }', extensions });
  expect(posted.status).toBe(400);
  expect(posted.errors[0].message).toContain(message);
  const got = await send(`GET ${targetOf({ extensions })}`);
  expect(got.status).toBe(400);
  expect(got.errors[0].message).toContain(message);
});

test('a request without a document and a hash gets the error of a missing query', async () => {
  for (const extensions of [null, {}, { persistedQuery: null }, { other: 1 }]) {
    const { status, errors } = await post({ extensions });
    expect(status).toBe(400);
    expect(errors[0].message).toContain('The query property is missing.');
  }
});

test('an invalid document is not registered', async () => {
  const { query, extensions } = newQuery('{ book(id: 1) { titel } }');
  expect((await post({ query, extensions })).status).toBe(400);
  expect((await post({ extensions })).errors).toEqual(notFound);
});

test('a document of more than 16 KiB runs, but is not stored', async () => {
  const { query, extensions } = newQuery(`{ book(id: 1) { title } } # ${'x'.repeat(16 * 1024)}`);
  expect((await post({ query, extensions })).data).toEqual(hobbit);
  expect((await post({ extensions })).errors).toEqual(notFound);
});

test('a sandbox stores 500 documents; one more drops the oldest', async () => {
  const headers = { 'X-Sandbox': 'persisted-many' };
  const queries = Array.from({ length: 501 }, () => newQuery('{ __typename }'));
  const [oldest, second, ...others] = queries;
  for (const each of [oldest, second]) await post(each, headers);
  await Promise.all(others.map((each) => post(each, headers)));
  expect((await post({ extensions: oldest?.extensions }, headers)).errors).toEqual(notFound);
  for (const each of [second, others.at(-1)]) {
    expect((await post({ extensions: each?.extensions }, headers)).data).toEqual({
      __typename: 'Query',
    });
  }
});

test('events support persisted queries and subscriptions', async () => {
  const events = { Accept: 'text/event-stream', 'Content-Type': 'application/json' };
  const { query, extensions } = newQuery('subscription { countdown(from: 1, interval: 0) }');
  const ask = async (json: object) =>
    (await service.send('POST /graphql', { json, headers: events })).text;
  expect(await ask({ extensions })).toContain('PersistedQueryNotFound');
  expect(await ask({ query, extensions })).toContain('{"countdown":0}');
  expect(await ask({ extensions })).toContain('{"countdown":0}');
});
