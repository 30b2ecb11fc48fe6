/** The WebSockets of a service (RFC 6455): made of connections, counted, and closed at a stop. */

import type { Duplex } from 'node:stream';
import type { Reply, Request } from '../../http/exchange.js';
import { HeldRequests } from '../../http/held-requests.js';
import type { BodiesInFlight } from '../budgets/bodies-in-flight.js';
import type { LeanRequest } from '../http1/lean-request.js';
import { isUpgradeOffered, openingStatus, takeAfter } from '../upgrade.js';
import { type Handshake, readHandshake } from './read-handshake.js';
import type { ServerSocket } from './server-socket.js';

export type { Message, ServerSocket } from './server-socket.js';

/** The most that a message may have, in bytes, compressed or not. */
export const maxMessageBytes = 1024 * 1024;

export interface SocketOptions {
  /** The subprotocol that the answer names; one of those that the client offered. */
  readonly protocol?: string | undefined;
  /** A message above it is answered by 1009. */
  readonly maxMessageBytes?: number;
  /** Whether pings are answered; they are without it. */
  readonly isSilent?: boolean;
  /** Headers of the answer, in place of its own. */
  readonly headers?: Readonly<Record<string, string>>;
}

type Report = (request: Request, error: unknown) => void;

export const stopReason = 'The service is stopping. Connect again in a moment.';

export class WebSockets {
  readonly #places: HeldRequests;
  readonly #bodies: BodiesInFlight;
  readonly #report: Report;
  readonly #open = new Set<ServerSocket>();

  /** Of `limit` open at once, half may be of one sandbox and a third of one address. */
  constructor(limit: number, bodies: BodiesInFlight, report: Report) {
    this.#report = report;
    this.#places = new HeldRequests(limit, 'WebSockets');
    this.#bodies = bodies;
  }

  /** How many are open. */
  get size(): number {
    return this.#places.size;
  }

  /** What the client offers. Throws 426 when it is no WebSocket's handshake, 400 when that is malformed. */
  readHandshake(request: Request, reply: Reply): Handshake {
    return readHandshake(request, reply);
  }

  /**
   * Answers with 101, or with 200 on a stream of HTTP/2, and calls `use` with the socket once that is sent. Throws what {@link readHandshake} does, and
   * 503 when there are as many as there may be. `use` sets its listeners at once; when it throws or rejects, the
   * socket is closed with 1011.
   */
  async accept(
    request: Request,
    reply: Reply,
    use: (socket: ServerSocket) => void | Promise<void>,
    options: SocketOptions = {},
  ): Promise<Reply> {
    const { accept } = readHandshake(request, reply);
    if (!isUpgradeOffered(reply.raw)) throw new Error('The connection cannot be upgraded.');
    const { ServerSocket, agreeOnCompression } = await import('./server-socket.js');
    const place = this.#places.holdUntilClosed(request, (request.raw as LeanRequest).carrier);
    const { protocol, headers } = options;
    const compression = agreeOnCompression(
      request.headers['sec-websocket-extensions'],
      options.maxMessageBytes ?? maxMessageBytes,
      this.#bodies,
    );
    takeAfter(reply.raw, (stream?: Duplex) => {
      if (stream === undefined) {
        compression?.release();
        place.release();
        return;
      }
      const socket = new ServerSocket(stream, { ...options, compression, bodies: this.#bodies });
      this.#open.add(socket);
      socket.once('close', () => {
        this.#open.delete(socket);
        compression?.release();
        place.release();
      });
      socket.begin(use, (error) => this.#report(request, error));
      if (place.signal.aborted) socket.close(1001, stopReason);
    });
    return reply
      .code(openingStatus(request.raw))
      .headers({
        ...(accept !== undefined && {
          upgrade: 'websocket',
          connection: 'Upgrade',
          'sec-websocket-accept': accept,
        }),
        ...(protocol !== undefined && { 'sec-websocket-protocol': protocol }),
        ...(compression && { 'sec-websocket-extensions': compression.header }),
        ...headers,
      })
      .send();
  }

  /** Closes all of them with 1001, and from now on each as soon as it is open. */
  closeAll(): void {
    this.#places.endAll();
    for (const socket of this.#open) socket.close(1001, stopReason);
  }
}
