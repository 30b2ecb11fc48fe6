/** The last answer of a connection: to CONNECT, and to the handshake of a WebSocket. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { handOver, offerUpgrade } from '../upgrade.js';
import { handleFramed, type RequestListener } from './handle-framed.js';
import { responseUnderWay } from './response-under-way.js';

/**
 * Answers on a connection that Node has stopped parsing, once all that was asked before on it has been answered:
 * CONNECT, which is a verb like any other here and never a tunnel, and a WebSocket's handshake, after which the
 * connection is no longer HTTP. The router answers both.
 */
export function respondLast(
  request: IncomingMessage,
  socket: Socket,
  handle: RequestListener,
  Response: typeof ServerResponse<IncomingMessage>,
): void {
  const earlier = responseUnderWay(socket);
  if (earlier !== undefined) {
    earlier.once('finish', () => respondLast(request, socket, handle, Response));
    return;
  }
  socket.on('error', () => socket.destroy());
  const response = new Response(request);
  response.shouldKeepAlive = false;
  if (request.method !== 'CONNECT') offerUpgrade(response);
  response.assignSocket(socket);
  response.on('finish', () => {
    response.detachSocket(socket);
    if (!handOver(response, socket)) {
      // Nobody reads what else has come.
      socket.resume();
      socket.end();
    }
    // As Node does after every answer that it manages.
    response.emit('close');
  });
  handleFramed(request, response, handle);
}
