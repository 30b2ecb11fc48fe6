/** Stops a server after the current requests. */

import type { Server, Socket } from 'node:net';
import { guard } from '../guard.js';
import { currentResponse } from '../internals/current-response.js';
import { isUpgraded } from '../upgrade.js';
import type { OpenServer } from './start-server.js';

/** Time for the first request of a new connection, which is probably on its way. */
const newConnectionGraceMs = 100;

/**
 * Ends each connection after its current response. Node would cut responses that are written but
 * not yet sent, and keep connections open that have just received one.
 */
export async function closeServer(opened: OpenServer): Promise<void> {
  const { server, sockets, http2, tlsServers } = opened;
  const closed = tlsServers.map(({ server }) => close(server));
  for (const { raw } of tlsServers) {
    for (const socket of raw) if (socket.bytesWritten === 0) socket.destroy();
  }
  http2.close();
  server.closeIdleConnections = () => {};
  closed.push(close(server));
  for (const socket of sockets) {
    closed.push(new Promise<void>((resolve) => socket.once('close', resolve)));
    if (http2.has(socket)) continue;
    if (socket.bytesRead > 0) endAfterResponse(socket);
    // A busy process runs late timers before it reads arrived data, and setImmediate after that.
    else {
      const end = guard(socket, () => endAfterResponse(socket));
      const endSoon = guard(socket, () => void setImmediate(end));
      setTimeout(endSoon, newConnectionGraceMs);
    }
  }
  await Promise.all(closed);
}

function close(server: Server): Promise<void> {
  return new Promise<void>((resolve) => void server.close(() => resolve()));
}

function endAfterResponse(socket: Socket): void {
  // A WebSocket ends with a close frame.
  if (isUpgraded(socket)) return;
  const response = currentResponse(socket);
  if (response === undefined) {
    socket.destroySoon();
  } else {
    if (!response.headersSent) response.setHeader('connection', 'close');
    response.once(
      'finish',
      guard(socket, () => socket.destroySoon()),
    );
  }
}
