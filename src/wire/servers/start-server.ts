/**
 * Starts the server at one address: Node's HTTP/1.1, HTTP/2 sessions, and limits for slow clients.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { BodiesInFlight } from '../budgets/bodies-in-flight.js';
import type { UnsentBytes } from '../budgets/unsent-bytes.js';
import { type ConnectionLimits, Connections, maxHeaderBytes } from '../connections.js';
import { guard, reportErrorsOf } from '../guard.js';
import { handleOneAtATime } from '../http1/one-at-a-time.js';
import { clientErrorResponder } from '../http1/respond-to-client-error.js';
import { Http2Sessions } from '../http2/http2-sessions.js';
import { currentResponse } from '../internals/current-response.js';
import { measuredResponse } from '../measured-response.js';
import { isHttp2, readBeginning } from '../read-beginning.js';
import { receiveExpectation, receiveRequest } from '../receive-request.js';
import { WireRequest } from '../request.js';
import type { WireService } from '../wire-service.js';
import type { OpenTlsServer } from './listen-tls.js';
import { ConnectResponse, respondLast } from './respond-last.js';

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly service: WireService;
  readonly limits: ConnectionLimits;
  readonly unsent: UnsentBytes;
  readonly bodies: BodiesInFlight;
  /** Whether a plain connection may begin with HTTP/2. */
  readonly h2c: boolean;
}

export interface OpenServer {
  readonly server: Server;
  readonly sockets: ReadonlySet<Socket>;
  readonly http2: Http2Sessions;
  readonly tlsServers: OpenTlsServer[];
  /** Serves a connection after its TLS handshake. */
  readonly accept: (socket: TLSSocket) => void;
}

/** Listens at one address. Throws the system's error. */
export function startServer(options: ServerOptions): Promise<OpenServer> {
  const { host, port, limits, unsent, h2c } = options;
  const server = createHttp1Server(options);
  const connections = new Connections(limits);
  const { sockets } = connections;
  // Node caches the address on first use; after the client has left, it would be unavailable.
  const admit = (socket: Socket) => {
    reportErrors(socket, options.service);
    if (connections.admit(socket)) unsent.watch(socket);
  };
  const http2 = new Http2Sessions(options);
  function acceptHttp2(socket: Socket): void {
    admit(socket);
    if (!socket.destroyed) http2.accept(socket);
  }
  function accept(socket: TLSSocket): void {
    reportErrors(socket, options.service);
    socket.on(
      'error',
      guard(socket, () => socket.destroy()),
    );
    if (!server.listening) socket.destroy();
    else if (socket.alpnProtocol === 'h2') acceptHttp2(socket);
    else server.emit('connection', socket);
  }
  const undecided = new Connections(limits);
  function look(socket: Socket, go: (seen: Buffer) => void): void {
    if (!undecided.admit(socket)) return;
    readBeginning(socket, limits.headersMs, (seen) => {
      const isDecided = isHttp2(seen);
      if (isDecided === undefined) return undefined;
      return () => {
        undecided.release(socket);
        if (!isDecided) return go(seen);
        socket.unshift(seen);
        acceptHttp2(socket);
      };
    });
  }
  const { bodies } = options;
  handleOneAtATime(server, { bodies, onConnection: admit, look: h2c ? look : undefined });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve({ server, sockets, http2, tlsServers: [], accept });
    });
  });
}

/** Reports an error of a connection with the request that is handled, if there is one. */
function reportErrors(socket: Socket, { reportError }: WireService): void {
  reportErrorsOf(socket, (error, request) => {
    reportError(error, request ?? currentResponse(socket)?.req);
  });
}

function createHttp1Server({ limits, unsent, service }: ServerOptions): Server {
  const MeasuredResponse = measuredResponse(unsent, service.reject);
  const server = createServer({
    IncomingMessage: WireRequest as typeof IncomingMessage,
    ServerResponse: MeasuredResponse,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
    maxHeaderSize: maxHeaderBytes,
    // Node would reject it without a body; the service explains the fault.
    requireHostHeader: false,
  });
  server.setTimeout(limits.idleSocketMs);
  // Node would drop headers beyond 2,000, even Content-Length; their bytes are limited.
  server.maxHeadersCount = 0;
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    guard(request, receiveInTurn)(response, receiveRequest, service);
  });
  for (const event of ['checkContinue', 'checkExpectation']) {
    server.on(event, (request: IncomingMessage, response: ServerResponse) => {
      guard(request, receiveInTurn)(response, receiveExpectation, service);
    });
  }
  const respondToClientError = clientErrorResponder(service.reject);
  server.on('clientError', (error, socket) => {
    guard(socket, respondToClientError)(error, socket as Socket);
  });
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    guard(request, respondLast)(request, socket as Socket, service, ConnectResponse);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    guard(request, respondLast)(request, socket as Socket, service, MeasuredResponse);
  });
  return server;
}

/**
 * Calls `receive` once all earlier requests of the connection have their responses; never, if the
 * connection ends before.
 */
function receiveInTurn(
  response: ServerResponse,
  receive: typeof receiveRequest,
  service: WireService,
): void {
  const { req } = response;
  const { socket } = req;
  if (response.socket !== null) {
    receive(req, response, service);
    return;
  }
  currentResponse(socket)?.once(
    'finish',
    guard(req, () => {
      if (!socket.writableEnded) receiveInTurn(response, receive, service);
    }),
  );
}
