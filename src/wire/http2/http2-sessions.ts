/**
 * HTTP/2 connections (RFC 9113) by Node, with the routes and limits of HTTP/1.1 connections. The
 * limits of the protocol are here: streams, headers, and expensive frames.
 */

import { type IncomingMessage, METHODS, type ServerResponse } from 'node:http';
import {
  constants,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type Settings,
} from 'node:http2';
import type { Socket } from 'node:net';
import { turns, type WorkPiece } from '#base/work-in-turns.js';
import type { BodiesInFlight } from '../budgets/bodies-in-flight.js';
import type { UnsentBytes } from '../budgets/unsent-bytes.js';
import type { ConnectionLimits } from '../connections.js';
import { guard, type Owner } from '../guard.js';
import { reportErrorCodes } from '../internals/session-errors.js';
import { measuredResponse } from '../measured-response.js';
import { methodFault } from '../method-fault.js';
import { receiveExpectation, receiveRequest, sendRejection } from '../receive-request.js';
import { handOver, isUpgradeAccepted, offerUpgrade } from '../upgrade.js';
import type { WireService } from '../wire-service.js';
import { limitFrames, maxFrames, overheadCheckMs } from './flood-guard.js';
import {
  bytesPerHeader,
  frameBytes,
  Http2Request,
  listBytes,
  type NewStream,
} from './http2-request.js';
import { Http2Response } from './http2-response.js';
import { Http2Tunnel, WindowRoom } from './http2-tunnel.js';
import { OpenSession } from './open-session.js';

const maxStreams = 100;

/** Limit for all headers of a request, with 32 bytes for each (RFC 9113 section 6.5.2). */
const maxHeaderListBytes = 64 * 1024;

/** Bytes of a body that a client may send before it is read. */
const windowBytes = 65_535;

export const ownSettings = {
  maxConcurrentStreams: maxStreams,
  maxHeaderListSize: maxHeaderListBytes,
  initialWindowSize: windowBytes,
  enablePush: false,
  // WebSockets may be streams: RFC 8441.
  enableConnectProtocol: true,
} as const satisfies Settings;

/** Frames of a stream other than its body: headers, windows, its end. */
const framesOfStream = 8;

/** Smaller bodies are exempt from the budget: see `request-body.ts`. */
const uncountedBytes = 1280;

export interface Http2Options {
  readonly limits: Pick<ConnectionLimits, 'headersMs' | 'keepAliveMs' | 'idleSocketMs'>;
  readonly unsent: UnsentBytes;
  readonly bodies: BodiesInFlight;
  readonly service: WireService;
}

/** The types lack the raw headers. */
type StreamEvent = [
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  flags: number,
  raw: string[],
];

/** A stream from its arrival to its end. */
class OpenStream implements NewStream, Owner, WorkPiece {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly raw: readonly string[];
  readonly socket: Socket;
  readonly session: OpenSession;
  readonly #begin: (opened: OpenStream) => void;
  isWaiting = false;
  place = -1;
  room: WindowRoom | undefined;
  request: Http2Request | undefined;
  response: Http2Response | undefined;

  constructor(opened: NewStream, begin: (opened: OpenStream) => void) {
    this.stream = opened.stream;
    this.headers = opened.headers;
    this.raw = opened.raw;
    this.socket = opened.socket;
    this.session = opened.session;
    this.#begin = begin;
  }

  /** A connection can open a hundred streams at once, so they take turns. */
  beginInTurn(): void {
    if (turns.hasTime()) {
      this.takeTurn();
      return;
    }
    turns.add(this);
  }

  takeTurn(): void {
    guard(this, this.#begin)(this);
  }

  /** Ends the stream after an error. */
  destroy(): void {
    if (!this.stream.closed) this.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }

  close(): void {
    turns.remove(this);
    this.room?.release();
    this.request?.streamClosed();
    this.response?.streamClosed();
  }
}

function ignoreError(): void {}

export class Http2Sessions {
  readonly #server: Http2Server;
  readonly #options: Http2Options;
  readonly #Response: typeof ServerResponse<IncomingMessage>;
  readonly #sessions = new Map<ServerHttp2Session, OpenSession>();
  #checking: NodeJS.Timeout | undefined;
  readonly #sockets = new WeakSet<Socket>();
  /** The socket whose session is being created. */
  #socket: Socket | undefined;

