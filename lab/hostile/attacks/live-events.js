/** Clients that read no events, or that request too many of them: rooms, subscriptions, event streams. */

import { attacksOf, flood } from '../attacker.js';
import {
  frame,
  handshakeOf,
  heldByProxySeconds,
  keepWebSockets,
  opcodes,
} from '../client-frames.js';

const perConnection = 5000;
const graphqlProtocol = { 'Sec-WebSocket-Protocol': 'graphql-transport-ws' };

const message = (/** @type {object} */ value) => frame(opcodes.text, JSON.stringify(value));
const init = message({ type: 'connection_init' });

/** @param {(id: string) => string} queryOf */
function subscriptions(queryOf) {
  return Buffer.concat(
    Array.from({ length: perConnection }, (_, n) =>
      message({ id: `${n}`, type: 'subscribe', payload: { query: queryOf(`${n}`) } }),
    ),
  );
}

/**
 * Keeps connections open that each begin thousands of operations.
 *
 * @param {import('../attacker.js').Attacker} attacker
 * @param {number} count
 * @param {Buffer} asked
 * @param {boolean} isRead
 */
function subscribe(attacker, count, asked, isRead) {
  return keepWebSockets(
    attacker,
    count,
    () => handshakeOf(attacker, '/graphql', graphqlProtocol),
    (socket) => {
      if (isRead) socket.resume();
      else socket.pause();
      socket.write(init);
      socket.write(asked);
    },
  );
}

export const liveAttacks = attacksOf({
  'a room that is flooded beside 300 stalled readers': async (attacker) => {
    const headers = { 'X-Sandbox': 'flooded' };
    const path = '/api/ws/room/flooded?since=0';
    const handshake = handshakeOf(attacker, path, headers, attacker.sameAccount);
    await attacker.openMany(300, (socket) => {
      socket.pause();
      socket.write(handshake);
    });
    const shout = frame(opcodes.text, 'x'.repeat(60 * 1024));
    await keepWebSockets(
      attacker,
      20,
      () => handshake,
      (socket) => {
        socket.resume();
        flood(socket, () => shout);
      },
    );
  },
  '5,000 subscriptions on each of 40 connections': {
    proxiedSettleSeconds: heldByProxySeconds,
    run: (attacker) =>
      subscribe(
        attacker,
        40,
        subscriptions(() => 'subscription { todoChanged { kind todo { id title } } }'),
        true,
      ),
  },
  '5,000 queries for large lists on each of 40 connections that read nothing': {
    proxiedSettleSeconds: heldByProxySeconds,
    run: (attacker) =>
      subscribe(
        attacker,
        40,
        subscriptions((id) => `{ a${id}: posts { title body } b: users { name posts { body } } }`),
        false,
      ),
  },
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
});
