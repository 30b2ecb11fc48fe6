/** The server at one address: node:http, with sessions of HTTP/2 beside it, and bounds for slow clients. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { BodiesInFlight } from './budgets/bodies-in-flight.js';
import type { UnsentBytes } from './budgets/unsent-bytes.js';
import { ConnectResponse } from './connect-response.js';
import { type ConnectionLimits, maxHeaderBytes } from './connection-limits.js';
import { Connections } from './connections.js';
import {
  handleExpectation,
  handleFramed,
  type RequestListener,
  reject,
} from './http1/handle-framed.js';
import { LeanRequest } from './http1/lean-request.js';
import { handleOneAtATime } from './http1/one-at-a-time.js';
import { respondLast } from './http1/respond-last.js';
import { respondToClientError } from './http1/respond-to-client-error.js';
import { inTurn, responseUnderWay } from './http1/response-under-way.js';
import { sniffPreface } from './http1/sniff-preface.js';
import { Http2Sessions } from './http2/http2-sessions.js';
import { measuredResponse } from './measured-response.js';
import type { OpenDoor } from './tls/tls-door.js';

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
  const connections = new Connections(limits, isBetweenRequests);
  const { sockets } = connections;
  // Node remembers the address that is read here; of a client that has left it could not be read.
  const admit = (socket: Socket) => connections.admit(socket) && unsent.watch(socket);
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
  const undecided = new Connections(limits);
  function look(socket: Socket, go: (seen: Buffer) => void): void {
    if (!undecided.admit(socket)) return;
    const decided = (accepted: Socket) => {
      undecided.release(accepted);
      acceptHttp2(accepted);
    };
    sniffPreface(socket, limits.headersMs, decided, go);
  }
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

/** Returns whether a connection of HTTP/1.1 waits for its next request; one of another protocol may always be in use. */
function isBetweenRequests(socket: Socket): boolean {
  const { parser } = socket as Socket & { parser?: unknown };
  return Boolean(parser) && responseUnderWay(socket) === undefined;
}
