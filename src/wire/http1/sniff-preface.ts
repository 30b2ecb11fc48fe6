/** HTTP/2 by prior knowledge, which begins with a preface: RFC 9113 section 3.4. */

import type { Socket } from 'node:net';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/**
 * Reads until a connection has sent the preface or something else. Calls `acceptHttp2` with the socket, whose queue has
 * the preface, or `go` with the bytes that were read.
 */
export function sniffPreface(
  socket: Socket,
  timeoutMs: number,
  acceptHttp2: (socket: Socket) => void,
  go: (seen: Buffer) => void,
): void {
  let seen: Buffer = Buffer.alloc(0);
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  const stop = () => {
    clearTimeout(timer);
    socket.off('data', look).off('error', stop).off('end', giveUp).pause();
  };
  const giveUp = () => {
    stop();
    socket.destroy();
  };
  function look(chunk: Buffer): void {
    seen = Buffer.concat([seen, chunk]);
    const length = Math.min(seen.length, preface.length);
    if (seen.compare(preface, 0, length, 0, length) !== 0) {
      stop();
      go(seen);
    } else if (length === preface.length) {
      stop();
      socket.unshift(seen);
      acceptHttp2(socket);
    }
  }
  socket.once('close', () => clearTimeout(timer));
  socket.on('data', look).once('error', stop).once('end', giveUp).resume();
}
