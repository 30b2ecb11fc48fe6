/**
 * Connections of HTTP/2 (RFC 9113) by Node, over the same routes and under the same bounds as those of HTTP/1.1. What
 * is particular to the protocol is bounded here: streams, headers, frames that cost more than they weigh.
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
import { turns } from '../../base/work-in-turns.js';
import type { BodiesInFlight } from '../budgets/bodies-in-flight.js';
import type { UnsentBytes } from '../budgets/unsent-bytes.js';
import { isGone } from '../is-gone.js';
import { measuredResponse } from '../measured-response.js';
import { handOver, isTaken, offerUpgrade } from '../upgrade.js';
import { maxFrames } from './flood-guard.js';
import { FrameOverhead, overheadCheckMs } from './frame-overhead.js';
import { endCalmly, guardFrames } from './guard-frames.js';
import {
  bytesPerHeader,
  frameBytes,
  Http2Request,
  listBytes,
  type NewStream,
  type SessionView,
} from './http2-request.js';
import { Http2Response } from './http2-response.js';
import { Http2Tunnel, WindowRoom } from './http2-tunnel.js';

/** At once on a connection. */
const maxStreams = 100;

/** Of all headers of a request, counted as RFC 9113 section 6.5.2 says: with 32 for each. */
const maxHeaderListBytes = 64 * 1024;

/** What a client may send of a body that nobody reads yet. */
const windowBytes = 65_535;

/** What clients are told when they connect. */
export const ownSettings = {
  maxConcurrentStreams: maxStreams,
  maxHeaderListSize: maxHeaderListBytes,
  initialWindowSize: windowBytes,
  enablePush: false,
  // RFC 8441: WebSockets may be streams.
  enableConnectProtocol: true,
} as const satisfies Settings;

/** Of a stream, beside those of its body: heads, windows, its end. */
const framesOfStream = 8;

/** A body that nobody counts: see `request-body.ts`. */
const uncountedBytes = 1280;

export interface Http2Limits {
  /** For the client to begin. */
  readonly headersMs: number;
  /** Without a stream. */
  readonly keepAliveMs: number;
  /** Without a byte in either direction. */
  readonly idleSocketMs: number;
}

/** Node gives the headers as they came as well, which its types have forgotten. */
type StreamEvent = [
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  flags: number,
  raw: string[],
];

/** What to do with a request of a stream. */
export interface Http2Handler {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  readonly handleExpectation: (request: IncomingMessage, response: ServerResponse) => void;
  readonly refuse: (
    request: IncomingMessage,
    response: ServerResponse,
    status: number,
    message: string,
  ) => void;
}

export class Http2Sessions {
  readonly #server: Http2Server;
  readonly #limits: Http2Limits;
  readonly #handler: Http2Handler;
  readonly #bodies: BodiesInFlight;
  readonly #unsent: UnsentBytes;
  readonly #Response: typeof ServerResponse<IncomingMessage>;
  readonly #sessions = new Map<ServerHttp2Session, OpenSession>();
  #checking: NodeJS.Timeout | undefined;
  readonly #sockets = new WeakSet<Socket>();
  /** Whose connection is being taken in. */
  #socket: Socket | undefined;

