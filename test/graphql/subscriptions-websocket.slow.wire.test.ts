/** The messages and close codes of graphql-transport-ws, frame by frame. */

import { describe, expect, test } from 'vitest';
import { frame, opcodes, type RawWebSocket, text } from '../support/raw-web-socket.js';
import { useService } from '../support/service.js';
import { useWebSockets } from '../support/web-sockets.js';

const service = useService();

const sockets = useWebSockets(service);

interface Client {
  readonly socket: RawWebSocket;
  say(...messages: readonly unknown[]): void;
  hear(): Promise<unknown>;
}

async function open(path = '/graphql', headers: Record<string, string> = {}): Promise<Client> {
  const socket = await sockets.open(path, {
    'Sec-WebSocket-Protocol': 'graphql-transport-ws',
    ...headers,
  });
  return {
    socket,
    say: (...messages) =>
      socket.send(
        ...messages.map((message) =>
          text(typeof message === 'string' ? message : JSON.stringify(message)),
        ),
      ),
    hear: async () => JSON.parse(await socket.text()),
  };
}

const init = { type: 'connection_init' };

async function connect(path?: string, headers?: Record<string, string>): Promise<Client> {
  const client = await open(path, headers);
  client.say(init);
  expect(await client.hear()).toEqual({ type: 'connection_ack' });
  return client;
}

const subscribe = (id: string, query: string, more: object = {}) => ({
  id,
  type: 'subscribe',
  payload: { query, ...more },
});

const next = (id: string, payload: unknown) => ({ id, type: 'next', payload });
const complete = (id: string) => ({ id, type: 'complete' });
const endless = 'subscription { countdown(from: 1000, interval: 60) }';

test('the response names the subprotocol', async () => {
  const { socket } = await open('/graphql', {
    'Sec-WebSocket-Protocol': 'a, graphql-transport-ws',
  });
  expect(socket.status).toBe(101);
  expect(socket.headers['sec-websocket-protocol']).toBe('graphql-transport-ws');
});

test('a countdown is sent number by number, and completed', async () => {
  const client = await connect();
  client.say(subscribe('a', 'subscription { countdown(from: 2, interval: 0.001) }'));
  for (const countdown of [2, 1, 0]) {
    expect(await client.hear()).toEqual(next('a', { data: { countdown } }));
  }
  expect(await client.hear()).toEqual(complete('a'));
});

test('queries and mutations get responses, too, with variables and the name of the operation', async () => {
  const client = await connect('/s/ws-queries/graphql');
  client.say(
    subscribe('q', 'query A($id: Int!) { book(id: $id) { title } } query B { users { id } }', {
      variables: { id: 1 },
      operationName: 'A',
    }),
    subscribe('m', 'mutation { addTodo(title: "a", userId: 1, priority: "low") { title } }'),
    subscribe('f', 'mutation { addTodo(title: " ", userId: 1, priority: "low") { title } }'),
  );
  expect(await client.hear()).toEqual(next('q', { data: { book: { title: 'The Hobbit' } } }));
  expect(await client.hear()).toEqual(complete('q'));
  expect(await client.hear()).toEqual(next('m', { data: { addTodo: { title: 'a' } } }));
  expect(await client.hear()).toEqual(complete('m'));
  expect(await client.hear()).toMatchObject(
    next('f', {
      errors: [{ path: ['addTodo'], extensions: { code: 'BAD_USER_INPUT' } }],
      data: null,
    }),
  );
});

test("a subscription ends at the client's request, and its id can be used again", async () => {
  const client = await connect();
  client.say(
    subscribe('a', endless),
    complete('a'),
    subscribe('a', 'subscription { countdown(from: 0) }'),
  );
  let heard = await client.hear();
  // It may have begun before it was ended.
  if (JSON.stringify(heard).includes('1000')) heard = await client.hear();
  expect(heard).toEqual(next('a', { data: { countdown: 0 } }));
  expect(await client.hear()).toEqual(complete('a'));
});

