/** The bytes of all responses that clients have not read: a budget, and a minimum pace for each reader. */

import type { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Pace, paceWindowMs } from './pace.js';

const checksPerWindow = 6;

/** Time between two cuts that make room: one frees what many new responses need. */
const cutMs = 100;

/** A connection, or a stream of one. */
export interface Connection {
  readonly destroyed: boolean;
  readonly writableLength: number;
  /** Memory of the bytes that wait, if it is more than these. */
  readonly heldBytes?: number;
  /** All bytes written, including those that wait. */
  readonly bytesWritten: number;
  resetAndDestroy(): void;
}

/** A client that has not read all that was sent. */
interface SlowReader {
  /** Bytes of the current response that are not yet written to the connection. */
  pendingBytes: number;
  unreadBytes: number;
  /** Whether the client decides the pace. */
  isPaced: boolean;
  readonly sinceMs: number;
  readonly sinceBytes: number;
  pace: Pace | undefined;
}

const budgets = new WeakMap<object, UnsentBytes>();
const notedResponses = new WeakSet<ServerResponse>();

export function unsentBytesOn(connection: object): UnsentBytes | undefined {
  return budgets.get(connection);
}

export class UnsentBytes {
  readonly #maxBytes: number;
  readonly #windowMs: number;
  readonly #readers = new Map<Connection, SlowReader>();
  readonly #timer: NodeJS.Timeout;
  total = 0;
  #cutAtMs = Number.NEGATIVE_INFINITY;

  constructor(maxBytes: number, windowMs = paceWindowMs) {
    this.#maxBytes = maxBytes;
    this.#windowMs = windowMs;
    this.#timer = setInterval(() => this.#check(), windowMs / checksPerWindow).unref();
  }

  /** Watches a new connection. For any other, {@link note} must be called until nothing waits. */
  watch(connection: Connection & Pick<EventEmitter, 'on' | 'once'>): void {
    budgets.set(connection, this);
    connection.on('drain', () => {
      this.note(connection, this.#readers.get(connection)?.pendingBytes ?? 0);
    });
    connection.once('close', () => this.#remove(connection));
  }

  /**
   * Notes what a client has not read: `pendingBytes`, and what its connection holds. `isPaced` is false while the client
   * is sent less than it would read.
   */
  note(connection: Connection, pendingBytes: number, isPaced?: boolean): void {
    const held = connection.heldBytes ?? connection.writableLength;
    const unreadBytes = connection.destroyed ? 0 : pendingBytes + held;
    if (unreadBytes === 0) {
      this.#remove(connection);
      return;
    }
    let reader = this.#readers.get(connection);
    if (reader === undefined) {
      const since = { sinceMs: performance.now(), sinceBytes: readBytes(connection) };
      reader = { ...since, pendingBytes, unreadBytes: 0, isPaced: true, pace: undefined };
      this.#readers.set(connection, reader);
    }
    this.total += unreadBytes - reader.unreadBytes;
    reader.pendingBytes = pendingBytes;
    reader.unreadBytes = unreadBytes;
    reader.isPaced = isPaced ?? reader.isPaced;
  }

  /** Notes what a client has not read of a response now, and again at the end of the response. */
  noteResponse(response: ServerResponse, pendingBytes: number, isPaced?: boolean): void {
    const { countedConnection } = response as { readonly countedConnection?: Connection };
    const connection: Connection | null = countedConnection ?? response.socket;
    if (connection === null || (pendingBytes === 0 && connection.writableLength === 0)) return;
    this.note(connection, pendingBytes, isPaced);
    if (notedResponses.has(response)) return;
    notedResponses.add(response);
    // A socket emits `drain` only after much has waited.
    response.once('finish', () => this.note(connection, 0, true));
    // Only the response hears of the end of a stream.
    if (countedConnection) response.once('close', () => this.note(connection, 0, true));
  }

  /** Returns whether so many more bytes may wait. If not, the slowest reader is cut. */
  hasRoomFor(bytes: number): boolean {
    if (this.total + bytes <= this.#maxBytes) return true;
    this.#cutSlowest();
    return false;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #remove(connection: Connection): void {
    this.total -= this.#readers.get(connection)?.unreadBytes ?? 0;
    this.#readers.delete(connection);
  }

  #cutSlowest(): void {
    const nowMs = performance.now();
    if (nowMs - this.#cutAtMs < cutMs) return;
    this.#cutAtMs = nowMs;
    let slowest: Connection | undefined;
    let leastPerMs = Number.POSITIVE_INFINITY;
    for (const [connection, { sinceMs, sinceBytes }] of this.#readers) {
      const perMs = (readBytes(connection) - sinceBytes) / (nowMs - sinceMs);
      if (perMs < leastPerMs) {
        slowest = connection;
        leastPerMs = perMs;
      }
    }
    if (slowest !== undefined) cut(slowest);
  }

  #check(): void {
    const nowMs = performance.now();
    for (const [connection, reader] of this.#readers) {
      this.note(connection, reader.pendingBytes);
      if (!reader.isPaced) continue;
      const read = readBytes(connection);
      reader.pace ??= new Pace(read, nowMs, this.#windowMs);
      if (reader.pace.isTooSlow(read, nowMs)) cut(connection);
    }
  }
}

/** A reset of TCP also frees what the kernel holds; an encrypted connection has none. */
function cut(connection: Connection): void {
  if ('encrypted' in connection) (connection as unknown as Socket).destroy();
  else connection.resetAndDestroy();
}

/** The bytes that the kernel has accepted, which is all that Node knows. */
function readBytes({ bytesWritten, writableLength }: Connection): number {
  return bytesWritten - writableLength;
}
