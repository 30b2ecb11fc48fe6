/** Bodies that are sent in small pieces, slowly, or never. */

import { attacksOf, flood } from '../attacker.js';

const crumbs = Buffer.from('1\r\nx\r\n'.repeat(10_000));

/** @typedef {import('../attacker.js').Attacker} Attacker */

/**
 * Sends chunks of one byte on some connections, as fast as they are accepted.
 *
 * @param {Attacker} attacker
 * @param {number} count
 */
function sendCrumbs(attacker, count) {
  const headers = { 'Transfer-Encoding': 'chunked' };
  return attacker.keepOpen(count, (socket) => {
    socket.resume();
    socket.write(attacker.bytes('POST', '/api/methods/post', { headers }));
    flood(socket, () => crumbs);
  });
}

/**
 * Begins 400 bodies, and sends no more of each than `step` does.
 *
 * @param {Attacker} attacker
 * @param {number} length
 * @param {(socket: import('node:net').Socket) => void} [step]
 */
const sendSlowly = (attacker, length, step = () => {}) =>
  attacker.useSlowly({
    count: 400,
    what: 'bodies',
    pauseMs: 200,
    begin(socket) {
      const headers = { 'Content-Length': String(length) };
      socket.resume();
      socket.write(attacker.bytes('POST', '/api/methods/post', { headers }));
    },
    step,
  });

export const bodyAttacks = attacksOf({
  'bodies in chunks of one byte on 8 connections': (attacker) => sendCrumbs(attacker, 8),
  'bodies in chunks of one byte on 200 connections': (attacker) => sendCrumbs(attacker, 200),
  '400 bodies of five bytes a second': {
    seconds: 45,
    run: (attacker) => sendSlowly(attacker, 1_000_000, (socket) => socket.write('x')),
  },
  '400 bodies of 10 MiB that never come': {
    seconds: 45,
    run: (attacker) => sendSlowly(attacker, 10 * 1024 * 1024),
  },
});
