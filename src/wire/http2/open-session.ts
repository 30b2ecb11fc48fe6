/** An HTTP/2 connection with its streams. */

import { constants, type ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { guard, type Owner } from '../guard.js';
import { hasPeerReset } from '../internals/has-peer-reset.js';
import { endCalmly, FrameOverhead } from './flood-guard.js';

/**
 * Time for which a connection stays open after its last stream, when it accepts no more streams.
 */
const lingerMs = 10_000;

/** Connections without streams are checked less often. */
const checksUntilIdle = 8;

export class OpenSession implements Owner {
  readonly #session: ServerHttp2Session;
  readonly socket: Socket;
  readonly #overhead: FrameOverhead;
  openStreams = 0;
  webSockets = 0;
  hasReset = false;
  #lastCode: number | undefined;
  #isLeaving = false;
  #checks = 0;
  #dateSecond = 0;
  #date = '';

  constructor(session: ServerHttp2Session, socket: Socket) {
    this.#session = session;
    this.socket = socket;
    this.#overhead = new FrameOverhead(socket);
  }

  /** The value of `Date`, which changes once a second. */
  get currentDate(): string {
    const second = Math.floor(Date.now() / 1000);
    if (second !== this.#dateSecond) {
      this.#dateSecond = second;
      this.#date = new Date(second * 1000).toUTCString();
    }
    return this.#date;
  }

  weigh(bytes: number): void {
    this.#overhead.weigh(bytes);
  }

  /** Ends the connection if it has too much overhead, or its client has reset it. */
  check(): void {
    if (this.#overhead.isTooMuch()) endCalmly(this.#session);
    // A connection without streams is also unread after GOAWAY, but holds less.
    const isDue = this.openStreams > 0 || ++this.#checks % checksUntilIdle === 0;
    if (isDue && hasPeerReset(this.socket)) this.socket.destroy();
  }

  goAway(code: number): void {
    this.#lastCode ??= code;
    this.#announceEnd(code);
  }

  /** Forbids the client to open more streams. New ones are ignored: RFC 9113 section 6.8. */
  ignoreNewStreams(): void {
    this.#announceEnd(constants.NGHTTP2_NO_ERROR);
    this.#isLeaving = true;
  }

  /** A response can end after its connection, and a session that is gone throws. */
  #announceEnd(code: number): void {
    if (!this.#session.destroyed) this.#session.goaway(code);
  }

  /** Ends the connection with GOAWAY. Open streams are lost. */
  end(): void {
    // Without this, the connection would not wait for pending writes.
    this.#session.close();
    this.#session.destroy(undefined, constants.NGHTTP2_NO_ERROR);
  }

  /** Ends the connection after an error. */
  destroy(): void {
    this.#session.destroy(undefined, constants.NGHTTP2_INTERNAL_ERROR);
  }

  /** Ends the connection with its last stream, if GOAWAY was sent. */
  streamClosed(isReset: boolean): void {
    this.openStreams--;
    this.hasReset ||= isReset;
    if (this.#isLeaving && this.openStreams === 0) this.#linger();
    if (this.#lastCode === undefined || this.openStreams > 0) return;
    this.#session.destroy(undefined, this.#lastCode);
  }

  /** The library no longer reads the connection, so it would not notice the client's end. */
  #linger(): void {
    const end = guard(this, () => this.end());
    const timer = setTimeout(end, lingerMs).unref();
    this.#session.once(
      'close',
      guard(this, () => clearTimeout(timer)),
    );
  }
}
