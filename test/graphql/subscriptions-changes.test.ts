/** The changes that subscriptions report, from any client and any protocol. */

import { afterEach, expect, test } from 'vitest';
import { useDirectService } from '../support/direct-service.js';
import { openStream, type TestStream } from '../support/event-source.js';
import { change } from '../support/many-changes.js';
import { openWebSocket, type RawWebSocket, text } from '../support/raw-web-socket.js';
import { useService } from '../support/service.js';
import { useGraphQL } from './graphql.js';

const service = useService();
/** Proxies buffer many megabytes for a client that reads nothing. */
const direct = useDirectService();

const opened: (TestStream | { close(): void })[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

async function watch(sandbox: string, query: string, variables?: object): Promise<TestStream> {
  const json = { query, variables };
  const stream = await openStream(service.url, `/s/${sandbox}/graphql`, { json });
  opened.push(stream);
  expect(stream.status).toBe(200);
  return stream;
}

function graphqlIn(sandbox: string) {
  return useGraphQL({
    url: service.url,
    send: (target, options) =>
      service.send(target.replace('/graphql', `/s/${sandbox}/graphql`), options),
  });
}

const todos = 'subscription { todoChanged { kind todo { id title completed } } }';

test('mutations of todos are reported in order, with the last state of a deleted one', async () => {
  const stream = await watch('subs-todos', todos);
  const graphql = graphqlIn('subs-todos');
  const { addTodo } = await graphql.data(
    'mutation { addTodo(title: "watched", userId: 3, priority: "low") { id } }',
  );
  const { id } = addTodo;
  await graphql.data('mutation ($id: Int!) { toggleTodo(id: $id) { id } deleteTodo(id: $id) }', {
    id,
  });
  const changes = [];
  for (let n = 0; n < 3; n++) changes.push((await stream.next())?.data.data.todoChanged);
  expect(changes).toEqual([
    { kind: 'CREATED', todo: { id, title: 'watched', completed: false } },
    { kind: 'UPDATED', todo: { id, title: 'watched', completed: true } },
    { kind: 'DELETED', todo: { id, title: 'watched', completed: true } },
  ]);
});

test('a variable limits the changes to one user', async () => {
  const query = 'subscription ($u: Int) { todoChanged(userId: $u) { kind todo { userId } } }';
  const one = await watch('subs-filter', query, { u: 2 });
  const all = await watch('subs-filter', query, { u: null });
  const graphql = graphqlIn('subs-filter');
  for (const userId of [1, 2]) {
    await graphql.data(
      'mutation ($u: Int!) { addTodo(title: "a", userId: $u, priority: "low") { id } }',
      { u: userId },
    );
  }
  const userOf = async (stream: TestStream) =>
    (await stream.next())?.data.data.todoChanged.todo.userId;
  expect(await userOf(one)).toBe(2);
  expect([await userOf(all), await userOf(all)]).toEqual([1, 2]);
});

test('users, with aliases, fragments and __typename', async () => {
  const stream = await watch(
    'subs-users',
    'subscription { changed: userChanged { __typename what: kind ...U } } fragment U on UserChange { user { name __typename } }',
  );
  const graphql = graphqlIn('subs-users');
  await graphql.data('mutation { updateUser(id: 1, name: "N", job: "J", city: "C") { id } }');
  await graphql.data('mutation { deleteUser(id: 1) }');
  expect(await stream.next()).toEqual({
    event: 'next',
    data: {
      data: {
        changed: {
          __typename: 'UserChange',
          what: 'UPDATED',
          user: { name: 'N', __typename: 'User' },
        },
      },
    },
  });
  expect((await stream.next())?.data.data.changed.what).toBe('DELETED');
});

test('events that REST writes', async () => {
  const stream = await watch(
    'subs-events',
    'subscription { eventChanged { kind event { id name tags } } }',
  );
  const { json } = await service.send('POST /s/subs-events/api/Events', {
    json: {
      name: 'By REST',
      category: 'Music',
      venue: 'Hall',
      city: 'Oslo',
      startsAt: '2027-01-01T10:00:00Z',
      endsAt: '2027-01-01T12:00:00Z',
      price: 10,
      capacity: 10,
      organizer: 'Us',
    },
  });
  await service.send(`PATCH /s/subs-events/api/Events/${json.id}`, {
    json: { name: 'Renamed' },
    headers: { 'Content-Type': 'application/merge-patch+json' },
  });
  await service.send(`DELETE /s/subs-events/api/Events/${json.id}`);
  const changes = [];
  for (let n = 0; n < 3; n++) changes.push((await stream.next())?.data.data.eventChanged);
  expect(changes.map(({ kind, event }) => [kind, event.id, event.name])).toEqual([
    ['CREATED', json.id, 'By REST'],
    ['UPDATED', json.id, 'Renamed'],
    ['DELETED', json.id, 'Renamed'],
  ]);
});

test('changes of other sandboxes are not reported, and changes after a reset are', async () => {
  const stream = await watch('subs-mine', todos);
  const add = 'mutation ($t: String!) { addTodo(title: $t, userId: 1, priority: "low") { id } }';
  await graphqlIn('subs-other').data(add, { t: 'other' });
  await graphqlIn('subs-mine').data(add, { t: 'mine' });
  expect((await stream.next())?.data.data.todoChanged.todo.title).toBe('mine');
  await service.send('DELETE /s/subs-mine/api/sandbox');
  await graphqlIn('subs-mine').data(add, { t: 'anew' });
  expect((await stream.next())?.data.data.todoChanged.todo.title).toBe('anew');
});

test('concurrent writes are all reported, in the same order to all subscribers', async () => {
  const streams = [await watch('subs-many', todos), await watch('subs-many', todos)];
  const graphql = graphqlIn('subs-many');
  const add = 'mutation ($t: String!) { addTodo(title: $t, userId: 1, priority: "low") { id } }';
  await Promise.all(Array.from({ length: 40 }, (_, n) => graphql.data(add, { t: String(n) })));
  const heard = await Promise.all(
    streams.map(async (stream) => {
      const titles: string[] = [];
      while (titles.length < 40) {
        titles.push((await stream.next())?.data.data.todoChanged.todo.title);
      }
      return titles;
    }),
  );
  expect(heard[0]).toEqual(heard[1]);
  expect(new Set(heard[0]).size).toBe(40);
});

test('a subscriber that leaves more than a thousand changes unread learns that some are lost', async () => {
  const names = Array.from({ length: 400 }, (_, n) => `a${n}: title`).join(' ');
  const socket = await openWebSocket(direct.url, '/s/subs-lost/graphql', {
    'Sec-WebSocket-Protocol': 'graphql-transport-ws',
  });
  opened.push({ close: () => socket.connection.socket.destroy() });
  const say = (message: object) => socket.send(text(JSON.stringify(message)));
  say({ type: 'connection_init' });
  const query = `subscription { postChanged { post { ${names} } } }`;
  say({ id: 'a', type: 'subscribe', payload: { query } });
  say({ type: 'ping' });
  for (let n = 0; n < 2; n++) await socket.text();
  socket.connection.socket.pause();
  await change(direct, '/s/subs-lost/api/Posts', 1200);
  socket.connection.socket.resume();
  for (;;) {
    const heard = JSON.parse(await socket.text());
    expect(heard).toMatchObject({ id: 'a', type: 'next' });
    const [error] = heard.payload.errors ?? [];
    if (error === undefined) continue;
    expect(error.message).toContain('Changes were lost: only 1,000 are kept');
    expect(error.extensions).toMatchObject({ limit: 'keptChanges', maximum: 1000 });
    break;
  }
  expect(JSON.parse(await socket.text())).toEqual({ id: 'a', type: 'complete' });
});

test('over WebSocket, too: a pong after a subscription means that it is active', async () => {
  const socket: RawWebSocket = await openWebSocket(service.url, '/s/subs-ws/graphql', {
    'Sec-WebSocket-Protocol': 'graphql-transport-ws',
  });
  opened.push({ close: () => socket.connection.socket.destroy() });
  const say = (message: object) => socket.send(text(JSON.stringify(message)));
  say({ type: 'connection_init' });
  say({ id: 'a', type: 'subscribe', payload: { query: todos } });
  say({ type: 'ping' });
  expect(JSON.parse(await socket.text())).toEqual({ type: 'connection_ack' });
  expect(JSON.parse(await socket.text())).toEqual({ type: 'pong' });
  await graphqlIn('subs-ws').data('mutation { toggleTodo(id: 1) { id } deleteTodo(id: 1) }');
  for (const kind of ['UPDATED', 'DELETED']) {
    expect(JSON.parse(await socket.text())).toMatchObject({
      id: 'a',
      type: 'next',
      payload: { data: { todoChanged: { kind, todo: { id: 1 } } } },
    });
  }
});

test('one stream carries many operations, on any replica', async () => {
  const path = '/s/subs-single/graphql';
  const put = await service.send(`PUT ${path}`);
  expect(put.status).toBe(201);
  expect(put.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(put.headers['cache-control']).toBe('no-store');
  const token = { 'X-GraphQL-Event-Stream-Token': put.text };
  const stream = await openStream(service.url, `${path}?token=${put.text}`, { method: 'GET' });
  opened.push(stream);
  expect(stream.status).toBe(200);
  const ask = (operationId: string, query: string) =>
    service.send(`POST ${path}`, { headers: token, json: { query, extensions: { operationId } } });

  expect((await ask('q', '{ book(id: 1) { title } }')).status).toBe(202);
  expect(await stream.next()).toEqual({
    event: 'next',
    data: { id: 'q', payload: { data: { book: { title: 'The Hobbit' } } } },
  });
  expect(await stream.next()).toEqual({ event: 'complete', data: { id: 'q' } });

  expect((await ask('s', 'subscription { countdown(from: 1000, interval: 60) }')).status).toBe(202);
  expect((await stream.next())?.data).toEqual({ id: 's', payload: { data: { countdown: 1000 } } });
  const twice = await ask('s', '{ users { id } }');
  expect(twice.status).toBe(409);
  expect(twice.json.message).toContain('operationId');

  const ended = await service.send(`DELETE ${path}?operationId=s`, { headers: token });
  expect(ended.status).toBe(200);
  // Its id is free once the stream has ended it.
  await expect.poll(async () => (await ask('s', '{ user(id: 1) { id } }')).status).toBe(202);
  expect((await stream.next())?.data).toEqual({ id: 's', payload: { data: { user: { id: 1 } } } });

  const second = await openStream(service.url, `${path}?token=${put.text}`, { method: 'GET' });
  opened.push(second);
  expect(second.status).toBe(409);
});
