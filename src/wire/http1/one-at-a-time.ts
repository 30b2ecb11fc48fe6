/**
 * Handles one request at a time on each connection of HTTP/1.1. Node would create a request and a
 * response for everything that a client sends ahead (pipelining, RFC 9112 section 9.3.2), and
 * handle all of them at once.
 */

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { turns } from '#base/work-in-turns.js';
import type { BodiesInFlight } from '../budgets/bodies-in-flight.js';
import { guard } from '../guard.js';
import { takeOverConnections } from '../internals/http-parser.js';
import { closeConnection } from '../request.js';
import { isWebSocketHandshake } from '../upgrade.js';
import { RequestQueue } from './request-queue.js';

const queues = new WeakMap<object, RequestQueue>();

/**
 * Keeps the bytes of a request. Call while its head is parsed, because they are dropped afterwards.
 */
export function keepBytes(
  request: IncomingMessage,
  response: ServerResponse,
  sentTarget: string,
): void {
  queues.get(request.socket)?.keepBytes(request, response, sentTarget);
}

/** How a request came, in milliseconds before now. */
export interface Beginning {
  /** Its connection, which carries one request after another. */
  readonly connection?: string;
  /** Arrival of its first byte, if the service could not handle it at once. */
  readonly earlyMs?: number;
  /** When its connection was accepted; unknown with TLS. */
  readonly acceptedMs?: number;
}

/** Returns nothing for a stream of HTTP/2. */
export function beginningOf({ socket }: IncomingMessage): Beginning {
  const queue = queues.get(socket);
  if (queue === undefined) return {};
  const { id, isEarly, beganAt, acceptedAt } = queue;
  const now = performance.now();
  return {
    connection: id,
    ...(isEarly && { earlyMs: now - beganAt }),
    ...(acceptedAt !== undefined && { acceptedMs: now - acceptedAt }),
  };
}

interface Connecting {
  /** Budget for waiting bytes, which are mostly bodies. */
  readonly bodies: BodiesInFlight;
  /** Called with each accepted socket, instead of the server's `connection` event. */
  readonly onConnection: (socket: Socket) => void;
  /** Reads the beginning of a connection, and passes it on or handles the connection itself. */
  readonly look?: ((socket: Socket, go: (seen: Buffer) => void) => void) | undefined;
}

/** Puts a queue between the sockets of a server and its parser. Call before the server listens. */
export function handleOneAtATime(server: Server, { bodies, onConnection, look }: Connecting): void {
  const attachParser = takeOverConnections(server, isWebSocketHandshake);
  server.on('connection', (socket: Socket) => guard(socket, begin)(socket));
  function begin(socket: Socket): void {
    turns.shorten();
    // The client reset it before it was accepted.
    const acceptedAt = performance.now();
    if (socket.remoteAddress === undefined) socket.destroy();
    else if ('encrypted' in socket) serve(socket);
    else if (look === undefined) serve(socket, acceptedAt);
    else look(socket, (seen) => serve(socket, acceptedAt, seen));
  }
  function serve(socket: Socket, acceptedAt?: number, seen?: Buffer): void {
    onConnection(socket);
    if (socket.destroyed) return;
    const queue = new RequestQueue(socket, attachParser(socket), bodies, acceptedAt);
    queues.set(socket, queue);
    socket.destroySoon = endAfterLast;
    queue.start(seen);
  }
  // From here on, the connection has no parser.
  server.prependListener('connect', (_request, socket) => {
    guard(socket, () => queues.get(socket)?.end())();
  });
  server.prependListener('upgrade', (_request, socket, head) => {
    guard(socket, () => queues.get(socket)?.handOver(head))();
  });
}

/**
 * Replaces Node's end of a connection, which may reset it while bytes are on their way. A client
 * that has not read the response would then lose it: RFC 9112 section 9.6.
 */
function endAfterLast(this: Socket): void {
  queues.get(this)?.end();
  closeConnection(this);
  this.resume();
}
