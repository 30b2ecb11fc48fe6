/**
 * The sockets: node:http servers on every address of the host, with bounds for slow clients, and
 * answers in the error shape for what Node itself would refuse with an empty one.
 */

import { lookup } from 'node:dns/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { answerUnderWay, inTurn } from './answer-under-way.js';
import { BodiesInFlight } from './bodies-in-flight.js';
import { targetFault } from './check-target.js';
import { ConnectResponse } from './connect-response.js';
import { countRequest } from './connection-requests.js';
import { jsonContentType } from './error-handler.js';
import { isBelow } from './fixed-headers.js';
import { errorBody } from './http-error.js';
import { Http2Request } from './http2-request.js';
import { Http2Sessions } from './http2-sessions.js';
import { LeanRequest } from './lean-request.js';
import { measuredResponse } from './measured-response.js';
import { normalizeHost } from './normalize-host.js';
import { handleOneAtATime, keepBytes } from './one-at-a-time.js';
import { originForm } from './origin-form.js';
import { paceWindowMs } from './pace.js';
import { maxBodyBytes } from './request-body.js';
import { newRequestId, requestIdOf } from './response-headers.js';
import { enterSandbox } from './sandbox-address.js';
import { sniffPreface } from './sniff-preface.js';
import { type OpenDoor, openDoor, type TlsDoor } from './tls-door.js';
import { UnsentBytes } from './unsent-bytes.js';
import { handOver, isUpgraded, offerUpgrade } from './upgrade.js';

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/** Bounds on time, in milliseconds, against clients that are slow or silent, and on connections. */
export interface ConnectionLimits {
  /** For all headers to arrive. */
  readonly headersMs: number;
  /** For the whole request to arrive. */
  readonly requestMs: number;
  /** Between two requests of one connection. */
  readonly keepAliveMs: number;
  /** Without a byte in either direction, as with a client that does not read its answer. */
  readonly idleSocketMs: number;
  /** How often the first two are checked. */
  readonly checkIntervalMs: number;
  /** Open at once on each address; one more is closed unanswered. */
  readonly maxConnections: number;
  /** Over which a client must take 1 KiB a second of its answer. */
  readonly paceMs: number;
  /** What all clients together may leave untaken of their answers, in bytes. */
  readonly maxUnsentBytes: number;
}

const defaultLimits: ConnectionLimits = {
  headersMs: 20_000,
  requestMs: 120_000,
  keepAliveMs: 65_000,
  idleSocketMs: 120_000,
  checkIntervalMs: 2_000,
  maxConnections: 10_000,
  paceMs: paceWindowMs,
  maxUnsentBytes: 256 * 1024 * 1024,
};

/** Of the request line and headers together. */
const maxHeaderBytes = 16 * 1024;

interface OpenServer {
  readonly server: Server;
  readonly sockets: ReadonlySet<Socket>;
  readonly http2: Http2Sessions;
  readonly doors: OpenDoor[];
  /** Takes a connection in whose protocol is known. */
  readonly accept: (socket: TLSSocket) => void;
}

/** What else is listened on, or spoken. */
export interface ListenOptions {
  /** Whether a plain connection may begin in HTTP/2. */
  readonly h2c?: boolean;
  /** Ports for TLS. */
  readonly doors?: readonly TlsDoor[];
}

export interface Listener {
  readonly port: number;
  /** Where the doors are, in their order. */
  readonly doorPorts: readonly number[];
  /** How many connections are open. */
  connections(): number;
  /** How many bytes of answers clients have yet to take. */
  unsentBytes(): number;
  /** Goes on as before, but ends each connection with its next answer, so that clients move away. */
  drain(): void;
  /** Stops accepting, lets what is in flight finish, and resolves when every connection is gone. */
  close(): Promise<void>;
  /** Ends every connection at once. */
  closeNow(): void;
}

