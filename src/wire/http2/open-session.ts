/** A connection of HTTP/2, with its streams. */

import type { ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { hasPeerReset } from '../internals/has-peer-reset.js';
import { endCalmly, FrameOverhead } from './flood-guard.js';

export class OpenSession {
  readonly #session: ServerHttp2Session;
  readonly #socket: Socket;
  readonly #overhead: FrameOverhead;
  openStreams = 0;
  webSockets = 0;
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

  /** Ends the connection when too much of what arrives belongs to no request, or its client has reset it. */
  check(): void {
    if (this.#overhead.isTooMuch()) endCalmly(this.#session);
    if (this.openStreams > 0 && hasPeerReset(this.#socket)) this.#socket.destroy();
  }

  goAway(code: number): void {
    this.#lastCode ??= code;
    this.#session.goaway(code);
  }

  /** Ends the connection with its last stream, if its end was announced. */
  streamClosed(isReset: boolean): void {
    this.openStreams--;
    this.hasReset ||= isReset;
    if (this.#lastCode === undefined || this.openStreams > 0) return;
    this.#session.destroy(undefined, this.#lastCode);
  }
}
