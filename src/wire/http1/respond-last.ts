/** The last response of a connection: to CONNECT, and to the handshake of a WebSocket. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { currentResponse } from '../internals/current-response.js';
import { receiveRequest } from '../receive-request.js';
import { handOver, offerUpgrade } from '../upgrade.js';
import type { WireService } from '../wire-service.js';

/**
 * Handles a request after which Node has stopped parsing, once all earlier requests of the connection have their
 * responses. The router handles both: CONNECT is a method like others here, and opens no tunnel.
 */
export function respondLast(
  request: IncomingMessage,
  socket: Socket,
  service: WireService,
  Response: typeof ServerResponse<IncomingMessage>,
): void {
  const earlier = currentResponse(socket);
  if (earlier !== undefined) {
    earlier.once('finish', () => respondLast(request, socket, service, Response));
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
      // Drops what else has arrived.
      socket.resume();
      socket.end();
    }
    // Node emits it for the responses that it sends.
    response.emit('close');
  });
  receiveRequest(request, response, service);
}
