/** Ways to end a connection that no client asked to end. */

import type { Socket } from 'node:net';

/** How long a connection that was ended stays, so that the client gets to read what was sent. */
const lingerMs = 1_000;

/** Sends what is waiting, and then nothing any more; whatever else arrives is dropped. */
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

/** By a reset of TCP, once what was written before is out; where there is another protocol in between, at once. */
export function resetConnection(socket: Socket): void {
  if (socket.destroyed) return;
  socket.write('', () => {
    // Node's own way of it ends the connection in the usual way as well, and before: RFC 9293 section 3.10.4.
    (socket as ResettableSocket).resetAndClosing = !('encrypted' in socket);
    socket.destroy();
  });
}

interface ResettableSocket extends Socket {
  resetAndClosing?: boolean;
}
