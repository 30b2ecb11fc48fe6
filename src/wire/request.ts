/** A request over HTTP/1.1 or an HTTP/2 stream. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { newPromise } from '#base/awaitable.js';
import { unsentBytesOn } from './budgets/unsent-bytes.js';
import { guard } from './guard.js';
import { currentResponse } from './internals/current-response.js';
import { DirectBodyRequest } from './internals/direct-body.js';
import { resetSocket } from './internals/reset-socket.js';

/** The bytes of a request as they arrived. */
export interface KeptBytes {
  /** The whole request, after the body has arrived; `undefined` if there was no room. */
  readonly whole: Buffer | undefined;
}

export class WireRequest extends DirectBodyRequest {
  /** Present for the few endpoints that show raw requests. */
  declare keptBytes?: KeptBytes;
  #sendContinue: (() => void) | undefined;

  /** Calls `send` when the body is first read, before any response: RFC 9110 section 10.1.1. */
  onBodyWanted(send: () => void): void {
    this.#sendContinue = send;
  }

  /** Whether the client may wait for 100 before it sends the body. */
  get awaitsContinue(): boolean {
    return this.#sendContinue !== undefined;
  }

  /** Reads the body without sending 100. Returns the function that sends it, if the client may wait for it. */
  withholdContinue(): (() => void) | undefined {
    const send = this.#sendContinue;
    this.#sendContinue = undefined;
    return send;
  }

  protected override bodyWanted(): void {
    if (this.response?.headersSent === false) this.withholdContinue()?.();
  }

  get response(): ServerResponse | undefined {
    return currentResponse(this.socket);
  }

  /** Whether it came on a stream of HTTP/2, whose frames are checked. */
  get isStream(): boolean {
    return false;
  }

  /** Whether it is an extended CONNECT for a WebSocket: RFC 8441. */
  get isExtendedConnect(): boolean {
    return false;
  }

  /** The connection or stream on which a WebSocket continues. */
  get transport(): Duplex {
    return this.socket;
  }

  /** Closes the connection after pending writes. On HTTP/2, closes only this stream. */
  endConnection(): void {
    closeConnection(this.socket);
  }

  /** Ends the connection after an error. On HTTP/2, ends only this stream. */
  cut(): void {
    this.socket.destroy();
  }

  /** Resets the connection (RST) after pending writes. On HTTP/2, resets only this stream. */
  resetConnection(): void {
    const { socket } = this;
    if (!socket.destroyed)
      socket.write(
        '',
        guard(socket, () => resetSocket(socket)),
      );
  }

  /**
   * Closes the connection. On HTTP/2, resets the stream as not processed (RFC 9113 section 8.7).
   */
  closeUnprocessed(): void {
    this.endConnection();
  }

  /** Closes the connection after the response, even if it could be kept alive. */
  closeAfter(response: ServerResponse): void {
    // Before the next request of the connection begins.
    response.prependOnceListener(
      'finish',
      guard(this, () => this.endConnection()),
    );
  }

  /** Ends a connection that has no request. */
  endIdleConnection(): void {
    this.endConnection();
  }

  /** Announces with the response that the connection accepts no more requests. */
  goAwayAfter(response: ServerResponse, _isGraceful?: boolean): void {
    response.shouldKeepAlive = false;
  }

  /** Processes nothing more of later requests of the connection, before {@link goAwayBefore}. */
  leaveLaterRequests(): void {}

  /** Closes the connection. On HTTP/2, says that this stream and later ones were not processed. */
  goAwayBefore(): void {
    this.endConnection();
  }

  /**
   * Writes bytes instead of a response on HTTP/1.1, and resolves when there is room for more, or
   * the client has left.
   */
  async writeRaw(bytes: Uint8Array): Promise<void> {
    const { socket } = this;
    if (bytes.length === 0 || socket.destroyed || socket.writableEnded) return;
    const isRoomLeft = socket.write(bytes);
    unsentBytesOn(socket)?.note(socket, 0);
    if (isRoomLeft) return;
    const { promise, resolve } = newPromise();
    socket.once('drain', resolve).once('close', resolve);
    await promise;
    socket.off('drain', resolve).off('close', resolve);
  }
}

/** Closes the connection of a request from the server side. */
export function endConnectionOf(request: IncomingMessage): void {
  (request as WireRequest).endConnection();
}

export function resetConnectionOf(request: IncomingMessage): void {
  (request as WireRequest).resetConnection();
}

export function closeUnprocessedRequest(request: IncomingMessage): void {
  (request as WireRequest).closeUnprocessed();
}

export function closeAfter(response: ServerResponse): void {
  (response.req as WireRequest).closeAfter(response);
}

export function goAwayAfter(response: ServerResponse, isGraceful = false): void {
  (response.req as WireRequest).goAwayAfter(response, isGraceful);
}

export function leaveLaterRequests(request: IncomingMessage): void {
  (request as WireRequest).leaveLaterRequests();
}

export function goAwayBefore(request: IncomingMessage): void {
  (request as WireRequest).goAwayBefore();
}

export function writeToConnectionOf(request: IncomingMessage, bytes: Uint8Array): Promise<void> {
  return (request as WireRequest).writeRaw(bytes);
}

/** Time for the client to read the sent bytes. */
const lingerMs = 1_000;

/** Ends a connection after pending writes. Further input is dropped. */
export function closeConnection(socket: Socket): void {
  if (socket.destroyed) return;
  if (socket.readableEnded) {
    socket.end(guard(socket, () => socket.destroy()));
    return;
  }
  let linger: NodeJS.Timeout | undefined;
  const destroy = guard(socket, () => socket.destroy());
  socket.once('end', destroy);
  socket.once(
    'close',
    guard(socket, () => clearTimeout(linger)),
  );
  socket.end(
    guard(socket, () => {
      linger = setTimeout(destroy, lingerMs);
    }),
  );
}
