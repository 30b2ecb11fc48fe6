/** An HTTP/2 connection with its streams. */

import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { type Placed, Unordered } from '#base/shares/unordered.js';
import { guard, type Owner } from '../guard.js';
import { hasPeerReset } from '../internals/has-peer-reset.js';
import { endCalmly, FrameOverhead } from './flood-guard.js';

/**
 * Time for which a connection stays open after its last stream, when it accepts no more streams.
 */
const lingerMs = 10_000;

/** Time between both GOAWAY of a graceful shutdown. */
const graceMs = 500;

/** In the first GOAWAY of a graceful shutdown. */
const highestStreamId = 2 ** 31 - 1;

/** Connections without streams are checked less often. */
const checksUntilIdle = 8;

interface StreamOfSession extends Placed {
  readonly stream: ServerHttp2Stream;
  /** Ends the work on it. */
  close(): void;
}

export class OpenSession implements Owner {
  readonly #session: ServerHttp2Session;
  readonly socket: Socket;
  readonly #overhead: FrameOverhead;
  readonly #streams = new Unordered<StreamOfSession>();
  #firstLeft = Number.POSITIVE_INFINITY;
  webSockets = 0;
  /** Called when the client has sent too many PINGs without a stream. */
  onTooManyPings: (() => void) | undefined;
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

  get openStreams(): number {
    return this.#streams.size;
  }

  streamOpened(opened: StreamOfSession): void {
    this.#streams.add(opened);
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

  /** Returns whether the connection was left before this stream. */
  isLeft({ id = 0 }: ServerHttp2Stream): boolean {
    return id >= this.#firstLeft;
  }

  /** Processes nothing more of later streams. */
  leaveLaterStreams({ id = 1 }: ServerHttp2Stream): void {
    this.#firstLeft = Math.min(this.#firstLeft, id + 1);
    for (const each of this.#streams) if (this.isLeft(each.stream)) each.close();
  }

  /** Says that this stream and later ones were not processed, and ignores them (RFC 9113 section 6.8). */
  leaveBefore({ id = 1 }: ServerHttp2Stream): void {
    if (this.#session.destroyed) return;
    this.#firstLeft = Math.min(this.#firstLeft, id);
    this.#isLeaving = true;
    // The library cannot name 0. The first stream is reset as not processed instead (section 8.7).
    const last = Math.max(id - 2, 1);
    for (const { stream } of this.#streams) {
      if (this.isLeft(stream)) stream.close(constants.NGHTTP2_REFUSED_STREAM);
    }
    this.#session.goaway(constants.NGHTTP2_NO_ERROR, last);
  }

  /** Says that later streams were not processed, and ignores them. This one continues. */
  leaveAfter(stream: ServerHttp2Stream): void {
    if (this.#session.destroyed) return;
    this.leaveLaterStreams(stream);
    this.#isLeaving = true;
    this.#session.goaway(constants.NGHTTP2_NO_ERROR, stream.id);
  }

  /** Announces that the connection will accept no more streams: the beginning of a graceful shutdown. */
  announceLeaving(): void {
    if (!this.#session.destroyed) this.#session.goaway(constants.NGHTTP2_NO_ERROR, highestStreamId);
  }

  /** Follows {@link announceLeaving} with the last stream, once the client has had time to read it. */
  leaveSoon(): void {
    this.#endLater(graceMs, () => this.ignoreNewStreams());
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
  streamClosed(opened: StreamOfSession, isReset = opened.stream.aborted): void {
    this.#streams.delete(opened);
    this.hasReset ||= isReset;
    if (this.#isLeaving && this.openStreams === 0) this.#linger();
    if (this.#lastCode === undefined || this.openStreams > 0) return;
    this.#session.destroy(undefined, this.#lastCode);
  }

  /** The library no longer reads the connection, so it would not notice the client's end. */
  #linger(): void {
    this.#endLater(lingerMs, () => this.end());
  }

  #endLater(afterMs: number, end: () => void): void {
    const timer = setTimeout(guard(this, end), afterMs).unref();
    this.#session.once(
      'close',
      guard(this, () => clearTimeout(timer)),
    );
  }
}
