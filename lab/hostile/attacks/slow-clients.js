/**
 * Clients that request much and read little or nothing of it, and clients whose bodies are slow or
 * endless.
 */

import { aliased } from '../../fuzz/write-document.js';
import { attacksOf, flood } from '../attacker.js';

const captures = 50;
const mebibyte = 1024 * 1024;
const form = 'application/x-www-form-urlencoded';
const json = 'application/json';
const text = 'text/plain';

/** JSON escapes each of them with six characters. */
const controls = `a=${'\u0001'.repeat(mebibyte - 2)}`;
/** Parsed, they need about twenty times their bytes. */
const objects = `[${'{},'.repeat(mebibyte / 3 - 2)}1]`;
/** httpbin indents each level by two spaces. */
const deep = `${'['.repeat(450)}${'1,'.repeat(mebibyte / 2 - 1000)}1${']'.repeat(450)}`;

/** @type {readonly [path: string, type: string, body: string][]} */
const echoes = [
  ['/api/methods/post', text, controls],
  ['/api/methods/any', text, controls],
  ['/httpbin/post', text, controls],
  ['/httpbin/post', form, controls],
  ['/api/http/decode', text, controls],
  ['/api/http/dump?as=json', text, controls.slice(0, 250_000)],
  ['/api/webhooks/samples/stripe', text, controls.slice(100)],
  ['/api/methods/post', json, objects],
  ['/httpbin/anything', json, objects],
  ['/httpbin/anything', json, deep],
];

/**
 * Fills a bin, and returns a request for its captures.
 *
 * @param {import('../attacker.js').Attacker} attacker
 */
async function fullBin(attacker) {
  const id = await attacker.newBin();
  const body = 'x'.repeat(mebibyte / 4);
  for (let sent = 0; sent < captures; sent++) {
    await attacker.ask('POST', `/api/webhooks/${id}`, { ...attacker.sameAccount, body });
  }
  const path = `/api/webhooks/bins/${id}/requests?limit=${captures}`;
  return attacker.bytes('GET', path, attacker.sameAccount);
}

/**
 * Creates 100 users with such a name in one sandbox.
 *
 * @param {import('../attacker.js').Attacker} attacker
 * @param {string} name
 * @param {import('../attacker.js').RequestParts} parts
 */
export async function createUsers(attacker, name, parts) {
  const create = 'createUser(name: $name, job: $name, city: $name) { id }';
  const query = `mutation ($name: String!) ${aliased(10, create)}`;
  for (let made = 0; made < 100; made += 10) {
    await attacker.send('POST', '/graphql', { query, variables: { name } }, parts);
  }
}

export const readerAttacks = [
  ...attacksOf(
    {
      '400 stalled readers of a full bin': {
        prepare: fullBin,
        run: (attacker, request) => attacker.stall(400, request),
      },
      '400 stalled readers of /openapi.json': (attacker) =>
        attacker.stall(400, attacker.bytes('GET', '/openapi.json')),
      '1,000 stalled readers of the largest script': {
        async prepare(attacker) {
          const page = await attacker.ask('GET', '/docs', { headers: { Accept: 'text/html' } });
          const paths = [...page.text.matchAll(/src="([^"]*assets\/[^"]+\.js)"/g)].map(
            ([, found = '']) => new URL(found, `${attacker.url}/docs`).pathname,
          );
          const sizes = new Map();
          for (const path of paths) sizes.set(path, (await attacker.ask('GET', path)).text.length);
          const [largest = '/docs'] = paths.sort((a, b) => sizes.get(b) - sizes.get(a));
          return attacker.bytes('GET', largest);
        },
        run: (attacker, request) => attacker.stall(1000, request),
      },
    },
    { reaches: 200 },
  ),
  ...echoes.map(
    /** @returns {import('../attacker.js').Attack} */
    ([path, type, body], index) => ({
      name: `200 stalled readers of echo ${index + 1} (${path}, ${type})`,
      reaches: 200,
      run: (attacker) =>
        attacker.stall(
          200,
          attacker.bytes('POST', path, { headers: { 'Content-Type': type }, body }),
        ),
    }),
  ),
  ...attacksOf(
    {
      '100 stalled readers of a GraphQL response of 4 MB': {
        async prepare(attacker) {
          const own = { headers: { 'X-Sandbox': 'large' }, ...attacker.sameAccount };
          await createUsers(attacker, 'x'.repeat(1000), own);
          const body = JSON.stringify({ query: aliased(13, 'users { name job city }') });
          const headers = { ...own.headers, 'Content-Type': json };
          return attacker.bytes('POST', '/graphql', { ...own, headers, body });
        },
        run: (attacker, request) => attacker.stall(100, request),
      },
      '200 readers of a full bin at 300 bytes a second': {
        seconds: 45,
        prepare: fullBin,
        run(attacker, request) {
          return attacker.useSlowly({
            count: 200,
            what: 'readers',
            pauseMs: 1000,
            begin(socket) {
              socket.pause();
              socket.write(request);
            },
            step: (socket) => socket.read(300),
          });
        },
      },
    },
    { reaches: 200 },
  ),
];

const inChunks = { 'Transfer-Encoding': 'chunked' };
const crumbs = Buffer.from('1\r\nx\r\n'.repeat(10_000));

const post = '/api/methods/post';

/**
 * Sends chunks of one byte on some connections, as fast as possible.
 *
 * @param {number} count
 * @returns {import('../attacker.js').Attack['run']}
 */
const sendCrumbs = (count) => (attacker) => {
  attacker.reach.example(attacker.bytes('POST', post, { body: 'x' }));
  return attacker.keepOpen(count, (socket) => {
    socket.resume();
    socket.write(attacker.bytes('POST', post, { headers: inChunks }));
    flood(socket, () => crumbs);
  });
};

/**
 * Begins 400 bodies, and sends only what `step` sends of each.
 *
 * @param {number} length
 * @param {(socket: import('node:net').Socket) => void} [step]
 * @returns {Omit<import('../attacker.js').Attack, 'name' | 'reaches'>}
 */
const sendSlowly = (length, step = () => {}) => ({
  seconds: 45,
  run(attacker) {
    attacker.reach.example(attacker.bytes('POST', post, { body: 'x' }));
    return attacker.useSlowly({
      count: 400,
      what: 'bodies',
      pauseMs: 200,
      begin(socket) {
        const headers = { 'Content-Length': String(length) };
        socket.resume();
        socket.write(attacker.bytes('POST', post, { headers }));
      },
      step,
    });
  },
});

export const bodyAttacks = attacksOf(
  {
    'bodies in chunks of one byte on 8 connections': sendCrumbs(8),
    'bodies in chunks of one byte on 200 connections': sendCrumbs(200),
    '400 bodies of five bytes a second': sendSlowly(1_000_000, (socket) => socket.write('x')),
    '400 bodies of 10 MiB that never arrive': sendSlowly(10 * mebibyte),
  },
  { reaches: 200 },
);
