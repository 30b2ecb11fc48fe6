/** Sends bodies over time, which end at once if the client leaves or the service stops. */

import { turns } from '#base/work-in-turns.js';
import { type HeldRequest, pause } from '../held-requests.js';
import { sliceBytes } from './stream-of.js';

/**
 * Thrown inside a body that cannot continue. The connection is then cut, so that no client
 * considers it complete.
 */
export class EndedEarly extends Error {
  override readonly name = 'EndedEarly';
  override readonly message = 'The service is stopping, or the client has left.';
}

/** Minimum time between two chunks of a drip. */
const minTickMs = 20;

/**
 * Yields asterisks evenly over `durationMs`: the first at once, and the last at the end. Bytes
 * within a fiftieth of a second are sent together. `held` is undefined if there is nothing to wait
 * for.
 */
export async function* drip(
  bytes: number,
  durationMs: number,
  held: HeldRequest | undefined,
): AsyncGenerator<Buffer> {
  const startedAtMs = performance.now();
  const perByteMs = bytes > 1 ? durationMs / (bytes - 1) : 0;
  let sent = 0;
  while (sent < bytes) {
    const elapsedMs = performance.now() - startedAtMs;
    const due = perByteMs === 0 ? bytes : Math.floor(elapsedMs / perByteMs) + 1;
    const size = Math.min(due, bytes, sent + sliceBytes) - sent;
    if (size > 0) {
      sent += size;
      yield Buffer.alloc(size, '*');
      await turns.next();
    } else {
      await pause(Math.max(minTickMs, sent * perByteMs - elapsedMs), held);
    }
    if (held?.signal.aborted && sent < bytes) throw new EndedEarly();
  }
}

export async function* atIntervals<Piece>(
  pieces: Iterable<Piece>,
  intervalMs: number,
  held: HeldRequest,
): AsyncGenerator<Piece> {
  let isFirst = true;
  for (const piece of pieces) {
    if (!isFirst) await pause(intervalMs, held);
    if (held.signal.aborted) throw new EndedEarly();
    isFirst = false;
    yield piece;
  }
}

/**
 * Yields each chunk whole, when the bytes before it are due; a shorter last chunk when it is due
 * itself.
 */
export async function* atPaceWhole(
  pieces: AsyncIterable<Buffer>,
  bytesPerSecond: number,
  held: HeldRequest,
): AsyncGenerator<Buffer> {
  const startedAtMs = performance.now();
  let sent = 0;
  let usual = 0;
  for await (const piece of pieces) {
    const dueBytes = piece.length < usual ? sent + piece.length : sent;
    const waitMs = startedAtMs + (dueBytes * 1000) / bytesPerSecond - performance.now();
    if (waitMs > 0) await pause(waitMs, held);
    if (held.signal.aborted) throw new EndedEarly();
    usual = piece.length;
    sent += piece.length;
    yield piece;
  }
}

const paceTickMs = 50;

/** Yields the same bytes at a maximum rate, in chunks of a twentieth of a second or more. */
export async function* atPace(
  pieces: AsyncIterable<Buffer>,
  bytesPerSecond: number,
  held: HeldRequest,
): AsyncGenerator<Buffer> {
  const startedAtMs = performance.now();
  const bytesPerMs = bytesPerSecond / 1000;
  let sent = 0;
  for await (const piece of pieces) {
    for (let left = piece; left.length > 0; ) {
      if (held.signal.aborted) throw new EndedEarly();
      const allowed = Math.floor((performance.now() - startedAtMs) * bytesPerMs) - sent;
      if (allowed < 1) {
        await pause(Math.max(paceTickMs, (1 - allowed) / bytesPerMs), held);
        continue;
      }
      const part = left.subarray(0, allowed);
      left = left.subarray(part.length);
      sent += part.length;
      yield part;
    }
  }
}