/** Listens on all addresses of a host (`localhost` is 127.0.0.1 and ::1); throws the system's error. */
export async function listen(
  host: string,
  port: number,
  handleRequest: RequestListener,
  changedLimits: Partial<ConnectionLimits> = {},
  bodies = new BodiesInFlight(Number.POSITIVE_INFINITY),
  rawPaths: readonly string[] = [],
  { h2c = false, doors = [] }: ListenOptions = {},
): Promise<Listener> {
  const limits = { ...defaultLimits, ...changedLimits };
  const unsent = new UnsentBytes(limits.maxUnsentBytes, limits.paceMs);
  let isDraining = false;
  function handle(request: IncomingMessage, response: ServerResponse): void {
    if (isDraining) response.shouldKeepAlive = false;
    countRequest(request.socket);
    const path = originForm(request.url ?? '');
    if (rawPaths.some((each) => isBelow(path, each))) keepBytes(request, response);
    handleRequest(request, response);
  }
  const [first, ...others] = await addressesOf(host);
  const main = await startServer(first, port, handle, limits, unsent, bodies, h2c);
  const servers = [main];
  const actualPort = (main.server.address() as AddressInfo).port;
  for (const address of others) {
    try {
      servers.push(await startServer(address, actualPort, handle, limits, unsent, bodies, h2c));
    } catch (error) {
      // A machine without IPv6 still resolves ::1; anything else is a fault worth hearing of.
      if ((error as NodeJS.ErrnoException).code === 'EADDRNOTAVAIL') continue;
      await Promise.all(servers.map(closeServer));
      throw error;
    }
  }
  const doorPorts: number[] = [];
  try {
    for (const door of doors) doorPorts.push(await openOnAll(servers, door, limits));
  } catch (error) {
    await Promise.all(servers.map(closeServer));
    throw error;
  }
  return {
    port: actualPort,
    doorPorts,
    connections: () => servers.reduce((sum, { sockets }) => sum + sockets.size, 0),
    unsentBytes: () => unsent.total,
    drain() {
      isDraining = true;
    },
    async close() {
      isDraining = true;
      await Promise.all(servers.map(closeServer));
      unsent.close();
    },
    closeNow() {
      for (const { sockets, doors } of servers) {
        for (const socket of sockets) socket.destroy();
        for (const { raw } of doors) for (const socket of raw) socket.destroy();
      }
    },
  };
}

/** Opens a door at each address that is listened on, and says at which port. */
async function openOnAll(
  servers: readonly OpenServer[],
  door: TlsDoor,
  limits: ConnectionLimits,
): Promise<number> {
  let { port } = door;
  for (const { server, doors, accept } of servers) {
    const { address } = server.address() as AddressInfo;
    const refusePlain = (head: string) => plainOnTls(head, port);
    const opened = await openDoor(address, { ...door, port }, limits, accept, refusePlain);
    doors.push(opened);
    port = (opened.server.address() as AddressInfo).port;
  }
  return port;
}

/** What comes in plain HTTP to a port for TLS is told where it should have gone. */
function plainOnTls(head: string, port: number): string {
  const sent = /^host: *([^\r\n:[\]]+|\[[^\r\n\]]+\])/im.exec(head)?.[1]?.trim() ?? '';
  const host = normalizeHost(sent, 'https') ?? 'localhost';
  const message = `TLS is spoken on this port, and the request came without. Send it to https://${host}:${port}.`;
  return rawAnswer(400, message);
}

async function addressesOf(host: string): Promise<[string, ...string[]]> {
  const found = await lookup(host, { all: true });
  const [first = host, ...others] = [...new Set(found.map(({ address }) => address))];
  return host === 'localhost' ? [first, ...others] : [first];
}

