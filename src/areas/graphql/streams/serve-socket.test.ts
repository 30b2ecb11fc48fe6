import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { newPromise } from '#base/awaitable.js';
import type { Request } from '#http/exchange.js';
import type { ServerSocket } from '#kit/websocket/web-sockets.js';
import { StateUnavailableError } from '#state/state.js';
import { HeldOperations } from './held-operations.js';
import { type SocketServices, serveSocket } from './serve-socket.js';

const request = { raw: { headers: {}, url: '/graphql' }, ip: '127.0.0.1' } as Request;

/**
 * Returns the messages that a client gets if accounts, or the preparation of its operation, fail on
 * purpose.
 */
async function converse(fault: Error, where: 'admit' | 'prepare', messages: readonly object[]) {
  const sent: string[] = [];
  const reported: unknown[] = [];
  const told = newPromise();
  let handle: (text: string) => void | Promise<void> = () => {};
  const socket = Object.assign(new EventEmitter(), {
    protocol: 'graphql-transport-ws',
    send: (text: string) => {
      sent.push(text);
      if (text.includes('"error"')) told.resolve();
    },
    room: async () => {},
    close: (code: number, reason: string) => {
      sent.push(`${code} ${reason}`);
      told.resolve();
    },
    eachMessage: (take: (message: { data: Buffer; isBinary: boolean }) => void) => {
      handle = (text) => take({ data: Buffer.from(text), isBinary: false });
    },
  });
  const failing = async () => {
    throw fault;
  };
  const services: SocketServices = {
    request,
    operations: new HeldOperations(),
    prepare: where === 'prepare' ? failing : async () => ({}) as never,
    admit: where === 'admit' ? failing : async () => undefined,
    report: (error) => reported.push(error),
  };
  serveSocket(socket as unknown as ServerSocket, services);
  for (const message of messages) await handle(JSON.stringify(message));
  await told.promise;
  return { sent, reported };
}

const init = { type: 'connection_init' };
const subscribe = { id: 'a', type: 'subscribe', payload: { query: 'subscription { a }' } };
const broken = new Error('Broken');
const away = new StateUnavailableError();

test('an internal error of the connection closes it with 4500, and is reported', async () => {
  const { sent, reported } = await converse(broken, 'admit', [init]);
  expect(sent).toEqual(['4500 Something failed on our side.']);
  expect(reported).toEqual([broken]);
});

test('an unavailable state closes with 1013, after which clients reconnect', async () => {
  const { sent, reported } = await converse(away, 'admit', [init]);
  expect(sent).toEqual([`1013 ${away.message}`]);
  expect(reported).toEqual([]);
});

test.each([
  ['an internal error', broken, 'INTERNAL', [broken]],
  ['a state that is away', away, 'STATE_UNAVAILABLE', []],
])('%s of an operation ends only that operation', async (_name, fault, code, reports) => {
  const { sent, reported } = await converse(fault, 'prepare', [init, subscribe]);
  expect(sent.map((text) => JSON.parse(text))).toMatchObject([
    { type: 'connection_ack' },
    { id: 'a', type: 'error', payload: [{ extensions: { code } }] },
  ]);
  expect(reported).toEqual(reports);
});
