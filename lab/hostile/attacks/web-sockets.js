/** WebSockets with frames that are many, huge, slow or incomplete, or whose clients read none. */

import { deflateRawSync } from 'node:zlib';
import { attacksOf, flood } from '../attacker.js';
import {
  compressed,
  frame,
  handshakeOf,
  heldByProxySeconds,
  keepWebSockets,
  opcodes,
} from '../client-frames.js';
import { holdAndReset } from './held-requests.js';

const { continuation, text, binary, ping } = opcodes;
const mebibyte = 1024 * 1024;
const echo = '/api/ws/echo';

/** So that one address may have thousands. */
const manySockets = ['--web-sockets', '12000'];

/** Compresses a message, which has no empty block at its end (RFC 7692 section 7.2.1). */
const deflate = (/** @type {Buffer} */ payload) =>
  deflateRawSync(payload, { windowBits: 12, finishFlush: 2, level: 9 }).subarray(0, -4);

/** A message of as many fragments as it has bytes. */
const crumbCount = 4096;
const crumbs = Buffer.concat([
  frame(text, 'x', { isFinal: false }),
  Buffer.alloc(7 * (crumbCount - 2), frame(continuation, 'x', { isFinal: false })),
  frame(continuation, 'x'),
]);

/**
 * Keeps WebSockets open to the echo, each of which is used once it is open.
 *
 * @param {import('../attacker.js').Attacker} attacker
 * @param {number} count
 * @param {(socket: import('node:net').Socket) => void} use
 * @param {Record<string, string>} [headers]
 */
const keepEchoes = (attacker, count, use, headers) =>
  keepWebSockets(attacker, count, () => handshakeOf(attacker, echo, headers), use);

/**
 * Floods the echo with the same bytes, whose echoes are read.
 *
 * @param {import('../attacker.js').Attacker} attacker
 * @param {Buffer} bytes
 * @param {Record<string, string>} [headers]
 */
function floodEchoes(attacker, bytes, headers) {
  const use = (/** @type {import('node:net').Socket} */ socket) => {
    socket.resume();
    flood(socket, () => bytes);
  };
  return keepEchoes(attacker, 40, use, headers);
}

export const webSocketAttacks = attacksOf({
  '2,000 WebSockets opened and left': {
    flags: manySockets,
    run: (attacker) => holdAndReset(attacker, 2000, () => handshakeOf(attacker, echo, compressed)),
  },
  '2,000 handshakes of a WebSocket that never end': (attacker) =>
    holdAndReset(attacker, 2000, () => handshakeOf(attacker, echo).slice(0, -2)),
  '500 stalled readers of pushed messages': (attacker) => {
    const path = `/api/ws/push?interval=0&count=10000&size=${mebibyte}`;
    return attacker.stall(500, handshakeOf(attacker, path));
  },
  '200 WebSockets that send and never read': {
    flags: manySockets,
    run(attacker) {
      const bytes = frame(binary, Buffer.alloc(256 * 1024));
      return keepEchoes(attacker, 200, (socket) => {
        socket.pause();
        flood(socket, () => bytes);
      });
    },
  },
  '400 frames of five bytes a second': {
    seconds: 45,
    run(attacker) {
      const start = frame(binary, '', { length: mebibyte });
      return attacker.useSlowly({
        count: 400,
        what: 'frames',
        pauseMs: 200,
        begin(socket) {
          socket.resume();
          socket.write(handshakeOf(attacker, echo));
          socket.once('data', () => socket.write(start));
        },
        step: (socket) => socket.write('x'),
      });
    },
  },
  'messages of 1 MiB in two fragments, the second of which never comes, on 400 WebSockets': (
    attacker,
  ) => {
    const most = frame(binary, Buffer.alloc(mebibyte - 1), { isFinal: false });
    return keepEchoes(attacker, 400, (socket) => {
      socket.resume();
      socket.write(most);
    });
  },
  'floods of fragments of one byte on 40 WebSockets': {
    proxiedSettleSeconds: heldByProxySeconds,
    run: (attacker) => floodEchoes(attacker, crumbs),
  },
  '8 KiB that inflate to 8 MiB, on 100 WebSockets': (attacker) => {
    const bomb = frame(binary, deflate(Buffer.alloc(8 * mebibyte)), { isCompressed: true });
    const use = (/** @type {import('node:net').Socket} */ socket) => {
      socket.resume();
      socket.write(bomb);
    };
    return keepEchoes(attacker, 100, use, compressed);
  },
  'floods of 1 KiB that inflates to 1 MiB on 40 WebSockets': {
    proxiedSettleSeconds: heldByProxySeconds,
    run(attacker) {
      const bomb = frame(binary, deflate(Buffer.alloc(mebibyte)), { isCompressed: true });
      const bombs = Buffer.concat(Array.from({ length: 32 }, () => bomb));
      return floodEchoes(attacker, bombs, compressed);
    },
  },
  'floods of pings on 40 WebSockets, half of which read the pongs': (attacker) => {
    const pings = Buffer.alloc(131 * 500, frame(ping, Buffer.alloc(125, 'x')));
    let turn = 0;
    return keepEchoes(attacker, 40, (socket) => {
      if (turn++ % 2 === 0) socket.resume();
      else socket.pause();
      flood(socket, () => pings);
    });
  },
});
