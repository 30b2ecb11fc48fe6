/** The WebSockets of a service (RFC 6455): accepts handshakes, counts open sockets, and closes them at a stop. */

import type { Duplex } from 'node:stream';
import type { Reply, Request } from '#http/exchange.js';
import { HeldRequests } from '#http/held-requests.js';
import type { BodiesInFlight } from '#wire/budgets/bodies-in-flight.js';
import { guard } from '#wire/guard.js';
import type { WireRequest } from '#wire/request.js';
import { acceptUpgrade, isUpgradeOffered, openingStatus } from '#wire/upgrade.js';
import type {
  AgreedCompression,
  Compressions,
  ServerSocket,
} from '#wire/websocket/server-socket.js';
import { type Handshake, readHandshake } from './read-handshake.js';

export { isExtendedConnect, isWebSocketHandshake } from '#wire/upgrade.js';
export type { Message, ServerSocket } from '#wire/websocket/server-socket.js';

/** Maximum size of a message in bytes, compressed or not. */
export const maxMessageBytes = 1024 * 1024;

export interface SocketOptions {
  /** Subprotocol of the response, one of the client's offers. */
  readonly protocol?: string | undefined;
  readonly maxMessageBytes?: number;
  /** Whether pings get no pongs. */
  readonly isSilent?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

type Use = (socket: ServerSocket) => void | Promise<void>;

type Report = (request: Request, error: unknown) => void;

export const stopReason = 'The service is stopping. Connect again in a moment.';

export class WebSockets {
  readonly #places: HeldRequests;
  readonly #bodies: BodiesInFlight;
  readonly #report: Report;
  readonly #open = new Set<ServerSocket>();
  #compressions: Compressions | undefined;

  /** A sandbox has at most half of the `limit`, an address a third. */
  constructor(limit: number, bodies: BodiesInFlight, report: Report) {
    this.#report = report;
    this.#places = new HeldRequests(limit, 'WebSockets');
    this.#bodies = bodies;
  }

  get size(): number {
    return this.#places.size;
  }

  /**
   * Reads the client's offer. Throws 426 for a request without a handshake, and 400 for a malformed
   * one.
   */
  readHandshake(request: Request, reply: Reply): Handshake {
    return readHandshake(request, reply);
  }

  /**
   * Responds with 101, or with 200 on an HTTP/2 stream, then calls `use` with the socket. Throws
   * like {@link readHandshake}, and 503 at the limit. `use` must add its listeners synchronously;
   * an error in it closes the socket with 1011.
   */
  async accept(
    request: Request,
    reply: Reply,
    use: Use,
    options: SocketOptions = {},
  ): Promise<Reply> {
    const { accept } = readHandshake(request, reply);
    if (!isUpgradeOffered(reply.raw)) throw new Error('The connection cannot be upgraded.');
    const { Compressions, ServerSocket } = await import('#wire/websocket/server-socket.js');
    this.#compressions ??= new Compressions(this.#bodies);
    const heldRequest = this.#places.holdUntilClosed(
      request,
      (request.raw as WireRequest).transport,
    );
    const maxBytes = options.maxMessageBytes ?? maxMessageBytes;
    const compression = this.#compressions.agree(
      request.headers['sec-websocket-extensions'],
      maxBytes,
    );
    const release = (): void => {
      compression?.release();
      heldRequest.release();
    };
    acceptUpgrade(reply.raw, (stream?: Duplex) => {
      if (stream === undefined) {
        release();
        return;
      }
      const socket = new ServerSocket(stream, {
        ...options,
        maxMessageBytes: maxBytes,
        extensions: compression?.extensions,
        bodies: this.#bodies,
      });
      this.#open.add(socket);
      const forget = () => {
        this.#open.delete(socket);
        release();
      };
      socket.once('close', guard(request.raw, forget));
      socket.begin(use, (error) => this.#report(request, error));
      if (heldRequest.signal.aborted) socket.close(1001, stopReason);
    });
    const headers = openingHeaders(accept, options, compression);
    return reply.code(openingStatus(request.raw)).headers(headers).send();
  }

  /** Closes all sockets with 1001, and later ones when they open. */
  closeAll(): void {
    this.#places.endAll();
    for (const socket of this.#open) socket.close(1001, stopReason);
  }
}

/** Without an accept key, the handshake came over HTTP/2. */
function openingHeaders(
  accept: string | undefined,
  { protocol, headers }: SocketOptions,
  compression: AgreedCompression | undefined,
): Readonly<Record<string, string>> {
  return {
    ...(accept !== undefined && {
      upgrade: 'websocket',
      connection: 'Upgrade',
      'sec-websocket-accept': accept,
    }),
    ...(protocol !== undefined && { 'sec-websocket-protocol': protocol }),
    ...(compression && { 'sec-websocket-extensions': compression.header }),
    ...headers,
  };
}
