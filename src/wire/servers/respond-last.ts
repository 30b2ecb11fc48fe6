/** Sends the last response of a connection: to CONNECT, and to the handshake of a WebSocket. */

import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { guard } from '../guard.js';
import { currentResponse } from '../internals/current-response.js';
import { receiveRequest } from '../receive-request.js';
import { handOver, offerUpgrade } from '../upgrade.js';
import type { WireService } from '../wire-service.js';

/**
 * Handles a request after which Node stops parsing, once all earlier requests of the connection
 * have their responses. CONNECT is routed like other methods, and opens no tunnel.
 */
export function respondLast(
  request: IncomingMessage,
  socket: Socket,
  service: WireService,
  Response: typeof ServerResponse<IncomingMessage>,
): void {
  const earlier = currentResponse(socket);
  if (earlier !== undefined) {
    earlier.once(
      'finish',
      guard(request, () => respondLast(request, socket, service, Response)),
    );
    return;
  }
  socket.on(
    'error',
    guard(socket, () => socket.destroy()),
  );
  const response = new Response(request);
  response.shouldKeepAlive = false;
  if (request.method !== 'CONNECT') offerUpgrade(response);
  response.assignSocket(socket);
  const finish = () => {
    response.detachSocket(socket);
    // Drops any further bytes.
    if (!handOver(response, socket)) socket.resume().end();
    // Node emits this event for the responses that it sends.
    response.emit('close');
  };
  response.on('finish', guard(request, finish));
  receiveRequest(request, response, service);
}

/**
 * Responds to CONNECT (RFC 9110 section 9.3.6). After the head of a success, a client expects the
 * bytes of a tunnel: the head has no length, and the response ends with the connection.
 */
export class ConnectResponse extends ServerResponse {
  constructor(request: IncomingMessage) {
    super(request);
    this.useChunkedEncodingByDefault = false;
  }

  override writeHead(status: number, ...rest: readonly unknown[]): this {
    const headers = rest.find((each) => typeof each === 'object') ?? {};
    for (const [name, value] of Object.entries(headers as OutgoingHttpHeaders)) {
      if (value !== undefined) this.setHeader(name, value);
    }
    if (status < 300) {
      this.removeHeader('content-length');
      this.removeHeader('transfer-encoding');
    }
    return super.writeHead(status);
  }
}