function startServer(
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
    handleExpectation: answerExpectation,
    refuse,
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
  server.on('clientError', answerClientError);
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    answerLast(request, socket as Socket, handle, ConnectResponse);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    answerLast(request, socket as Socket, handle, MeasuredResponse);
  });
  function answerExpectation(request: IncomingMessage, response: ServerResponse): void {
    const { expect = '', 'content-length': announced = 0 } = request.headers;
    if (expect.toLowerCase() !== '100-continue') {
      const message = `Expect: ${expect} is not understood; only 100-continue is.`;
      refuse(request, response, 417, message);
      return;
    }
    // Reject an oversized body before it is sent.
    if (Number(announced) <= maxBodyBytes) response.writeContinue();
    handleFramed(request, response, handle);
  }
  for (const event of ['checkContinue', 'checkExpectation']) {
    server.on(event, (request: IncomingMessage, response: ServerResponse) => {
      inTurn(response, () => answerExpectation(request, response));
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

/**
 * Ends each connection as soon as it has no answer under way. Node's own way of it would cut answers
 * that are written but not yet sent, and keep connections open that have just been answered.
 */
async function closeServer({ server, sockets, http2, doors }: OpenServer): Promise<void> {
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
        setTimeout(() => setImmediate(endOnceAnswered, socket), newConnectionGraceMs);
      } else endOnceAnswered(socket);
    }
  });
}

const newConnectionGraceMs = 100;

function endOnceAnswered(socket: Socket): void {
  // It says good-bye in a protocol of its own.
  if (isUpgraded(socket)) return;
  const answer = answerUnderWay(socket);
  if (answer === undefined) {
    socket.destroySoon();
  } else {
    if (!answer.headersSent) answer.setHeader('connection', 'close');
    answer.once('finish', () => socket.destroySoon());
  }
}

/**
 * Refuses what the parser lets by although it is another protocol (RFC 9112 section 2.3), has no target
 * (section 3.2), or nobody can be sure where the body ends (sections 6.1 and 6.3); hands over all else, with
 * targets below `/s/` inside their sandbox.
 */
function handleFramed(
  request: IncomingMessage,
  response: ServerResponse,
  handle: RequestListener,
): void {
  const { headers } = request;
  const fault = findFault(request);
  if (fault !== undefined) {
    response.shouldKeepAlive = false;
    refuse(request, response, ...fault);
    return;
  }
  // The parser drops what arrived together with a request for any other upgrade, so that what arrives
  // next could begin in the middle of another one.
  if (headers.upgrade !== undefined) response.shouldKeepAlive = false;
  const badTarget = targetFault(request.method ?? '', request.url ?? '');
  if (badTarget !== undefined) {
    refuse(request, response, 400, badTarget);
    return;
  }
  enterSandbox(request);
  handle(request, response);
}

type Fault = readonly [status: number, message: string];

function findFault(request: IncomingMessage): Fault | undefined {
  const { headers, httpVersion, httpVersionMajor } = request;
  // A library has seen to it that its frames are right.
  if (request instanceof Http2Request) return undefined;
  if (httpVersionMajor !== 1) {
    return [505, `HTTP/${httpVersion} is not spoken here. Send HTTP/1.1.`];
  }
  const codings = headers['transfer-encoding'];
  if (codings === undefined) return undefined;
  if (httpVersion !== '1.1') {
    return [400, `HTTP/${httpVersion} has no Transfer-Encoding. Send a Content-Length.`];
  }
  const names = codings.split(',').map((name) => name.trim().toLowerCase());
  const named = names.filter((name) => name !== '');
  if (named.at(-1) !== 'chunked') return [400, 'The Transfer-Encoding must end with chunked.'];
  if (named.length === 1) return undefined;
  return [501, `Of Transfer-Encoding ${codings}, only chunked is understood.`];
}

/** Answers in place of the routes. */
function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  message: string,
): void {
  const body = JSON.stringify(errorBody(status, message));
  response
    .writeHead(status, {
      'content-type': jsonContentType,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': '*',
      'x-request-id': requestIdOf(request),
    })
    .end(body);
}

/**
 * Answers on a connection that Node has stopped parsing, once all that was asked before on it has been answered:
 * CONNECT, which is a verb like any other here and never a tunnel, and a WebSocket's handshake, after which the
 * connection is no longer HTTP. The router answers both.
 */
