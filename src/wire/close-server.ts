/** The end of a server, after the requests in progress. */

import type { Server } from 'node:http';
import type { Server as NetServer, Socket } from 'node:net';
import type { Http2Sessions } from './http2/http2-sessions.js';
import { currentResponse } from './internals/current-response.js';
import type { OpenServer } from './start-server.js';
import { isUpgraded } from './upgrade.js';

/**
 * Ends each connection after its current response. Node would cut responses that are written but not yet sent, and keep
 * connections open that have just got one.
 */
export async function closeServer({
  server,
  sockets,
  http2,
  tlsServers,
}: OpenServer): Promise<void> {
  const tlsClosed = tlsServers.map(({ server }) => closed(server));
  for (const { raw } of tlsServers) {
    for (const socket of raw) if (socket.bytesWritten === 0) socket.destroy();
  }
  http2.close();
  await closePlain(server, sockets, http2);
  await Promise.all(tlsClosed);
}

function closed(server: NetServer): Promise<void> {
  return new Promise((resolve) => void server.close(() => resolve()));
}

async function closePlain(
  server: Server,
  sockets: ReadonlySet<Socket>,
  http2: Http2Sessions,
): Promise<void> {
  server.closeIdleConnections = () => {};
  const stopped = closed(server);
  const allGone = [...sockets].map(
    (socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())),
  );
  for (const socket of sockets) {
    if (http2.has(socket)) continue;
    // The first request of a new connection is probably on its way. setImmediate, because a busy process runs late
    // timers before it reads what has arrived.
    if (socket.bytesRead === 0) {
      setTimeout(() => setImmediate(endAfterResponse, socket), newConnectionGraceMs);
    } else endAfterResponse(socket);
  }
  await Promise.all([stopped, ...allGone]);
}

const newConnectionGraceMs = 100;

function endAfterResponse(socket: Socket): void {
  // It ends with a close frame.
  if (isUpgraded(socket)) return;
  const response = currentResponse(socket);
  if (response === undefined) {
    socket.destroySoon();
  } else {
    if (!response.headersSent) response.setHeader('connection', 'close');
    response.once('finish', () => socket.destroySoon());
  }
}