test.each([
  ['a syntax error', '{', 'SYNTAX_ERROR', {}],
  ['an unknown field', 'subscription { users { id } }', undefined, {}],
  ['two fields', 'subscription { countdown(from: 1) b: countdown(from: 1) }', undefined, {}],
  ['no document', '', 'INVALID_REQUEST', {}],
  [
    'a wrong variable',
    'subscription ($n: Int!) { countdown(from: $n) }',
    'VARIABLE_INVALID',
    { variables: { n: 'x' } },
  ],
  ['an unknown operation', endless, 'OPERATION_NOT_FOUND', { operationName: 'B' }],
  ['a number out of range', 'subscription { countdown(from: 1001) }', 'BAD_USER_INPUT', {}],
  [
    'an interval out of range',
    'subscription { countdown(from: 1, interval: 60.1) }',
    'BAD_USER_INPUT',
    {},
  ],
  [
    'a selection that @include empties',
    'subscription ($b: Boolean!) { countdown(from: 1) @include(if: $b) }',
    'BAD_USER_INPUT',
    { variables: { b: false } },
  ],
  [
    'too long a subscription',
    `subscription { countdown(from: 1) } #${'-'.repeat(8192)}`,
    'LIMIT_EXCEEDED',
    {},
  ],
  [
    'too deep a query',
    `{ ${'__type(name: "a") { ofType '.repeat(1)} { ${'ofType { '.repeat(14)} name ${'} '.repeat(14)} } } }`,
    'LIMIT_EXCEEDED',
    {},
  ],
])('%s → error, and the connection stays open', async (_name, query, code, more) => {
  const client = await connect();
  client.say(subscribe('a', query, more));
  const heard = (await client.hear()) as { payload: { extensions: { code?: string } }[] };
  expect(heard).toMatchObject({ id: 'a', type: 'error' });
  expect(heard.payload[0]?.extensions.code).toBe(code);
  client.say({ type: 'ping', payload: { a: 1 } });
  expect(await client.hear()).toEqual({ type: 'pong', payload: { a: 1 } });
});

describe('close codes', () => {
  test.each([
    ['invalid JSON', 4400, 'The message is not JSON.', ['{']],
    ['a list', 4400, 'array', [[]]],
    ['no type', 4400, "'type'", [{}]],
    ['an unknown type', 4400, 'type', [{ type: 'start' }]],
    [
      'a type of the server',
      4400,
      'A client must not send next.',
      [init, next('a', { data: null })],
    ],
    ['a payload that is not an object', 4400, 'payload', [{ type: 'connection_init', payload: 1 }]],
    [
      'a subscription without an id',
      4400,
      "'id'",
      [init, { type: 'subscribe', payload: { query: '{a}' } }],
    ],
    [
      'a subscription without a document',
      4400,
      "'query'",
      [init, { id: 'a', type: 'subscribe', payload: {} }],
    ],
    [
      'variables that are a list',
      4400,
      "'variables'",
      [init, subscribe('a', '{a}', { variables: [] })],
    ],
    ['a subscription before the ack', 4401, 'Unauthorized', [subscribe('a', endless)]],
    [
      'an id that is in use',
      4409,
      'Subscriber for a already exists',
      [init, subscribe('a', endless), subscribe('a', endless)],
    ],
    ['a second init', 4429, 'Too many initialisation requests', [init, init]],
  ] as const)('%s → %i', async (_name, code, reason, messages) => {
    const client = await open();
    client.say(...messages);
    for (;;) {
      const found = await client.socket.next();
      if (found?.opcode !== opcodes.close) {
        expect(found).toBeDefined();
        continue;
      }
      expect(found.payload.readUInt16BE()).toBe(code);
      expect(found.payload.toString('utf8', 2)).toContain(reason);
      return;
    }
  });

  test('a binary message → 4400', async () => {
    const client = await open();
    client.socket.send(frame(opcodes.binary, JSON.stringify(init)));
    expect(await client.socket.closed()).toEqual([4400, expect.stringContaining('not binary')]);
  });

  test.each([
    ['of another name', { 'Sec-WebSocket-Protocol': 'graphql-ws' }],
    ['that is missing', {}],
  ])('a subprotocol %s → 4406', async (_name, headers: Record<string, string>) => {
    const socket = await sockets.open('/graphql', headers);
    expect(socket.status).toBe(101);
    expect(socket.headers).not.toHaveProperty('sec-websocket-protocol');
    expect(await socket.closed()).toEqual([4406, 'The subprotocol must be graphql-transport-ws.']);
  });

  test('no init within 3 seconds → 4408', async () => {
    const { socket } = await open();
    expect(await socket.closed()).toEqual([4408, 'Connection initialisation timeout']);
  });
});

test('a connection runs 50 operations and rejects one more', async () => {
  const client = await connect();
  for (let id = 0; id < 50; id++) client.say(subscribe(String(id), endless));
  for (let id = 0; id < 50; id++) expect(await client.hear()).toMatchObject({ type: 'next' });
  client.say(subscribe('one more', endless));
  expect(await client.hear()).toMatchObject({
    id: 'one more',
    type: 'error',
    payload: [{ extensions: { code: 'LIMIT_EXCEEDED' } }],
  });
  client.say(complete('7'), subscribe('one more', endless));
  expect(await client.hear()).toEqual(next('one more', { data: { countdown: 1000 } }));
});