function answerLast(
  request: IncomingMessage,
  socket: Socket,
  handle: RequestListener,
  Response: typeof ServerResponse<IncomingMessage>,
): void {
  const earlier = answerUnderWay(socket);
  if (earlier !== undefined) {
    earlier.once('finish', () => answerLast(request, socket, handle, Response));
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

const clientFaults: Readonly<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    `The request line and headers are larger than ${maxHeaderBytes / 1024} KiB together.`,
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the body are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
  HPE_INVALID_METHOD: [400, 'The request does not begin with a verb that HTTP knows.'],
  HPE_INVALID_URL: [400, 'The request target is malformed.'],
  HPE_INVALID_VERSION: [400, 'The HTTP version is malformed or unknown.'],
  HPE_INVALID_HEADER_TOKEN: [400, 'A header holds a character that headers may not hold.'],
  HPE_INVALID_CONTENT_LENGTH: [
    400,
    'The Content-Length is not a plain number, or comes with Transfer-Encoding.',
  ],
  HPE_UNEXPECTED_CONTENT_LENGTH: [400, 'Content-Length comes twice, or with Transfer-Encoding.'],
  HPE_INVALID_TRANSFER_ENCODING: [
    400,
    'The Transfer-Encoding is not chunked alone, or comes with Content-Length.',
  ],
  HPE_INVALID_CHUNK_SIZE: [400, 'A chunk of the body has a malformed size.'],
  HPE_LF_EXPECTED: [400, 'A line ends in a bare carriage return.'],
  HPE_CR_EXPECTED: [400, 'A line ends in a bare line feed; HTTP lines end in CR LF.'],
};

/** How long a connection that was refused stays, so that the client gets to read why. */
const lingerMs = 1_000;

/** Connections that nothing is read from any more. */
const refused = new WeakSet<Duplex>();

/**
 * Answers what is not HTTP (RFC 9112), or came too slowly, and ends the connection. What was asked
 * before it on the connection is answered first.
 */
function answerClientError(error: NodeJS.ErrnoException, duplex: Duplex): void {
  const socket = duplex as Socket;
  if (error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  // Whatever else arrives is dropped.
  if (refused.has(socket)) return;
  refused.add(socket);
  socket.once('end', () => socket.destroy());
  refuseNext(error, socket);
}

function refuseNext(error: NodeJS.ErrnoException, socket: Socket): void {
  const answer = answerUnderWay(socket);
  const broken = requestUnderWay(socket);
  if (answer !== undefined && answer.req !== broken) {
    answer.once('finish', () => refuseNext(error, socket));
    return;
  }
  // A request whose end is broken may have been answered by its beginning: once is enough. And bytes
  // after a request that says Connection: close are no request (RFC 9112 section 9.6).
  const isAnswered = answer?.headersSent ?? broken !== undefined;
  if (!socket.writable || isAnswered || error.code === 'HPE_CLOSED_CONNECTION') {
    socket.destroySoon();
    return;
  }
  socket.end(clientErrorAnswer(error));
  const linger = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(linger));
}

/** The request of which not all has arrived; Node's parser knows it, and nobody else. */
function requestUnderWay(socket: Socket): IncomingMessage | undefined {
  const { parser } = socket as Socket & { parser?: { incoming?: IncomingMessage | null } | null };
  const incoming = parser?.incoming ?? undefined;
  return incoming?.complete === false ? incoming : undefined;
}

function clientErrorAnswer(error: NodeJS.ErrnoException): string {
  const [status, message] = clientFaults[error.code ?? ''] ?? [
    400,
    'The request is not valid HTTP.',
  ];
  return rawAnswer(status, message);
}

/** The last answer of a connection, where there is no request that Node knows of. */
function rawAnswer(status: number, message: string): string {
  const fault = errorBody(status, message);
  const body = JSON.stringify(fault);
  return [
    `HTTP/1.1 ${status} ${fault.error}`,
    `Date: ${new Date().toUTCString()}`,
    `Content-Type: ${jsonContentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Access-Control-Allow-Origin: *',
    'Access-Control-Expose-Headers: *',
    `X-Request-Id: ${newRequestId()}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