  constructor(
    limits: Http2Limits,
    unsent: UnsentBytes,
    bodies: BodiesInFlight,
    handler: Http2Handler,
  ) {
    this.#limits = limits;
    this.#handler = handler;
    this.#bodies = bodies;
    this.#unsent = unsent;
    this.#Response = measuredResponse(unsent, Http2Response);
    this.#server = createServer({
      maxHeaderListPairs: maxHeaderListBytes / bytesPerHeader + 4,
      settings: ownSettings,
      // From where Node knows these on; before, its library ends a connection after as many.
      ...{ streamResetBurst: 10 * maxFrames, streamResetRate: 10 * maxFrames },
    });
    this.#server.on('session', (session) => this.#watch(session));
    this.#server.on('sessionError', () => {});
  }

  /** Serves a connection whose client speaks HTTP/2; what it has sent already is in its queue. */
  accept(socket: Socket): void {
    // Whoever ends its side can neither acknowledge nor open a window.
    socket.allowHalfOpen = false;
    this.#socket = socket;
    this.#server.emit('connection', socket);
    this.#socket = undefined;
  }

  has(socket: Socket): boolean {
    return this.#sockets.has(socket);
  }

  /** Asks every client to go elsewhere, and ends each connection when its answers are out. */
  close(): void {
    for (const session of this.#sessions.keys()) session.close();
  }

  #watch(session: ServerHttp2Session): void {
    const socket = this.#socket;
    if (socket === undefined) return;
    const view = new OpenSession(session, socket);
    this.#sessions.set(session, view);
    this.#checking ??= setInterval(() => this.#check(), overheadCheckMs).unref();
    this.#sockets.add(socket);
    session.once('close', () => {
      this.#sessions.delete(session);
      clearTimeout(idle);
    });
    // What went wrong ends the session, and is nothing to us.
    session.on('error', () => {});
    const { headersMs, keepAliveMs, idleSocketMs } = this.#limits;
    // Of a WebSocket nobody expects that it says something.
    session.setTimeout(idleSocketMs, () => view.tunnels > 0 || session.destroy());
    let idle = setTimeout(() => session.close(), headersMs);
    guardFrames(session);
    session.on('stream', (...[stream, headers, , raw]: StreamEvent) => {
      // Its connection may end while it waits for its turn.
      stream.on('error', () => {});
      view.openStreams++;
      view.weigh(listBytes(raw) + framesOfStream * frameBytes);
      clearTimeout(idle);
      stream.once('close', () => {
        view.openStreams--;
        view.hasReset ||= stream.aborted;
        view.endIfDone();
        if (view.openStreams > 0 || session.closed) return;
        idle = setTimeout(() => session.close(), keepAliveMs);
      });
      const begun = { stream, headers, raw, socket, session: view };
      // Of a client that resets, what comes next may be a reset that has arrived already.
      if (view.hasReset) setImmediate(() => stream.destroyed || this.#takeIn(begun));
      else this.#takeIn(begun);
    });
  }

  #check(): void {
    for (const view of this.#sessions.values()) view.check();
    if (this.#sessions.size > 0) return;
    clearInterval(this.#checking);
    this.#checking = undefined;
  }

  /** A connection can begin a hundred requests at once: each has its turn. */
  #takeIn(begun: NewStream): void {
    if (turns.hasTime()) {
      this.#begin(begun);
      return;
    }
    const { stream } = begun;
    const piece = {
      takeTurn: () => {
        stream.off('close', forget);
        if (!stream.destroyed) this.#begin(begun);
      },
    };
    const forget = () => turns.remove(piece);
    turns.add(piece);
    stream.once('close', forget);
  }

  #begin(begun: NewStream): void {
    const { stream, headers } = begun;
    const room = this.#roomFor(stream, headers);
    if (room?.take() === false) {
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
      return;
    }
    stream.once('close', () => room?.release());
    const request = new Http2Request(begun);
    const response = new this.#Response(request);
    request.answer = response;
    const { method = '' } = request;
    if (room !== undefined && request.asksForTunnel) {
      this.#offerTunnel(request, response, room, begun.session);
    }
    if (method === 'CONNECT') {
      this.#handler.refuse(request, response, ...tunnelFault(headers));
    } else if (!METHODS.includes(method)) {
      const message = 'The request does not begin with a method that HTTP knows.';
      this.#handler.refuse(request, response, 400, message);
    } else if (listBytes(begun.raw) > maxHeaderListBytes) {
      const message = `The headers are larger than ${maxHeaderListBytes / 1024} KiB together, with 32 bytes for each.`;
      this.#handler.refuse(request, response, 431, message);
    } else if (headers.expect !== undefined) {
      this.#handler.handleExpectation(request, response);
    } else this.#handler.handle(request, response);
  }

  /** For what can come of a body before somebody reads it; none is needed for little. */
  #roomFor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): WindowRoom | undefined {
    if (stream.endAfterHeaders) return undefined;
    const bytes = Math.min(Number(headers['content-length'] ?? windowBytes), windowBytes);
    return bytes <= uncountedBytes ? undefined : new WindowRoom(this.#bodies, bytes);
  }

  /** Gives the stream to whoever takes it as a WebSocket, once the answer says so. */
  #offerTunnel(
    { stream, socket }: Http2Request,
    response: ServerResponse,
    room: WindowRoom,
    view: SessionView,
  ): void {
    offerUpgrade(response);
    response.once('finish', () => {
      if (!isTaken(response)) return;
      const tunnel = new Http2Tunnel(stream, socket, room);
      stream.on('data', (chunk: Buffer) => view.weigh(frameBytes + chunk.length));
      this.#unsent.watch(tunnel);
      if (handOver(response, tunnel)) {
        view.tunnels++;
        stream.once('close', () => view.tunnels--);
      }
      response.emit('close');
    });
  }
}

/** What requests see of their connection, and what is known of it. */
class OpenSession implements SessionView {
  readonly #session: ServerHttp2Session;
  readonly #socket: Socket;
  readonly #overhead: FrameOverhead;
  openStreams = 0;
  tunnels = 0;
  /** Whether the client has taken back a request. */
  hasReset = false;
  #lastCode: number | undefined;

  constructor(session: ServerHttp2Session, socket: Socket) {
    this.#session = session;
    this.#socket = socket;
    this.#overhead = new FrameOverhead(socket);
  }

  weigh(bytes: number): void {
    this.#overhead.weigh(bytes);
  }

  /** Ends the connection when too much of what comes on it is of no use, or nobody is at its other end. */
  check(): void {
    if (this.#overhead.isTooMuch()) endCalmly(this.#session);
    if (this.openStreams > 0 && isGone(this.#socket)) this.#socket.destroy();
  }

  goAway(code: number): void {
    this.#lastCode ??= code;
    this.#session.goaway(code);
  }

  /** Ends the connection once it has been announced and no stream is left. */
  endIfDone(): void {
    if (this.#lastCode === undefined || this.openStreams > 0) return;
    this.#session.destroy(undefined, this.#lastCode);
  }
}

/** Why a CONNECT is for nobody here. */
function tunnelFault(headers: IncomingHttpHeaders): readonly [status: number, message: string] {
  const { ':protocol': protocol, ':authority': authority = '' } = headers;
  const right = 'For a WebSocket, send :protocol websocket, with :scheme and :path.';
  return protocol === undefined
    ? [400, `CONNECT asks for a tunnel to ${authority}, and this service opens none. ${right}`]
    : [501, `Of what :protocol may name, only websocket is spoken here; got "${protocol}".`];
}
