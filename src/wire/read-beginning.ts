/** Reads the first bytes of a connection, which determine its protocol. */

import type { Socket } from 'node:net';
import { guard } from './guard.js';

/** The preface of HTTP/2 by prior knowledge (RFC 9113 section 3.4). */
const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** Returns whether a connection begins with HTTP/2; `undefined` if more bytes are needed. */
export function isHttp2(seen: Buffer): boolean | undefined {
  const length = Math.min(seen.length, preface.length);
  if (seen.compare(preface, 0, length, 0, length) !== 0) return false;
  return length === preface.length ? true : undefined;
}

/**
 * Reads a connection until `decide` returns a function for the read bytes, and calls that with the
 * socket paused. Ends a connection that sends too little in time.
 */
export function readBeginning(
  socket: Socket,
  timeoutMs: number,
  decide: (seen: Buffer) => (() => void) | undefined,
): void {
  let seen: Buffer = Buffer.alloc(0);
  const end = guard(socket, () => socket.destroy());
  const timer = setTimeout(end, timeoutMs);
  const stop = guard(socket, () => {
    clearTimeout(timer);
    socket.off('data', look).off('error', stop).off('end', end).off('close', stop).pause();
  });
  const look = guard(socket, (chunk: Buffer): void => {
    seen = Buffer.concat([seen, chunk]);
    const go = decide(seen);
    if (go === undefined) return;
    stop();
    go();
  });
  socket.on('data', look).once('error', stop).once('end', end).once('close', stop).resume();
}