  constructor(options: Http2Options) {
    this.#options = options;
    this.#Response = measuredResponse(options.unsent, options.service.reject, Http2Response);
    this.#server = createServer({
      maxHeaderListPairs: maxHeaderListBytes / bytesPerHeader + 4,
      settings: ownSettings,
      // Older Node ignores these; its library ends a connection after this many resets.
      ...{ streamResetBurst: 10 * maxFrames, streamResetRate: 10 * maxFrames },
      // Newer Node shows values with spaces around them, instead of dropping their headers.
      ...{ strictFieldWhitespaceValidation: false },
    });
    this.#server.on('session', (session) => {
      const socket = this.#socket;
      if (socket !== undefined) guard(socket, () => this.#open(session, socket))();
    });
    this.#server.on('sessionError', () => {});
  }

  /** Serves a connection. Bytes that the client has already sent are in the queue of the socket. */
  accept(socket: Socket): void {
    // A client that ends its side can neither acknowledge nor open a window.
    socket.allowHalfOpen = false;
    this.#socket = socket;
    this.#server.emit('connection', socket);
    this.#socket = undefined;
  }

  has(socket: Socket): boolean {
    return this.#sockets.has(socket);
  }

  /** Asks every client to leave, and ends each connection after its responses. */
  close(): void {
    for (const session of this.#sessions.keys()) session.close();
  }

  #open(session: ServerHttp2Session, socket: Socket): void {
    const view = new OpenSession(session, socket);
    this.#sessions.set(session, view);
    this.#checking ??= setInterval(() => this.#check(), overheadCheckMs).unref();
    this.#sockets.add(socket);
    const { headersMs, keepAliveMs, idleSocketMs } = this.#options.limits;
    let isNew = true;
    let idle = setTimeout(
      guard(view, () => session.close()),
      headersMs,
    );
    const forget = () => {
      this.#sessions.delete(session);
      clearTimeout(idle);
    };
    session.once('close', guard(view, forget));
    // An error ends the session.
    session.on('error', () => {});
    // A WebSocket may be silent.
    const endSilent = guard(view, () => view.webSockets > 0 || session.destroy());
    session.setTimeout(idleSocketMs, endSilent);
    reportErrorCodes(session, view);
    const limitResets = limitFrames(session, view);
    const openStream = (...[stream, headers, , raw]: StreamEvent): void => {
      // The connection may end before the turn of the stream.
      stream.on('error', ignoreError);
      view.weigh(listBytes(raw) + framesOfStream * frameBytes);
      if (isNew) {
        isNew = false;
        clearTimeout(idle);
        idle = setTimeout(
          guard(view, () => view.openStreams > 0 || session.close()),
          keepAliveMs,
        );
      }
      const opened = new OpenStream({ stream, headers, raw, socket, session: view }, this.#begin);
      view.streamOpened(opened);
      // One listener for all, and none that remains: Node keeps closed streams for a while.
      const close = () => {
        opened.close();
        limitResets(stream);
        view.streamClosed(opened);
        if (view.openStreams === 0 && !session.closed) idle.refresh();
      };
      stream.once('close', guard(view, close));
      // After a reset, the next request may have arrived with this one.
      const begin = () => stream.destroyed || opened.beginInTurn();
      if (view.hasReset) setImmediate(guard(opened, begin));
      else opened.beginInTurn();
    };
    session.on('stream', guard(view, openStream));
  }

  #check(): void {
    for (const view of this.#sessions.values()) guard(view, () => view.check())();
    if (this.#sessions.size > 0) return;
    clearInterval(this.#checking);
    this.#checking = undefined;
  }

  readonly #begin = (opened: OpenStream): void => {
    const { stream, headers } = opened;
    if (stream.destroyed || opened.session.isLeft(stream)) return;
    if (opened.raw.some(hasSpaceAround)) {
      stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
      return;
    }
    const room = this.#roomFor(stream, headers);
    if (room?.reserve() === false) {
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
      return;
    }
    opened.room = room;
    const request = new Http2Request(opened);
    const response = new this.#Response(request);
    request.response = response;
    opened.request = request;
    opened.response = response as Http2Response;
    if (room !== undefined && request.isExtendedConnect) {
      this.#offerTunnel(request, response, room, opened.session);
    }
    const { service } = this.#options;
    const fault = headersFault(request, opened);
    if (fault !== undefined) sendRejection(request, response, service, ...fault);
    else if (headers.expect !== undefined) receiveExpectation(request, response, service);
    else receiveRequest(request, response, service);
  };

  /**
   * Returns the room for bytes that the client may send before its body is read; a small body needs
   * none.
   */
  #roomFor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): WindowRoom | undefined {
    if (stream.endAfterHeaders) return undefined;
    const bytes = Math.min(Number(headers['content-length'] ?? windowBytes), windowBytes);
    return bytes <= uncountedBytes ? undefined : new WindowRoom(this.#options.bodies, bytes);
  }

  /** Passes the stream on as a WebSocket after a response that opens it. */
  #offerTunnel(
    { stream, socket }: Http2Request,
    response: ServerResponse,
    room: WindowRoom,
    view: OpenSession,
  ): void {
    offerUpgrade(response);
    const open = (): void => {
      if (!isUpgradeAccepted(response)) return;
      const tunnel = new Http2Tunnel(stream, socket, room);
      stream.on(
        'data',
        guard(view, (chunk: Buffer) => view.weigh(frameBytes + chunk.length)),
      );
      this.#options.unsent.watch(tunnel);
      if (handOver(response, tunnel)) {
        view.webSockets++;
        stream.once(
          'close',
          guard(view, () => view.webSockets--),
        );
      }
      response.emit('close');
    };
    response.once('finish', guard(response.req, open));
  }
}

/** Such a request is malformed: RFC 9113 section 8.2.1. */
function hasSpaceAround(text: string): boolean {
  return isSpace(text.charCodeAt(0)) || isSpace(text.charCodeAt(text.length - 1));
}

const isSpace = (code: number) => code === 0x20 || code === 0x09;

type Fault = readonly [status: number, message: string];

function headersFault(
  request: Http2Request,
  { headers, raw, stream }: NewStream,
): Fault | undefined {
  const { method = '' } = request;
  if (method === 'CONNECT') return connectFault(headers);
  if (request.isExtendedConnect && stream.endAfterHeaders) {
    return [400, 'A WebSocket needs an open stream: do not set END_STREAM in its CONNECT.'];
  }
  if (!METHODS.includes(method)) {
    return [400, methodFault(method)];
  }
  if (listBytes(raw) <= maxHeaderListBytes) return undefined;
  return [
    431,
    `The headers exceed ${maxHeaderListBytes / 1024} KiB, counting 32 extra bytes for each.`,
  ];
}

function connectFault(headers: IncomingHttpHeaders): Fault {
  const { ':protocol': protocol, ':authority': authority = '' } = headers;
  const right = 'For a WebSocket, send :protocol websocket, with :scheme and :path.';
  return protocol === undefined
    ? [400, `CONNECT requests a tunnel to ${authority}, but this service opens none. ${right}`]
    : [501, `:protocol must be websocket; got "${protocol}".`];
}
