/** Clients that ask for much and take little or nothing of it. */

import { setTimeout as sleep } from 'node:timers/promises';

const captures = 50;
const captureBytes = 256 * 1024;
const slowestPace = 'slower than 1 KiB/s for 30 s';

/**
 * A bin that holds as much as one can; the path of its captured requests.
 *
 * @param {import('../attacker.js').Attacker} attacker
 */
async function fullBin(attacker) {
  const [key] = attacker.keys;
  const own = key === undefined ? {} : { key };
  const { text } = await attacker.ask('POST', '/api/webhooks/bins', own);
  const { id } = JSON.parse(text);
  const body = 'x'.repeat(captureBytes);
  for (let sent = 0; sent < captures; sent++) {
    await attacker.ask('POST', `/api/webhooks/${id}`, { ...own, body });
  }
  return attacker.bytes('GET', `/api/webhooks/bins/${id}/requests?limit=${captures}`, own);
}

/**
 * @param {import('../attacker.js').Attacker} attacker
 * @param {number} count
 * @param {string} request
 */
export async function stall(attacker, count, request) {
  await attacker.openMany(count, (socket) => {
    socket.pause();
    socket.write(request);
  });
  await attacker.untilOver();
}

/** @type {readonly import('../attacker.js').Attack[]} */
export const readerAttacks = [
  {
    name: '400 stalled readers of a full bin',
    prepare: fullBin,
    run: (attacker, request) => stall(attacker, 400, request),
  },
  {
    name: '400 stalled readers of /openapi.json',
    run: (attacker) => stall(attacker, 400, attacker.bytes('GET', '/openapi.json')),
  },
  {
    name: '1,000 stalled readers of the largest script',
    async prepare(attacker) {
      const scripts = (await attacker.assetsOf('/docs')).filter((path) => path.endsWith('.js'));
      const sized = await Promise.all(
        scripts.map(async (path) => {
          const { text } = await attacker.ask('GET', path);
          return { path, size: text.length };
        }),
      );
      const largest = sized.sort((a, b) => b.size - a.size)[0];
      return attacker.bytes('GET', largest?.path ?? '/docs');
    },
    run: (attacker, request) => stall(attacker, 1000, request),
  },
  {
    name: '200 readers of a full bin at 300 bytes a second',
    seconds: 45,
    prepare: fullBin,
    async run(attacker, request) {
      const sockets = await attacker.openMany(200, (socket) => {
        socket.pause();
        socket.write(request);
      });
      while (!attacker.isOver()) {
        for (const socket of sockets) socket.read(300);
        await sleep(1000);
      }
      return stillOpen(attacker, sockets, 'readers');
    },
  },
];

/**
 * What is wrong when the service lets slow clients be. A proxy takes what the service sends in their place, and
 * a short run ends before they are cut. That a connection was cut is noticed by reading what is left of it.
 *
 * @param {import('../attacker.js').Attacker} attacker
 * @param {readonly import('node:net').Socket[]} sockets
 * @param {string} what
 */
export async function stillOpen({ isShort, mode }, sockets, what) {
  if (isShort || mode.isProxied) return [];
  for (const socket of sockets) socket.resume();
  await sleep(2000);
  const open = sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length;
  return open === 0 ? [] : [`${open} of ${sockets.length} ${what} ${slowestPace} were not cut`];
}
