/**
 * Captures as JSON, written at the pace of their reader: a full bin is tens of MiB of it, and one
 * capture 1.5 MiB, which a reader that does not read must not make us hold.
 */

import { turns } from '../../base/work-in-turns.js';
import { jsonPieces } from '../../http/json/json-pieces.js';
import { inSlices } from '../../http/sending/stream-of.js';
import type { Log, LogEntry } from '../../state/state.js';
import { type BinView, maxRequestsPerBin } from './bins.js';
import { type CapturedItem, describeCapture, longBodyBytes } from './capture-request.js';

/** Whether a capture is written in one piece. */
export function isShort({ bytes }: LogEntry<CapturedItem>): boolean {
  return bytes.length <= longBodyBytes;
}

/** Yields a capture as JSON. */
export function writeCapture(entry: LogEntry<CapturedItem>): Generator<string | Buffer> {
  return jsonPieces(describeCapture(entry));
}

/**
 * The newest captures beyond `sequence`, at most `limit`, the newest first, as an array. Captures that
 * make room for newer ones meanwhile are left out.
 */
export function writeCaptures(log: Log<CapturedItem>, sequence: number, limit: number) {
  return inSlices(captureList(log, sequence, limit));
}

/** A bin with all its captures, as an object. */
export function writeBin(bin: BinView, log: Log<CapturedItem>) {
  return inSlices(binWithCaptures(bin, log));
}

async function* binWithCaptures(
  bin: BinView,
  log: Log<CapturedItem>,
): AsyncGenerator<string | Buffer> {
  const { requestCount: _counted, ...members } = bin;
  yield `${JSON.stringify(members).slice(0, -1)},"requests":`;
  const requestCount = yield* captureList(log, 0, maxRequestsPerBin);
  yield `,"requestCount":${requestCount}}`;
}

/** Returns how many were written. */
async function* captureList(
  log: Log<CapturedItem>,
  sequence: number,
  limit: number,
): AsyncGenerator<string | Buffer, number> {
  const { lastSequence = 0 } = (await log.status()) ?? {};
  let place = lastSequence + 1;
  let count = 0;
  yield '[';
  while (count < limit) {
    // Of many readers at once, each begins when it is its turn.
    if (!turns.hasTime()) await turns.next();
    const [entry] = await log.before(place, 1);
    if (entry === undefined || entry.sequence <= sequence) break;
    if (count > 0) yield ',';
    yield* writeCapture(entry);
    place = entry.sequence;
    count++;
  }
  yield ']';
  return count;
}
