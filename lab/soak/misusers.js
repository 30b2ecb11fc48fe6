/**
 * Hostile callers that misuse connections rather than requests. What they ask is right, so an ordinary answer is
 * due wherever they wait for one.
 */

import { setTimeout as sleep } from 'node:timers/promises';

/**
 * @typedef {object} Misuser
 * @property {string} name
 * @property {number} pauseMs
 * @property {(index: number) => Promise<string | undefined>} once Gives what was wrong
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
  const made = await attacker.ask('POST', '/api/webhooks/bins');
  const { id } = JSON.parse(made.text);
  const body = 'x'.repeat(captureBytes);
  for (let sent = 0; sent < captures; sent++) {
    await attacker.ask('POST', `/api/webhooks/${id}`, { body });
  }
  const large = attacker.bytes('GET', `/api/webhooks/bins/${id}/requests`);
  const pipelined = [
    attacker.bytes('GET', '/openapi.json'),
    attacker.bytes('GET', '/api/methods/get?delay=10'),
    attacker.bytes('GET', `/api/webhooks/bins/${id}/requests?after=100&wait=60`),
    attacker.bytes('GET', `/api/webhooks/bins/${id}/events`),
  ];

  /**
   * Uses some connections for a while, and tears them off.
   *
   * @param {number} count
   * @param {number} ms
   * @param {(socket: import('node:net').Socket) => void} use
   * @param {(socket: import('node:net').Socket) => void} [tick]
   */
  async function useAndReset(count, ms, use, tick) {
    const sockets = await attacker.openMany(count, use);
    for (let waited = 0; waited < ms; waited += 100) {
      for (const socket of sockets) tick?.(socket);
      await sleep(Math.min(100, ms));
    }
    for (const socket of sockets) socket.resetAndDestroy();
    return undefined;
  }

  return [
    {
      name: 'pipelining, then reset',
      pauseMs: 200,
      once: (index) =>
        useAndReset(5, 20, (socket) => {
          socket.pause();
          socket.write((pipelined[index % pipelined.length] ?? '').repeat(100));
        }),
    },
    {
      name: 'bodies in chunks of one byte',
      pauseMs: 500,
      async once() {
        const size = 20_000;
        const { status, text } = await attacker.ask('POST', '/api/methods/post', {
          headers: { 'Transfer-Encoding': 'chunked' },
          body: Array.from({ length: size }, () => 'x'),
        });
        const isWhole = status === 200 && JSON.parse(text).bodyLength === size;
        return isWhole ? undefined : `status ${status}`;
      },
    },
    {
      name: 'stalled readers',
      pauseMs: 500,
      once: () =>
        useAndReset(5, 5000, (socket) => {
          socket.pause();
          socket.write(large);
        }),
    },
    {
      name: 'trickling readers',
      pauseMs: 500,
      once: () =>
        useAndReset(
          5,
          5000,
          (socket) => {
            socket.pause();
            socket.write(large);
          },
          (socket) => socket.read(300),
        ),
    },
    {
      name: 'trickled bodies',
      pauseMs: 500,
      once: () =>
        useAndReset(
          5,
          5000,
          (socket) => {
            const headers = { 'Content-Length': '1000000' };
            socket.resume();
            socket.write(attacker.bytes('POST', '/api/methods/post', { headers }));
          },
          (socket) => socket.write('x'),
        ),
    },
    {
      name: 'amplifying documents',
      pauseMs: 500,
      async once(index) {
        const field = lists[index % lists.length];
        const aliases = Array.from(
          { length: 1 + (index % 100) },
          (_, each) => `a${each}: ${field}`,
        );
        const query = `query Q${index} { ${aliases.join(' ')} }`;
        const { status } = await attacker.send('POST', '/graphql', { query });
        return status === 200 || status === 400 ? undefined : `status ${status}`;
      },
    },
  ];
}
