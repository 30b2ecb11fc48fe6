/** Limits HTTP/2 frames that cost the server more than the client: RFC 9113 section 10.5. */

import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { guard, type Owner } from '../guard.js';

/** Maximum frames of a kind per connection in {@link windowMs}. */
export const maxFrames = 1_000;
const windowMs = 10_000;

const stepMs = 1_000;
const steps = windowMs / stepMs;

export type FrameKind = 'reset' | 'settings' | 'ping';

export class FrameCounts {
  readonly #counts = new Map<FrameKind, RecentCount>();

  /** Counts a frame, and returns how many of its kind arrived in the window that ends now. */
  count(kind: FrameKind, nowMs: number): number {
    let count = this.#counts.get(kind);
    if (count === undefined) {
      count = new RecentCount();
      this.#counts.set(kind, count);
    }
    return count.add(nowMs);
  }
}

/** A count for each step of the window. */
class RecentCount {
  readonly #bySteps = new Array<number>(steps).fill(0);
  #step = 0;
  #total = 0;

  add(nowMs: number): number {
    const step = Math.floor(nowMs / stepMs);
    const passed = Math.min(step - this.#step, steps);
    for (let gone = 1; gone <= passed; gone++) {
      const index = (this.#step + gone) % steps;
      this.#total -= this.#bySteps[index] ?? 0;
      this.#bySteps[index] = 0;
    }
    if (passed > 0) this.#step = step;
    const index = this.#step % steps;
    this.#bySteps[index] = (this.#bySteps[index] ?? 0) + 1;
    return ++this.#total;
  }
}

/** Maximum PINGs in {@link idlePingWindowMs} on a connection without a stream. */
export const maxIdlePings = 60;
const idlePingWindowMs = 2_000;

/** Tells clients of gRPC why. */
const tooManyPings = Buffer.from('too_many_pings');

interface PingedSession extends Owner {
  readonly openStreams: number;
  readonly onTooManyPings?: (() => void) | undefined;
}

/**
 * Ends a connection with ENHANCE_YOUR_CALM if it sends too many frames of a kind. Call the returned
 * function for each closed stream.
 */
export function limitFrames(
  session: ServerHttp2Session,
  owner: PingedSession,
): (closed: ServerHttp2Stream) => void {
  const counts = new FrameCounts();
  const count = (kind: FrameKind, max: number) => {
    if (!session.destroyed && counts.count(kind, performance.now()) > max) endCalmly(session);
  };
  let idlePings = 0;
  let idleSinceMs = 0;
  const countPing = () => {
    count('ping', maxFrames);
    const nowMs = performance.now();
    if (owner.openStreams > 0 || nowMs - idleSinceMs > idlePingWindowMs) idlePings = 0;
    if (idlePings === 0) idleSinceMs = nowMs;
    if (++idlePings <= maxIdlePings) return;
    owner.onTooManyPings?.();
    endCalmly(session, tooManyPings);
  };
  session.on('ping', guard(owner, countPing));
  session.on(
    'remoteSettings',
    guard(owner, () => count('settings', maxFrames)),
  );
  return (closed) => {
    // Resets by either side. One fewer, because Node's library would end the connection at the next
    // one with another error.
    if (closed.aborted || closed.rstCode !== constants.NGHTTP2_NO_ERROR) {
      count('reset', maxFrames - 1);
    }
  };
}

export function endCalmly(session: ServerHttp2Session, why?: Buffer): void {
  if (session.destroyed) return;
  session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, 0, why);
  session.destroy();
}

/**
 * Maximum overhead per connection in {@link windowMs}, in addition to a share of the sent bytes.
 */
export const maxOverheadBytes = 64 * 1024;

/**
 * Per sent byte, because a client that receives small frames may open its window for each of them.
 */
const shareOfSent = 0.5;

export const overheadCheckMs = 250;
const checks = windowMs / overheadCheckMs;

export interface Traffic {
  readonly bytesRead: number;
  readonly bytesWritten: number;
}

/**
 * Bytes on a connection that belong to no request: windows that open by a byte, priorities, unknown
 * frames. Node has no events for these, so the bytes of requests are subtracted from all bytes.
 */
export class FrameOverhead {
  readonly #traffic: Traffic;
  readonly #before: number[] = [0];
  #weighed = 0;

  constructor(traffic: Traffic) {
    this.#traffic = traffic;
  }

  /** Subtracts the bytes of a request. */
  weigh(bytes: number): void {
    this.#weighed += bytes;
  }

  /** Returns whether there was too much overhead. Call every {@link overheadCheckMs}. */
  isTooMuch(): boolean {
    const { bytesRead, bytesWritten } = this.#traffic;
    const now = bytesRead - this.#weighed - bytesWritten * shareOfSent;
    const least = Math.min(...this.#before);
    this.#before.push(now);
    if (this.#before.length > checks) this.#before.shift();
    return now - least > maxOverheadBytes;
  }
}
