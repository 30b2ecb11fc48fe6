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

/** How long the readers of one round stay. */
const roundMs = 2500;

/**
 * Sends a request on each of many connections and reads nothing; after a while resets all of them and begins again.
 *
 * @param {import('../attacker.js').Attacker} attacker
 * @param {number} count
 * @param {string | (() => string)} request The same, or another for each connection
 */
export async function stall(attacker, count, request) {
  while (!attacker.isOver()) {
    await attacker.openMany(count, (socket) => {
      socket.pause();
      socket.write(typeof request === 'string' ? request : request(), 'latin1');
    });
    await Promise.race([sleep(roundMs), attacker.untilOver()]);
    if (!attacker.isOver()) attacker.resetAll();
  }
}

const mebibyte = 1024 * 1024;

const form = 'application/x-www-form-urlencoded';
const json = 'application/json';

/** JSON escapes each of them by six characters. */
const controls = `a=${'\u0001'.repeat(mebibyte - 2)}`;
/** Parsed, they take about twenty times their bytes. */
const objects = `[${'{},'.repeat(mebibyte / 3 - 2)}1]`;
/** httpbin indents by two spaces for each level. */
const deep = `${'['.repeat(450)}${'1,'.repeat(mebibyte / 2 - 1000)}1${']'.repeat(450)}`;

/** Each request has 1 MiB. */
const echoes = [
  { path: '/api/methods/post', type: 'text/plain', body: controls },
  { path: '/api/methods/any', type: 'text/plain', body: controls },
  { path: '/httpbin/post', type: 'text/plain', body: controls },
  { path: '/httpbin/post', type: form, body: controls },
  { path: '/api/http/decode', type: 'text/plain', body: controls },
  { path: '/api/http/dump?as=json', type: 'text/plain', body: controls.slice(0, 250_000) },
  { path: '/api/webhooks/samples/stripe', type: 'text/plain', body: controls.slice(100) },
  { path: '/api/methods/post', type: json, body: objects },
  { path: '/httpbin/anything', type: json, body: objects },
  { path: '/httpbin/anything', type: json, body: deep },
];

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
  ...echoes.map(
    /** @returns {import('../attacker.js').Attack} */
    ({ path, type, body }, index) => ({
      name: `200 stalled readers of echo ${index + 1} (${path}, ${type})`,
      run(attacker) {
        const headers = { 'Content-Type': type };
        return stall(attacker, 200, attacker.bytes('POST', path, { headers, body }));
      },
    }),
  ),
  {
    name: '100 stalled readers of a GraphQL response of 4 MB',
    async prepare(attacker) {
      const [key] = attacker.keys;
      const own = { headers: { 'X-Sandbox': 'large' }, ...(key && { key }) };
      const create = 'createUser(name: $name, job: $name, city: $name) { id }';
      const several = Array.from({ length: 10 }, (_, index) => `a${index}: ${create}`);
      const variables = { name: 'x'.repeat(1000) };
      for (let made = 0; made < 100; made += 10) {
        const query = `mutation ($name: String!) { ${several.join(' ')} }`;
        await attacker.send('POST', '/graphql', { query, variables }, own);
      }
      const lists = Array.from({ length: 13 }, (_, index) => `a${index}: users { name job city }`);
      const body = JSON.stringify({ query: `{ ${lists.join(' ')} }` });
      const headers = { ...own.headers, 'Content-Type': 'application/json' };
      return attacker.bytes('POST', '/graphql', { ...own, headers, body });
    },
    run: (attacker, request) => stall(attacker, 100, request),
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
