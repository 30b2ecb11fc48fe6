/**
 * What all answers together hold that clients have not taken: a budget for it, and a minimum pace at
 * which clients take.
 */

import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { type KernelQueues, readKernelQueues, unacknowledgedBytes } from './kernel-queues.js';
import { Pace, paceWindowMs } from './pace.js';

/** The pace is looked at so often in a window. */
const checksPerWindow = 6;

/** At most so often is a client cut to make room: one cut frees what many new answers need. */
const cutMs = 100;

/** What bytes are sent on: a connection, or a stream of one. */
export interface Taker {
  readonly destroyed: boolean;
  /** What it holds. */
  readonly writableLength: number;
  /** What that takes of the memory, where it is more. */
  readonly heldBytes?: number;
  /** With what it holds. */
  readonly bytesWritten: number;
  /** Cuts it. */
  resetAndDestroy(): void;
  readonly localPort?: number | undefined;
  readonly remotePort?: number | undefined;
  readonly remoteAddress?: string | undefined;
}

/** One whose client has not taken all that was sent. */
interface Debtor {
  /** What of the answer under way is not yet handed to the socket. */
  pendingBytes: number;
  owedBytes: number;
  /** Whether it is its client that takes its time. */
  isPaced: boolean;
  readonly sinceMs: number;
  readonly sinceBytes: number;
  /** From the first check on. */
  pace: Pace | undefined;
}

const watchers = new WeakMap<object, UnsentBytes>();

/** The budget that what is sent on a connection counts against; none on streams of another kind. */
export function unsentBytesOn(stream: object): UnsentBytes | undefined {
  return watchers.get(stream);
}

export class UnsentBytes {
  readonly #maxBytes: number;
  readonly #windowMs: number;
  readonly #debtors = new Map<Taker, Debtor>();
  readonly #timer: NodeJS.Timeout;
  #total = 0;
  #cutAtMs = Number.NEGATIVE_INFINITY;

  constructor(maxBytes: number, windowMs = paceWindowMs) {
    this.#maxBytes = maxBytes;
    this.#windowMs = windowMs;
    this.#timer = setInterval(() => void this.#check(), windowMs / checksPerWindow).unref();
  }

  /** What clients have not taken. */
  get total(): number {
    return this.#total;
  }

  /** Looks after a new connection, or what stands for one; what {@link note} says of another is never settled. */
  watch(socket: Taker & Pick<EventEmitter, 'on' | 'once'>): void {
    watchers.set(socket, this);
    socket.on('drain', () => this.note(socket, this.#debtors.get(socket)?.pendingBytes ?? 0));
    socket.once('close', () => this.#settle(socket));
  }

  /**
   * Notes what a client has yet to take: `pendingBytes`, and what its socket holds. Who is sent less than it
   * would take is not `isPaced`.
   */
  note(socket: Taker, pendingBytes: number, isPaced?: boolean): void {
    const owedBytes = socket.destroyed
      ? 0
      : pendingBytes + (socket.heldBytes ?? socket.writableLength);
    if (owedBytes === 0) {
      this.#settle(socket);
      return;
    }
    let debtor = this.#debtors.get(socket);
    if (debtor === undefined) {
      const since = { sinceMs: performance.now(), sinceBytes: takenBytes(socket) };
      debtor = { ...since, pendingBytes, owedBytes: 0, isPaced: true, pace: undefined };
      this.#debtors.set(socket, debtor);
    }
    this.#total += owedBytes - debtor.owedBytes;
    debtor.pendingBytes = pendingBytes;
    debtor.owedBytes = owedBytes;
    debtor.isPaced = isPaced ?? debtor.isPaced;
  }

  /** Whether so many bytes more may wait; when not, the client that takes slowest is cut. */
  hasRoomFor(bytes: number): boolean {
    if (this.#total + bytes <= this.#maxBytes) return true;
    this.#cutSlowest();
    return false;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #settle(socket: Taker): void {
    this.#total -= this.#debtors.get(socket)?.owedBytes ?? 0;
    this.#debtors.delete(socket);
  }

  #cutSlowest(): void {
    const nowMs = performance.now();
    if (nowMs - this.#cutAtMs < cutMs) return;
    this.#cutAtMs = nowMs;
    let slowest: Taker | undefined;
    let leastPerMs = Number.POSITIVE_INFINITY;
    for (const [socket, { sinceMs, sinceBytes }] of this.#debtors) {
      const perMs = (takenBytes(socket) - sinceBytes) / (nowMs - sinceMs);
      if (perMs < leastPerMs) {
        slowest = socket;
        leastPerMs = perMs;
      }
    }
    if (slowest !== undefined) cut(slowest);
  }

  /** Cuts who takes less than the minimum. */
  async #check(): Promise<void> {
    if (this.#debtors.size === 0) return;
    const queues = await readKernelQueues();
    const nowMs = performance.now();
    for (const [socket, debtor] of this.#debtors) {
      this.note(socket, debtor.pendingBytes);
      if (!debtor.isPaced) continue;
      const taken = takenBytes(socket, queues);
      debtor.pace ??= new Pace(taken, nowMs, this.#windowMs);
      // What the kernel holds for it goes as well.
      if (debtor.pace.isTooSlow(taken, nowMs)) cut(socket);
    }
  }
}

/** TCP has a way to drop what it holds as well; what is encrypted has not. */
function cut(taker: Taker): void {
  if ('encrypted' in taker) (taker as unknown as Socket).destroy();
  else taker.resetAndDestroy();
}

/** What the client has taken of all that was sent on its connection, as far as is known. */
function takenBytes(socket: Taker, queues?: KernelQueues): number {
  const handedOver = socket.bytesWritten - socket.writableLength;
  return queues === undefined ? handedOver : handedOver - unacknowledgedBytes(queues, socket);
}
