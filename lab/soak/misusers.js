/**
 * Hostile callers that misuse connections. Their requests are valid, so each awaited response must
 * be ordinary.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { aliased } from '../fuzz/write-document.js';

/**
 * @typedef {object} Misuser
 * @property {string} name
 * @property {number} pauseMs
 * @property {(index: number) => Promise<readonly string[]>} once Returns what was wrong
 *
 * @typedef {import('node:net').Socket} Socket
 */

const captures = 10;
const captureBytes = 256 * 1024;
const lists = [
  'books { id title author }',
  'countries { name capital }',
  '__schema { types { name } }',
];

/**
 * @param {import('../hostile/attacker.js').Attacker} attacker
 * @returns {Promise<readonly Misuser[]>}
 */
export async function misusers(attacker) {
  const id = await attacker.newBin();
  const body = 'x'.repeat(captureBytes);
  for (let sent = 0; sent < captures; sent++) {
    await attacker.ask('POST', `/api/webhooks/${id}`, { body });
  }
  const large = attacker.bytes('GET', `/api/webhooks/bins/${id}/requests`);
  const endless = attacker.bytes('POST', '/api/methods/post', {
    headers: { 'Content-Length': '1000000' },
  });
  const pipelined = [
    attacker.bytes('GET', '/openapi.json'),
    attacker.bytes('GET', '/api/methods/get?delay=10'),
    attacker.bytes('GET', `/api/webhooks/bins/${id}/requests?after=100&wait=60`),
    attacker.bytes('GET', `/api/webhooks/bins/${id}/events`),
  ];

  /**
   * Uses five connections for a while, and resets them.
   *
   * @param {string} name
   * @param {(socket: Socket) => void} begin
   * @param {(socket: Socket) => void} [step]
   * @returns {Misuser}
   */
  const slowly = (name, begin, step = () => {}) => ({
    name,
    pauseMs: 500,
    async once() {
      const sockets = await attacker.openMany(5, begin);
      for (let waited = 0; waited < 5000; waited += 100) {
        for (const socket of sockets) step(socket);
        await sleep(100);
      }
      for (const socket of sockets) socket.resetAndDestroy();
      return [];
    },
  });

  /** @param {Socket} socket */
  function requestLarge(socket) {
    socket.pause();
    socket.write(large);
  }

  return [
    {
      name: 'pipelining, then reset',
      pauseMs: 200,
      async once(index) {
        const request = (pipelined[index % pipelined.length] ?? '').repeat(100);
        const sockets = await attacker.openMany(5, (socket) => {
          socket.pause();
          socket.write(request);
        });
        await sleep(20);
        for (const socket of sockets) socket.resetAndDestroy();
        return [];
      },
    },
    {
      name: 'bodies in chunks of one byte',
      pauseMs: 500,
      async once() {
        const size = 20_000;
        const { status, text } = await attacker.ask('POST', '/api/methods/post', {
          headers: { 'Transfer-Encoding': 'chunked' },
          body: `${'1\r\nx\r\n'.repeat(size)}0\r\n\r\n`,
        });
        const isWhole = status === 200 && JSON.parse(text).bodyLength === size;
        return isWhole ? [] : [`status ${status}`];
      },
    },
    slowly('stalled readers', requestLarge),
    slowly('trickling readers', requestLarge, (socket) => socket.read(300)),
    slowly(
      'trickled bodies',
      (socket) => {
        socket.resume();
        socket.write(endless);
      },
      (socket) => socket.write('x'),
    ),
    {
      name: 'amplifying documents',
      pauseMs: 500,
      async once(index) {
        const document = aliased(1 + (index % 100), lists[index % lists.length] ?? '');
        const query = `query Q${index} ${document}`;
        const { status } = await attacker.send('POST', '/graphql', { query });
        return status === 200 || status === 400 ? [] : [`status ${status}`];
      },
    },
  ];
}
