/** Ways to end a connection before its client does. */

import type { Socket } from 'node:net';
import { resetSocket } from './internals/reset-socket.js';

const lingerMs = 1_000;

/** Ends a connection after pending writes. Whatever else arrives is dropped. */
export function closeConnection(socket: Socket): void {
  if (socket.destroyed) return;
  if (socket.readableEnded) {
    socket.end(() => socket.destroy());
    return;
  }
  let linger: NodeJS.Timeout | undefined;
  socket.once('end', () => socket.destroy());
  socket.once('close', () => clearTimeout(linger));
  socket.end(() => {
    linger = setTimeout(() => socket.destroy(), lingerMs);
  });
}

/** Resets a connection (RST) after pending writes. */
export function resetConnection(socket: Socket): void {
  if (!socket.destroyed) socket.write('', () => resetSocket(socket));
}
