/** Many requests on a connection, without waiting for responses. */

import { attacksOf, flood } from '../attacker.js';
import { held } from '../reach.js';

const batch = 500;

/**
 * Sends a request many times, as fast as possible.
 *
 * @param {import('node:net').Socket} socket
 * @param {string} request
 * @param {number} times
 */
function pipeline(socket, request, times) {
  const pieces = request.repeat(batch);
  flood(socket, (place) => {
    const left = times - place * batch;
    return left <= 0 ? undefined : left < batch ? request.repeat(left) : pieces;
  });
}

export const pipeliningAttacks = attacksOf(
  {
    '20 connections with 1,600 requests for /openapi.json each, unread': (attacker) =>
      attacker.openAndReset(20, (socket) => {
        socket.pause();
        pipeline(socket, attacker.bytes('GET', '/openapi.json'), 1600);
      }),
    '150,000 delayed requests on one connection': {
      reaches: held,
      run: (attacker) =>
        attacker.hold(1, (socket) => {
          socket.resume();
          pipeline(socket, attacker.bytes('GET', '/api/methods/get?delay=10'), 150_000);
        }),
    },
    'requests of all kinds pipelined, then reset': {
      reaches: [200, held],
      prepare: (attacker) => attacker.newBin(),
      run(attacker, bin) {
        const requests = [
          attacker.bytes('GET', '/openapi.json'),
          attacker.bytes('GET', '/api/methods/get?delay=10'),
          attacker.bytes(
            'GET',
            `/api/webhooks/bins/${bin}/requests?after=0&wait=60`,
            attacker.sameAccount,
          ),
          attacker.bytes('GET', `/api/webhooks/bins/${bin}/events`, attacker.sameAccount),
          attacker.bytes('POST', '/api/methods/post', { body: 'x'.repeat(1000) }),
        ];
        return attacker.openAndReset(
          50,
          (socket, index) => {
            socket.pause();
            pipeline(socket, requests[index % requests.length] ?? '', 200);
          },
          20,
        );
      },
    },
  },
  { reaches: 200 },
);
