/** The end of a server: what is under way is finished, and everybody is gone. */

import type { Server } from 'node:http';
import type { Server as NetServer, Socket } from 'node:net';
import { responseUnderWay } from './http1/response-under-way.js';
import type { Http2Sessions } from './http2/http2-sessions.js';
import type { OpenServer } from './start-server.js';
import { isUpgraded } from './upgrade.js';

/**
 * Ends each connection as soon as it has no answer under way. Node's own way of it would cut answers
 * that are written but not yet sent, and keep connections open that have just been answered.
 */
export async function closeServer({ server, sockets, http2, doors }: OpenServer): Promise<void> {
  const doorsClosed = doors.map(({ server }) => closed(server));
  for (const { raw } of doors) {
    for (const socket of raw) if (socket.bytesWritten === 0) socket.destroy();
  }
  http2.close();
  await closePlain(server, sockets, http2);
  await Promise.all(doorsClosed);
}

function closed(server: NetServer): Promise<void> {
  return new Promise((resolve) => void server.close(() => resolve()));
}

function closePlain(
  server: Server,
  sockets: ReadonlySet<Socket>,
  http2: Http2Sessions,
): Promise<void> {
  return new Promise((resolve) => {
    server.closeIdleConnections = () => {};
    // The server does not wait for these sockets, because it did not make them.
    function resolveWhenGone(): void {
      if (!isListening && sockets.size === 0) resolve();
    }
    let isListening = true;
    server.close(() => {
      isListening = false;
      resolveWhenGone();
    });
    for (const socket of sockets) {
      socket.once('close', resolveWhenGone);
      if (http2.has(socket)) continue;
      // Of a connection that has just been made, the first request is most likely on its way;
      // setImmediate, because a busy process runs late timers before it reads what has arrived.
      if (socket.bytesRead === 0) {
        setTimeout(() => setImmediate(endOnceResponded, socket), newConnectionGraceMs);
      } else endOnceResponded(socket);
    }
  });
}

const newConnectionGraceMs = 100;

function endOnceResponded(socket: Socket): void {
  // It says good-bye in a protocol of its own.
  if (isUpgraded(socket)) return;
  const response = responseUnderWay(socket);
  if (response === undefined) {
    socket.destroySoon();
  } else {
    if (!response.headersSent) response.setHeader('connection', 'close');
    response.once('finish', () => socket.destroySoon());
  }
}
