/** Bodies that come over time: a piece now, a piece then, ended at once when the client leaves or the service stops. */

import { turns } from '../../base/work-in-turns.js';
import { pause } from '../../faults/wire/wire-faults.js';
import type { HeldRequest } from '../held-requests.js';

/** Thrown inside of a body that cannot go on; the connection is then cut, so that no client takes it for whole. */
export class EndedEarly extends Error {
  override readonly name = 'EndedEarly';

  constructor() {
    super('The service stops, or the client has left.');
  }
}

/** No two pieces of a drip come closer together. */
const minTickMs = 20;

/**
 * Asterisks over `durationMs`, evenly: the first at once, and the last when the time is over. What comes within a
 * fiftieth of a second comes together. `held` is undefined where there is nothing to wait for.
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
    const size = Math.min(due, bytes, sent + maxPieceBytes) - sent;
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

const maxPieceBytes = 64 * 1024;

/** The same pieces, one each interval: the first at once. */
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

/** The same bytes, at most so many a second, in pieces of a twentieth of a second or more. */
export async function* atPace(
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
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

const paceTickMs = 50;
