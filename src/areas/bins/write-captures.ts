/**
 * Captures as JSON, written at the pace of their reader: a full bin is tens of MiB of it, and one
 * capture 1.5 MiB, which a reader that does not read must not make us hold.
 */

import { StringDecoder } from 'node:string_decoder';
import { bodyEncoding } from '../../server/show-body.js';
import { turns } from '../../server/work-in-turns.js';
import type { Log, LogEntry } from '../../state/state.js';
import { type BinView, maxRequestsPerBin } from './bins.js';
import { type CapturedItem, describeCapture } from './capture-request.js';
import { inSlices } from './slices.js';

/** A byte becomes at most six of JSON, so that this much of a body fits into a slice. */
const partBytes = 10 * 1024;

/** Whether a capture is written in one piece. */
export function isShort({ bytes }: LogEntry<CapturedItem>): boolean {
  return bytes.length <= partBytes;
}

/** A capture as JSON, without ever having all of a long body as text. */
export function* writeCapture(entry: LogEntry<CapturedItem>): Generator<string> {
  if (isShort(entry)) {
    yield JSON.stringify(describeCapture(entry));
    return;
  }
  const { bytes, item } = entry;
  const isTruncated = item.bodySize > bytes.length;
  const { encoding, shown } = bodyEncoding({ bytes, isTruncated });
  const withoutBody = { ...describeCapture({ ...entry, bytes: noBytes }), bodyEncoding: encoding };
  const { body: _left, ip, signature, ...head } = { ...withoutBody, bodyTruncated: isTruncated };
  yield `${JSON.stringify(head).slice(0, -1)},"body":"`;
  const decoder = new StringDecoder(encoding === 'base64' ? 'base64' : 'utf8');
  for (let start = 0; start < shown.length; start += partBytes) {
    yield inner(decoder.write(shown.subarray(start, start + partBytes)));
  }
  yield `${inner(decoder.end())}",${JSON.stringify({ ip, signature }).slice(1)}`;
}

const noBytes = Buffer.alloc(0);

/** A part of a text as it stands between the quotes of JSON. */
function inner(text: string): string {
  return JSON.stringify(text).slice(1, -1);
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

async function* binWithCaptures(bin: BinView, log: Log<CapturedItem>): AsyncGenerator<string> {
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
): AsyncGenerator<string, number> {
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
