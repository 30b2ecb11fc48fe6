/**
 * Clients that do not read events, or that request too many: rooms, subscriptions, event streams.
 */

import { attacksOf, flood } from '../attacker.js';
import {
  frame,
  handshakeOf,
  heldByProxySeconds,
  keepWebSockets,
  opcodes,
} from '../client-frames.js';

const perConnection = 5000;
const graphqlProtocol = { headers: { 'Sec-WebSocket-Protocol': 'graphql-transport-ws' } };

const message = (/** @type {object} */ value) => frame(opcodes.text, JSON.stringify(value));

/**
 * Makes an attack with 40 connections that each begin thousands of operations.
 *
 * @param {(id: number) => string} queryOf
 * @param {boolean} isRead
 */
const subscribe = (queryOf, isRead) => ({
  proxiedSettleSeconds: heldByProxySeconds,
  run(/** @type {import('../attacker.js').Attacker} */ attacker) {
    const messages = Array.from({ length: perConnection }, (_, id) =>
      message({ id: String(id), type: 'subscribe', payload: { query: queryOf(id) } }),
    );
    const bytes = Buffer.concat([message({ type: 'connection_init' }), ...messages]);
    const use = (/** @type {import('node:net').Socket} */ socket) => {
      if (isRead) socket.resume();
      else socket.pause();
      socket.write(bytes);
    };
    return keepWebSockets(attacker, 40, '/graphql', use, graphqlProtocol);
  },
});

export const liveAttacks = attacksOf(
  {
    'a room that is flooded beside 300 stalled readers': async (attacker) => {
      const own = { headers: { 'X-Sandbox': 'flooded' }, ...attacker.sameAccount };
      const path = '/api/ws/room/flooded?since=0';
      await attacker.openMany(300, (socket) => {
        socket.pause();
        socket.write(handshakeOf(attacker, path, own));
      });
      const shout = frame(opcodes.text, 'x'.repeat(60 * 1024));
      const use = (/** @type {import('node:net').Socket} */ socket) => {
        socket.resume();
        flood(socket, () => shout);
      };
      await keepWebSockets(attacker, 20, path, use, own);
    },
    '5,000 subscriptions on each of 40 connections': subscribe(
      () => 'subscription { todoChanged { kind todo { id title } } }',
      true,
    ),
    '5,000 queries for large lists on each of 40 connections that read nothing': subscribe(
      (id) => `{ a${id}: posts { title body } b: users { name posts { body } } }`,
      false,
    ),
    '500 stalled readers of changes, and of lines of 1 MiB': async (attacker) => {
      const own = { headers: { 'X-Sandbox': 'stalled' }, ...attacker.sameAccount };
      const changes = attacker.bytes('GET', '/api/sse/changes?collection=books', own);
      const line = attacker.bytes('GET', '/api/sse/variants/long-line', own);
      await attacker.openMany(500, (socket, index) => {
        socket.pause();
        socket.write(index % 2 === 0 ? changes : line);
      });
      await attacker.repeat(4, (turn) =>
        attacker.send('PATCH', '/api/Books/1', { title: 'x'.repeat(150) + turn }, own),
      );
    },
    '1,000 stalled readers of a clock that does not wait': (attacker) =>
      attacker.stall(1000, attacker.bytes('GET', '/api/sse/clock?interval=0&count=10000')),
  },
  { reaches: [101, 200, 429] },
);
