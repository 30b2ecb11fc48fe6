/** Limits unread bytes of all responses, and enforces a minimum pace for each reader. */

import type { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Placed, Unordered } from '#base/shares/unordered.js';
import { guard, type Owner } from '../guard.js';
import { Pace, paceWindowMs } from './pace.js';

const checksPerWindow = 6;

/** Time between two cuts: one cut frees room for many new responses. */
const cutMs = 100;

/** A connection, or an HTTP/2 stream. */
export interface Connection extends Owner {
  readonly destroyed: boolean;
  readonly writableLength: number;
  /** Memory of the waiting bytes, if it differs from their number. */
  readonly heldBytes?: number;
  /** All bytes written, including waiting ones. */
  readonly bytesWritten: number;
  resetAndDestroy(): void;
  /** Set while it has unread bytes. */
  slowReader?: SlowReader | undefined;
}

/** A stream, which ends its count itself. */
interface CountedStream extends Connection {
  countedBy: UnsentBytes | undefined;
}

/** Members of responses of this service. */
interface CountedResponse {
  /** The stream of HTTP/2. */
  readonly countedConnection?: CountedStream;
  /** Whether the budget waits for its end. */
  isCounted?: boolean;
}

/** A client that has not read all sent bytes. */
interface SlowReader extends Placed {
  readonly connection: Connection;
  /** Bytes of the current response that are not yet written to the connection. */
  pendingBytes: number;
  unreadBytes: number;
  /** Whether the client determines the pace. */
  isPaced: boolean;
  readonly sinceMs: number;
  readonly sinceBytes: number;
  pace: Pace | undefined;
}

const budgets = new WeakMap<object, UnsentBytes>();

export function unsentBytesOn(connection: object): UnsentBytes | undefined {
  return budgets.get(connection);
}

export class UnsentBytes {
  readonly #maxBytes: number;
  readonly #windowMs: number;
  readonly #readers = new Unordered<SlowReader>();
  readonly #timer: NodeJS.Timeout;
  total = 0;
  #cutAtMs = Number.NEGATIVE_INFINITY;

  constructor(maxBytes: number, windowMs = paceWindowMs) {
    this.#maxBytes = maxBytes;
    this.#windowMs = windowMs;
    this.#timer = setInterval(() => this.#check(), windowMs / checksPerWindow).unref();
  }

  /** Watches a new connection. For all others, {@link note} must be called until nothing waits. */
  watch(connection: Connection & Pick<EventEmitter, 'on' | 'once'>): void {
    budgets.set(connection, this);
    const noteDrain = () => {
      this.note(connection, connection.slowReader?.pendingBytes ?? 0);
    };
    connection.on('drain', guard(connection, noteDrain));
    connection.once(
      'close',
      guard(connection, () => this.#remove(connection)),
    );
  }

  /**
   * Records the unread bytes of a client: `pendingBytes`, and the bytes in its connection.
   * `isPaced` is false while the service sends less than the client would read.
   */
  note(connection: Connection, pendingBytes: number, isPaced?: boolean): void {
    const held = connection.heldBytes ?? connection.writableLength;
    const unreadBytes = connection.destroyed ? 0 : pendingBytes + held;
    if (unreadBytes === 0) {
      this.#remove(connection);
      return;
    }
    let reader = connection.slowReader;
    if (reader === undefined) {
      const since = { sinceMs: performance.now(), sinceBytes: readBytes(connection) };
      reader = {
        ...since,
        ...{ connection, place: -1, pendingBytes, unreadBytes: 0, isPaced: true, pace: undefined },
      };
      connection.slowReader = reader;
      this.#readers.add(reader);
    }
    this.total += unreadBytes - reader.unreadBytes;
    reader.pendingBytes = pendingBytes;
    reader.unreadBytes = unreadBytes;
    reader.isPaced = isPaced ?? reader.isPaced;
  }

  /** Records the unread bytes of a response now, and again at its end. */
  noteResponse(response: ServerResponse, pendingBytes: number, isPaced?: boolean): void {
    const counted = response as CountedResponse;
    const { countedConnection } = counted;
    const connection: Connection | null = countedConnection ?? response.socket;
    if (connection === null || (pendingBytes === 0 && connection.writableLength === 0)) return;
    this.note(connection, pendingBytes, isPaced);
    if (countedConnection !== undefined) {
      countedConnection.countedBy = this;
      return;
    }
    if (counted.isCounted) return;
    counted.isCounted = true;
    // A socket emits `drain` only after much has waited.
    response.once(
      'finish',
      guard(response.req, () => this.note(connection, 0, true)),
    );
  }

  /** Returns whether this many more bytes may wait. If not, the slowest reader is cut. */
  hasRoomFor(bytes: number): boolean {
    if (this.total + bytes <= this.#maxBytes) return true;
    this.#cutSlowest();
    return false;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #remove(connection: Connection): void {
    const { slowReader } = connection;
    if (slowReader === undefined) return;
    connection.slowReader = undefined;
    this.total -= slowReader.unreadBytes;
    this.#readers.delete(slowReader);
  }

  #cutSlowest(): void {
    const nowMs = performance.now();
    if (nowMs - this.#cutAtMs < cutMs) return;
    this.#cutAtMs = nowMs;
    let slowest: Connection | undefined;
    let leastPerMs = Number.POSITIVE_INFINITY;
    for (const { connection, sinceMs, sinceBytes } of this.#readers) {
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
    for (const reader of this.#readers) {
      guard(reader.connection, () => this.#checkReader(reader, nowMs))();
    }
  }

  #checkReader(reader: SlowReader, nowMs: number): void {
    const { connection } = reader;
    this.note(connection, reader.pendingBytes);
    if (!reader.isPaced) return;
    const read = readBytes(connection);
    reader.pace ??= new Pace(read, nowMs, this.#windowMs);
    if (reader.pace.isTooSlow(read, nowMs)) cut(connection);
  }
}

/** A TCP reset also frees the kernel's memory; an encrypted connection has none. */
function cut(connection: Connection): void {
  if ('encrypted' in connection) (connection as unknown as Socket).destroy();
  else connection.resetAndDestroy();
}

/** Returns the bytes that the kernel has accepted, because Node knows no more. */
function readBytes({ bytesWritten, writableLength }: Connection): number {
  return bytesWritten - writableLength;
}
