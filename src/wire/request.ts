/** A request as the service gets it, over HTTP/1.1 or as a stream of HTTP/2. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { closeConnection, resetConnection } from './end-connection.js';
import { currentResponse } from './internals/current-response.js';
import { DirectBodyRequest } from './internals/direct-body.js';

export class WireRequest extends DirectBodyRequest {
  get response(): ServerResponse | undefined {
    return currentResponse(this.socket);
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

  /** Resets the connection (RST) after pending writes. On HTTP/2, resets only this stream. */
  resetConnection(): void {
    resetConnection(this.socket);
  }
}

/** Closes the connection of a request, without the client's doing. */
export function endConnectionOf(request: IncomingMessage): void {
  (request as WireRequest).endConnection();
}

export function resetConnectionOf(request: IncomingMessage): void {
  (request as WireRequest).resetConnection();
}
