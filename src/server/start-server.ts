/** The server at one address: node:http, with sessions of HTTP/2 beside it, and bounds for slow clients. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { BodiesInFlight } from './bodies-in-flight.js';
import { ConnectResponse } from './connect-response.js';
import { type ConnectionLimits, maxHeaderBytes } from './connection-limits.js';
import { handleExpectation, handleFramed, type RequestListener, reject } from './handle-framed.js';
import { Http2Sessions } from './http2-sessions.js';
import { LeanRequest } from './lean-request.js';
import { measuredResponse } from './measured-response.js';
import { handleOneAtATime } from './one-at-a-time.js';
import { respondLast } from './respond-last.js';
import { respondToClientError } from './respond-to-client-error.js';
import { inTurn } from './response-under-way.js';
import { sniffPreface } from './sniff-preface.js';
import type { OpenDoor } from './tls-door.js';
import type { UnsentBytes } from './unsent-bytes.js';

export interface OpenServer {
  readonly server: Server;
  readonly sockets: ReadonlySet<Socket>;
  readonly http2: Http2Sessions;
  readonly doors: OpenDoor[];
  /** Takes a connection in whose protocol is known. */
  readonly accept: (socket: TLSSocket) => void;
}

/** Listens at one address; throws the system's error. */
export function startServer(
  host: string,
  port: number,
  handle: RequestListener,
  limits: ConnectionLimits,
  unsent: UnsentBytes,
  bodies: BodiesInFlight,
  h2c: boolean,
): Promise<OpenServer> {
  const MeasuredResponse = measuredResponse(unsent);
  const server = createServer({
    IncomingMessage: LeanRequest as typeof IncomingMessage,
    ServerResponse: MeasuredResponse,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
    maxHeaderSize: maxHeaderBytes,
    // Node's own refusal has no body; the service checks the header and explains.
    requireHostHeader: false,
  });
  server.setTimeout(limits.idleSocketMs);
  // Node would silently forget headers beyond 2,000, be it Content-Length; their bytes are bounded.
  server.maxHeadersCount = 0;
  const sockets = new Set<Socket>();
  function admit(socket: Socket): void {
    if (sockets.size >= limits.maxConnections) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    unsent.watch(socket);
    // Read once, Node remembers it; afterwards nobody could tell where a caller who left had been.
    void socket.remoteAddress;
    socket.once('close', () => sockets.delete(socket));
  }
  const http2 = new Http2Sessions(limits, unsent, bodies, {
    handle: (request, response) => handleFramed(request, response, handle),
    handleExpectation: (request, response) => handleExpectation(request, response, handle),
    refuse: reject,
  });
  function acceptHttp2(socket: Socket): void {
    admit(socket);
    if (!socket.destroyed) http2.accept(socket);
  }
  function accept(socket: TLSSocket): void {
    socket.on('error', () => socket.destroy());
    if (!server.listening) socket.destroy();
    else if (socket.alpnProtocol === 'h2') acceptHttp2(socket);
    else server.emit('connection', socket);
  }
  const look = (socket: Socket, go: (seen: Buffer) => void) =>
    sniffPreface(socket, limits.headersMs, acceptHttp2, go);
  handleOneAtATime(server, bodies, admit, h2c ? look : undefined);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    inTurn(response, () => handleFramed(request, response, handle));
  });
  server.on('clientError', respondToClientError);
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    respondLast(request, socket as Socket, handle, ConnectResponse);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    respondLast(request, socket as Socket, handle, MeasuredResponse);
  });
  for (const event of ['checkContinue', 'checkExpectation']) {
    server.on(event, (request: IncomingMessage, response: ServerResponse) => {
      inTurn(response, () => handleExpectation(request, response, handle));
    });
  }
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve({ server, sockets, http2, doors: [], accept });
    });
  });
}
