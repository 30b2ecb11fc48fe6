/**
 * Lists of captures as JSON, written at the pace their reader takes: a full bin is tens of MiB of it,
 * which a reader that does not read must not make us hold.
 */

import type { Log } from '../../state/state.js';
import { type BinView, maxRequestsPerBin } from './bins.js';
import { type CapturedItem, describeCapture } from './capture-request.js';

/** Small lists are one piece; a piece holds at most this and one capture. */
const pieceLength = 64 * 1024;

/**
 * The newest captures beyond `sequence`, at most `limit`, the newest first, as an array. Captures that
 * make room for newer ones meanwhile are left out. Returns how many were written.
 */
export async function* writeCaptures(
  log: Log<CapturedItem>,
  sequence: number,
  limit: number,
): AsyncGenerator<string, number> {
  const { lastSequence = 0 } = (await log.status()) ?? {};
  let piece = '[';
  let count = 0;
  for (let place = lastSequence; place > sequence && count < limit; place--) {
    const [entry] = await log.after(place - 1, 1);
    // Captures go from the oldest on: below one that is missing there are none.
    if (entry?.sequence !== place) break;
    piece += `${count === 0 ? '' : ','}${JSON.stringify(describeCapture(entry))}`;
    count++;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}]`;
  return count;
}

/** A bin with all its captures, as an object. */
export async function* writeBin(bin: BinView, log: Log<CapturedItem>): AsyncGenerator<string> {
  const { requestCount: _counted, ...members } = bin;
  yield `${JSON.stringify(members).slice(0, -1)},"requests":`;
  const requestCount = yield* writeCaptures(log, 0, maxRequestsPerBin);
  yield `,"requestCount":${requestCount}}`;
}
