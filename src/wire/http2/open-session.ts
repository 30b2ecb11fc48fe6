/** A connection of HTTP/2, with its streams. */

import { constants, type ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { hasPeerReset } from '../internals/has-peer-reset.js';
import { endCalmly, FrameOverhead } from './flood-guard.js';

/** Time for which a connection stays open after its last stream, once it takes no more. */
const lingerMs = 10_000;

export class OpenSession {
  readonly #session: ServerHttp2Session;
  readonly #socket: Socket;
  readonly #overhead: FrameOverhead;
  openStreams = 0;
  webSockets = 0;
  hasReset = false;
  #lastCode: number | undefined;
  #isLeaving = false;

  constructor(session: ServerHttp2Session, socket: Socket) {
    this.#session = session;
    this.#socket = socket;
    this.#overhead = new FrameOverhead(socket);
  }

  weigh(bytes: number): void {
    this.#overhead.weigh(bytes);
  }

  /** Ends the connection when too much of what arrives belongs to no request, or its client has reset it. */
  check(): void {
    if (this.#overhead.isTooMuch()) endCalmly(this.#session);
    if (this.openStreams > 0 && hasPeerReset(this.#socket)) this.#socket.destroy();
  }

  goAway(code: number): void {
    this.#lastCode ??= code;
    this.#session.goaway(code);
  }

  /** Tells the client to open no more streams. Those that it opens are ignored: RFC 9113 section 6.8. */
  ignoreNewStreams(): void {
    this.#session.goaway(constants.NGHTTP2_NO_ERROR);
    this.#isLeaving = true;
  }

  /** Ends the connection with GOAWAY. Streams that are open are lost. */
  end(): void {
    // Without this, the connection would not wait for what is still to be written.
    this.#session.close();
    this.#session.destroy(undefined, constants.NGHTTP2_NO_ERROR);
  }

  /** Ends the connection with its last stream, if its end was announced. */
  streamClosed(isReset: boolean): void {
    this.openStreams--;
    this.hasReset ||= isReset;
    if (this.#isLeaving && this.openStreams === 0) this.#linger();
    if (this.#lastCode === undefined || this.openStreams > 0) return;
    this.#session.destroy(undefined, this.#lastCode);
  }

  /** The library no longer reads the connection, so the client's end of it would not be noticed. */
  #linger(): void {
    const timer = setTimeout(() => this.end(), lingerMs).unref();
    this.#session.once('close', () => clearTimeout(timer));
  }
}
