/** Clients of the HTTP/2 lab that flood it, read nothing, or meet the same case without end. */

import { attacksOf, flood } from '../attacker.js';
import * as h2 from '../http2-frames.js';

/**
 * @typedef {import('../attacker.js').Attacker} Attacker
 * @typedef {import('../attacker.js').Attack['run']} Run
 */

const whole = h2.endHeaders | h2.endStream;

/** @param {string} path */
const visit = (path) =>
  Buffer.concat([h2.begin(), h2.frame(h2.types.headers, whole, 1, h2.requestBlock('GET', path))]);

/**
 * Begins each connection with a right request, and continues with pieces until the lab ends it.
 *
 * @param {(place: number) => Buffer} pieceAt
 * @returns {Run}
 */
const floodOf = (pieceAt) => (attacker) => {
  attacker.reach.example(visit('/'));
  return attacker.reopen(20, (socket) => {
    socket.resume();
    socket.write(visit('/'));
    flood(socket, (place) => (attacker.isOver() ? undefined : pieceAt(place)));
  });
};

/** @param {(place: number) => Buffer} make */
const batch = (make) => (/** @type {number} */ turn) =>
  Buffer.concat(Array.from({ length: 50 }, (_, place) => make(turn * 50 + place)));

/**
 * Directs the attacker to the lab.
 *
 * @param {Attacker} attacker
 */
async function useLab(attacker) {
  const { text } = await attacker.ask('GET', '/api/http2/plan');
  attacker.url = new URL(JSON.parse(text)[0].url).origin;
}

/**
 * Starts a run, directs the attacker to the lab, and returns the path of a case of the run.
 *
 * @param {Attacker} attacker
 */
async function startRun(attacker) {
  const { text } = await attacker.send('POST', '/s/attacked/api/http2/plan/runs', {
    cases: ['odd-ping'],
  });
  const { origin, pathname } = new URL(JSON.parse(text)[0].url);
  attacker.url = origin;
  return pathname;
}

/**
 * @param {Attacker} attacker
 * @param {number} count
 * @param {Buffer} bytes
 */
const leaveUnread = (attacker, count, bytes) =>
  attacker.hold(count, (socket) => {
    socket.pause();
    socket.write(bytes);
  });

export const http2LabAttacks = attacksOf(
  {
    'HTTP/2 lab: floods of PING, on 20 connections': floodOf(
      batch(() => h2.frame(h2.types.ping, 0, 0, Buffer.alloc(8))),
    ),
    'HTTP/2 lab: requests that are reset at once, on 20 connections': floodOf(
      batch((place) => {
        const stream = h2.streamAt(place + 1);
        const head = h2.requestBlock('GET', '/');
        const reset = h2.frame(h2.types.rstStream, 0, stream, h2.uint32(8));
        return Buffer.concat([h2.frame(h2.types.headers, whole, stream, head), reset]);
      }),
    ),
    'HTTP/2 lab: endless headers, on 20 connections': floodOf((turn) =>
      turn === 0
        ? h2.frame(h2.types.headers, 0, 3, h2.requestBlock('GET', '/'))
        : h2.frame(h2.types.continuation, 0, 3, h2.block({ x: 'a'.repeat(100) })),
    ),
    'HTTP/2 lab: the list 5,000 times, on connections that read nothing': (attacker) =>
      leaveUnread(attacker, 80, h2.beginStreams(h2.requestBlock('GET', '/'), h2.maxWindow)),
    'HTTP/2 lab: 1,000 clients that leave 256 KiB of headers unread': (attacker) =>
      leaveUnread(attacker, 1000, visit('/headers-256k')),
    'HTTP/2 lab: 3,000 connections that end after half of the preface': (attacker) => {
      attacker.reach.example(visit('/'));
      return attacker.hold(3000, (socket) => {
        socket.resume();
        socket.write(visit('/').subarray(0, 12));
      });
    },
    'HTTP/2 lab: one case of a run, met without end on 50 connections': {
      prepare: startRun,
      run: (attacker, path) =>
        attacker.reopen(50, (socket) => {
          socket.resume();
          socket.write(visit(path));
        }),
    },
  },
  {
    flags: ['--http2-lab-port', '0'],
    prepare: useLab,
    reaches: ':status\x03200',
    // The proxy does not forward the port of the lab, whose list needs no account.
    isFor: ({ isProxied, hasAccounts }) => !isProxied && !hasAccounts,
  },
);
