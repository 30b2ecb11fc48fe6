/** Sockets that send frames which are many, huge, slow or never whole, or that take none. */

import { setTimeout as sleep } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';
import {
  compressed,
  flood,
  frame,
  handshakeOf,
  heldByProxySeconds,
  keepOpen,
  opcodes,
} from '../client-frames.js';
import { holdAndReset } from './held-requests.js';
import { stall, stillOpen } from './readers.js';

const { continuation, text, binary, ping } = opcodes;
const mebibyte = 1024 * 1024;
const echo = '/api/ws/echo';

/** So that one address may have thousands. */
const manySockets = ['--web-sockets', '12000'];

/** As messages are compressed: without the empty block at the end (RFC 7692 section 7.2.1). */
const deflate = (/** @type {Buffer} */ payload) =>
  deflateRawSync(payload, { windowBits: 12, finishFlush: 2, level: 9 }).subarray(0, -4);

/** A message of as many fragments as it has bytes. */
const crumbCount = 4096;
const crumbs = Buffer.concat([
  frame(text, 'x', { isFinal: false }),
  Buffer.alloc(7 * (crumbCount - 2), frame(continuation, 'x', { isFinal: false })),
  frame(continuation, 'x'),
]);

/** @type {readonly import('../attacker.js').Attack[]} */
export const webSocketAttacks = [
  {
    name: '2,000 WebSockets opened and left',
    flags: manySockets,
    async run(attacker) {
      await holdAndReset(attacker, 2000, () => handshakeOf(attacker, echo, compressed));
    },
  },
  {
    name: '2,000 handshakes of a WebSocket that never end',
    async run(attacker) {
      await holdAndReset(attacker, 2000, () => handshakeOf(attacker, echo).slice(0, -2));
    },
  },
  {
    name: '500 stalled readers of pushed messages',
    run: (attacker) =>
      stall(
        attacker,
        500,
        handshakeOf(attacker, `/api/ws/push?interval=0&count=10000&size=${mebibyte}`),
      ),
  },
  {
    name: '200 WebSockets that send and never read',
    flags: manySockets,
    run: (attacker) =>
      keepOpen(
        attacker,
        200,
        () => handshakeOf(attacker, echo),
        (socket) => {
          socket.pause();
          flood(socket, frame(binary, Buffer.alloc(256 * 1024)));
        },
      ),
  },
  {
    name: '400 frames of five bytes a second',
    seconds: 45,
    async run(attacker) {
      const start = frame(binary, '', { length: mebibyte });
      const sockets = await attacker.openMany(400, (socket) => {
        socket.resume();
        socket.write(handshakeOf(attacker, echo));
        socket.once('data', () => socket.write(start));
      });
      while (!attacker.isOver()) {
        for (const socket of sockets) socket.write('x');
        await sleep(200);
      }
      return stillOpen(attacker, sockets, 'frames');
    },
  },
  {
    name: 'messages of 1 MiB in two fragments, the second of which never comes, on 400 WebSockets',
    async run(attacker) {
      const most = frame(binary, Buffer.alloc(mebibyte - 1), { isFinal: false });
      await keepOpen(
        attacker,
        400,
        () => handshakeOf(attacker, echo),
        (socket) => {
          socket.resume();
          socket.write(most);
        },
      );
    },
  },
  {
    name: 'floods of fragments of one byte on 40 WebSockets',
    proxiedSettleSeconds: heldByProxySeconds,
    run: (attacker) =>
      keepOpen(
        attacker,
        40,
        () => handshakeOf(attacker, echo),
        (socket) => {
          socket.resume();
          flood(socket, crumbs);
        },
      ),
  },
  {
    name: '8 KiB that inflate to 8 MiB, on 100 WebSockets',
    async run(attacker) {
      const bomb = frame(binary, deflate(Buffer.alloc(8 * mebibyte)), { isCompressed: true });
      await keepOpen(
        attacker,
        100,
        () => handshakeOf(attacker, echo, compressed),
        (socket) => {
          socket.resume();
          socket.write(bomb);
        },
      );
    },
  },
  {
    name: 'floods of 1 KiB that inflates to 1 MiB on 40 WebSockets',
    proxiedSettleSeconds: heldByProxySeconds,
    async run(attacker) {
      const bomb = frame(binary, deflate(Buffer.alloc(mebibyte)), { isCompressed: true });
      const bombs = Buffer.concat(Array.from({ length: 32 }, () => bomb));
      await keepOpen(
        attacker,
        40,
        () => handshakeOf(attacker, echo, compressed),
        (socket) => {
          socket.resume();
          flood(socket, bombs);
        },
      );
    },
  },
  {
    name: 'floods of pings on 40 WebSockets, half of which read the pongs',
    async run(attacker) {
      const pings = Buffer.alloc(131 * 500, frame(ping, Buffer.alloc(125, 'x')));
      let turn = 0;
      await keepOpen(
        attacker,
        40,
        () => handshakeOf(attacker, echo),
        (socket) => {
          if (turn++ % 2 === 0) socket.resume();
          else socket.pause();
          flood(socket, pings);
        },
      );
    },
  },
];
