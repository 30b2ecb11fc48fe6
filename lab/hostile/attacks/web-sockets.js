/** WebSockets with many, huge, slow or incomplete frames, or whose clients read none. */

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

/** Allows one address thousands. */
const manySockets = ['--web-sockets', '12000'];

/** Compresses a message, and removes the empty block at its end (RFC 7692 section 7.2.1). */
const deflate = (/** @type {Buffer} */ payload) =>
  deflateRawSync(payload, { windowBits: 12, finishFlush: 2, level: 9 }).subarray(0, -4);

/** A message with one fragment per byte. */
const crumbCount = 4096;
const crumbs = Buffer.concat([
  frame(text, 'x', { isFinal: false }),
  Buffer.alloc(7 * (crumbCount - 2), frame(continuation, 'x', { isFinal: false })),
  frame(continuation, 'x'),
]);

/**
 * Floods the echo with the same bytes, whose echoes are read.
 *
 * @param {import('../attacker.js').Attacker} attacker
 * @param {Buffer} bytes
 * @param {import('../attacker.js').RequestParts} [parts]
 */
function floodEchoes(attacker, bytes, parts) {
  const use = (/** @type {import('node:net').Socket} */ socket) => {
    socket.resume();
    flood(socket, () => bytes);
  };
  return keepWebSockets(attacker, 40, echo, use, parts);
}

export const webSocketAttacks = attacksOf(
  {
    '2,000 WebSockets opened and abandoned': {
      flags: manySockets,
      run: (attacker) =>
        holdAndReset(attacker, 2000, () => handshakeOf(attacker, echo, compressed)),
    },
    '2,000 WebSocket handshakes that never end': (attacker) => {
      attacker.reach.example(handshakeOf(attacker, echo));
      return holdAndReset(attacker, 2000, () => handshakeOf(attacker, echo).slice(0, -2));
    },
    '500 stalled readers of pushed messages': (attacker) => {
      const path = `/api/ws/push?interval=0&count=10000&size=${mebibyte}`;
      return attacker.stall(500, handshakeOf(attacker, path));
    },
    '200 WebSockets that send and never read': {
      flags: manySockets,
      run(attacker) {
        const bytes = frame(binary, Buffer.alloc(256 * 1024));
        return keepWebSockets(attacker, 200, echo, (socket) => {
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
      return keepWebSockets(attacker, 400, echo, (socket) => {
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
      return keepWebSockets(attacker, 100, echo, use, compressed);
    },
    'floods of 1 KiB that inflates to 1 MiB on 40 WebSockets': {
      proxiedSettleSeconds: heldByProxySeconds,
      run(attacker) {
        const bomb = frame(binary, deflate(Buffer.alloc(mebibyte)), { isCompressed: true });
        const bombs = Buffer.concat(Array.from({ length: 32 }, () => bomb));
        return floodEchoes(attacker, bombs, compressed);
      },
    },
    '1,000 WebSockets that are broken or closed, and never read': {
      flags: manySockets,
      run(attacker) {
        const paths = [
          ...['masked', 'close-one-byte', 'close-reserved-code', 'close-invalid-reason'].map(
            (kind) => `/api/ws/broken/${kind}`,
          ),
          ...['none', '1000', '3000'].map((code) => `/api/ws/close?code=${code}`),
        ];
        let turn = 0;
        return attacker.stall(1000, () =>
          handshakeOf(attacker, paths[turn++ % paths.length] ?? ''),
        );
      },
    },
    'floods of pings on 40 WebSockets, half of which read the pongs': (attacker) => {
      const pings = Buffer.alloc(131 * 500, frame(ping, Buffer.alloc(125, 'x')));
      let turn = 0;
      return keepWebSockets(attacker, 40, echo, (socket) => {
        if (turn++ % 2 === 0) socket.resume();
        else socket.pause();
        flood(socket, () => pings);
      });
    },
  },
  { reaches: 101 },
);
