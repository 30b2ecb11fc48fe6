/**
 * Faults on the wire, on one connection: responses that are cut, late, slow, malformed, or never
 * arrive. Each receives the response of the handler (or none, if it acts before the work) and sends
 * what remains of it.
 */

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { isJsonType } from '#http/body/request-body.js';
import { keepLetterCase } from '#http/headers/head-form.js';
import { pause } from '#http/held-requests.js';
import { isolatingHeaders } from '#http/isolating-headers.js';
import { closeWhenIdle } from '#wire/close-when-idle.js';
import { guard } from '#wire/guard.js';
import { setKeepAliveHint } from '#wire/internals/keep-alive-hint.js';
import { holdBack } from '#wire/measured-response.js';
import { closeAfter, endConnectionOf, goAwayAfter } from '#wire/request.js';
import type { FaultKind, KindBeforeWork } from '../plan/fault-plan.js';
import type { ResponseHead } from './divert-response.js';
import { chosenHeaders } from './failure-response.js';
import { breakHead } from './malformed-heads.js';
import {
  type Cuttable,
  isBodiless,
  isDone,
  isEventStream,
  knowsOpenEnds,
  loseByReset,
  type Outgoing,
  readBeginning,
  readWhole,
  withHeaders,
} from './outgoing.js';

type Deliver = (outgoing: Outgoing) => void | Promise<void>;

/**
 * Faults that act on the response of the handler; faults that act before the work are elsewhere.
 */
export const deliveries: Readonly<Record<Exclude<FaultKind, KindBeforeWork>, Deliver>> = {
  slow: trickle,
  truncate: ({ fault, ...outgoing }) => truncate(outgoing, fault.truncate ?? 0),
  cutChunk: ({ fault, ...outgoing }) => cutChunks(outgoing, fault.cutChunk ?? 0),
  badChunk: sendMalformedChunk,
  contentType: retype,
  invalidJson: halve,
  corruptEncoding: corrupt,
  closeAfter: closeAfterwards,
  goaway: announceEnd,
  head: breakHead,
  idle: endWhenIdle,
  shortBody: shorten,
  duplicate: repeatEvent,
  headers: addHeaders,
};

/** Sends the response unchanged. */
export async function deliver({ diverted, head, note }: Outgoing): Promise<void> {
  await note(isDone(head));
  diverted.release(head);
}

const chunked = { 'content-length': undefined, 'transfer-encoding': 'chunked' };

async function truncate(outgoing: Cuttable, maxBytes: number): Promise<void> {
  if (isBodiless(outgoing)) return loseByReset(outgoing);
  const { head, note } = outgoing;
  if (isEventStream(head) && knowsOpenEnds(outgoing)) return cutChunks(outgoing, maxBytes);
  const { bytes, size } = await readBeginning(outgoing, maxBytes);
  await note(size <= maxBytes && isDone(head));
  await sendCut(outgoing, bytes, size);
}

/** Sends fewer bytes than announced. */
async function sendCut(outgoing: Cuttable, bytes: Buffer, size: number): Promise<void> {
  const { response, diverted, head } = outgoing;
  if (diverted.isGone) return;
  const length = { 'transfer-encoding': undefined, 'content-length': String(size) };
  diverted.begin(withHeaders(head, length));
  await diverted.send(bytes);
  endConnectionOf(response.req);
}

async function cutChunks(outgoing: Cuttable, maxBytes: number): Promise<void> {
  if (isBodiless(outgoing)) return loseByReset(outgoing);
  if (!knowsOpenEnds(outgoing)) return truncate(outgoing, maxBytes);
  const { response, diverted, head, note } = outgoing;
  await note(false);
  if (diverted.isGone) return;
  diverted.begin(withHeaders(head, chunked));
  for (let left = maxBytes; left > 0; ) {
    const piece = await diverted.next();
    if (piece === undefined) break;
    await diverted.send(piece.subarray(0, left));
    left -= piece.length;
  }
  endConnectionOf(response.req);
}

/** Not a hexadecimal number. */
const badChunkSize = 'zz\r\n';

/** Sends half of the body's first chunk correctly, and the other half in a malformed chunk. */
async function sendMalformedChunk(outgoing: Outgoing): Promise<void> {
  if (isBodiless(outgoing)) return loseByReset(outgoing);
  const { response, diverted, head, note } = outgoing;
  const piece = (await diverted.next()) ?? Buffer.alloc(0);
  const half = piece.length >> 1;
  await note(false);
  const hasChunks = response.req.httpVersion === '1.1';
  if (!hasChunks) return sendCut(outgoing, piece.subarray(0, half), piece.length);
  if (diverted.isGone) return;
  diverted.begin(withHeaders(head, chunked));
  await diverted.send(piece.subarray(0, half));
  if (diverted.isGone) return;
  // Node sends chunks in the next tick, and this must follow them.
  const sendRest = () => {
    const { socket } = response.req;
    socket.write(badChunkSize);
    socket.write(piece.subarray(half));
    endConnectionOf(response.req);
  };
  process.nextTick(guard(response.req, sendRest));
}

async function retype({ diverted, head, fault, note }: Outgoing): Promise<void> {
  await note(false);
  const type = { 'content-type': fault.contentType, ...isolatingHeaders };
  diverted.release(withHeaders(head, type));
}

async function addHeaders({ response, diverted, head, fault, note }: Outgoing): Promise<void> {
  await note(isDone(head));
  if (diverted.isGone) return;
  keepLetterCase({ raw: response }, fault.headers ?? {});
  diverted.release(withHeaders(head, { ...chosenHeaders(fault), ...isolatingHeaders }));
}

async function sendWhole(
  { diverted }: Cuttable,
  head: ResponseHead,
  body: Uint8Array | undefined,
): Promise<void> {
  if (diverted.isGone) return;
  const length = { 'transfer-encoding': undefined, 'content-length': String(body?.length) };
  diverted.begin(body === undefined ? head : withHeaders(head, length));
  diverted.finish(body);
}

async function halve(outgoing: Outgoing): Promise<void> {
  const { head, note } = outgoing;
  const isWhole = isBodiless(outgoing);
  const body = isWhole ? undefined : firstHalf(await readWhole(outgoing), head);
  await note(isWhole && isDone(head));
  await sendWhole(outgoing, head, body);
}

/** Cuts between characters, so that only the JSON is wrong. */
function firstHalf(body: Buffer, { headers }: ResponseHead): Buffer {
  if (!isJsonType(String(headers['content-type'] ?? ''))) return body.subarray(0, body.length >> 1);
  const text = body.toString('utf8');
  const half = text.slice(0, text.length >> 1).replace(/[\uD800-\uDBFF]$/, '');
  // Half a number is still a number.
  return Buffer.from(/^\s*-?\d/.test(half) ? '' : half);
}

const compress = promisify(gzip);

/** Offset of the deflated data in bytes, and the bits for the type of its first block. */
const gzipHeaderBytes = 10;
const blockKindBits = 0b110;

/**
 * Sends gzip with an undefined type of the first block (RFC 1951 section 3.2.3), which no client
 * can decode.
 */
async function corrupt(outgoing: Outgoing): Promise<void> {
  const { head, note } = outgoing;
  const coded = withHeaders(head, { 'content-encoding': 'gzip' });
  if (isBodiless(outgoing)) {
    await note(isDone(head));
    return sendWhole(outgoing, coded, undefined);
  }
  const body = await compress(await readWhole(outgoing));
  body[gzipHeaderBytes] = (body[gzipHeaderBytes] ?? 0) | blockKindBits;
  await note(false);
  await sendWhole(outgoing, coded, body);
}

async function closeAfterwards({ response, diverted, head, note }: Outgoing): Promise<void> {
  await note(isDone(head));
  closeAfter(response);
  diverted.release(head);
}

async function announceEnd({ response, diverted, head, fault, note }: Outgoing): Promise<void> {
  await note(isDone(head));
  goAwayAfter(response, fault.goaway === 'graceful');
  diverted.release(head);
}

/** Sends the response, and closes the connection if no request follows it in time. */
async function endWhenIdle({ response, diverted, head, fault, note }: Outgoing): Promise<void> {
  const { idle = 0, hint } = fault;
  await note(isDone(head));
  setKeepAliveHint(response, hint);
  closeWhenIdle(response, idle * 1000);
  diverted.release(head);
}

/** Sends half of the announced body. Only HTTP/2 can end it as if it were whole. */
async function shorten(outgoing: Outgoing): Promise<void> {
  if (isBodiless(outgoing)) return loseByReset(outgoing);
  const { response, diverted, head, note } = outgoing;
  const body = await readWhole(outgoing);
  const half = body.subarray(0, body.length >> 1);
  await note(false);
  if (response.req.httpVersionMajor !== 2) return sendCut(outgoing, half, body.length);
  if (diverted.isGone) return;
  diverted.begin(withHeaders(head, { 'content-length': String(body.length) }));
  await diverted.send(half);
  diverted.finish();
}

/** A longer event is delivered once. */
const maxEventBytes = 1024 * 1024;

async function repeatEvent(outgoing: Outgoing): Promise<void> {
  const { diverted, head } = outgoing;
  if (!isEventStream(head) || isBodiless(outgoing)) return deliver(outgoing);
  await outgoing.note(isDone(head));
  if (diverted.isGone) return;
  diverted.begin(head);
  let waiting: Buffer = Buffer.alloc(0);
  let isRepeated = false;
  for (;;) {
    const piece = await diverted.next();
    if (piece === undefined) break;
    if (isRepeated) {
      await diverted.send(piece);
      continue;
    }
    waiting = Buffer.concat([waiting, piece]);
    isRepeated = waiting.length > maxEventBytes;
    for (let end = endOfEvent(waiting); end > 0 && !isRepeated; end = endOfEvent(waiting)) {
      const event = waiting.subarray(0, end);
      waiting = waiting.subarray(end);
      await diverted.send(event);
      if (!/^data:/m.test(event.toString('utf8'))) continue;
      await diverted.send(event);
      isRepeated = true;
    }
    if (!isRepeated) continue;
    await diverted.send(waiting);
    waiting = Buffer.alloc(0);
  }
  await diverted.send(waiting);
  diverted.finish();
}

/**
 * Finds the end of an event, which is an empty line (WHATWG HTML section 9.2.6); returns 0 if no
 * event is complete.
 */
function endOfEvent(bytes: Buffer): number {
  const index = bytes.indexOf('\n\n');
  return index < 0 ? 0 : index + 2;
}

/** Maximum duration of a slow response. */
const maxTrickleMs = 10 * 60 * 1000;
const minTickMs = 50;

async function trickle(outgoing: Outgoing): Promise<void> {
  const { response, diverted, head, fault, note, heldRequest } = outgoing;
  if (isBodiless(outgoing)) return deliver(outgoing);
  const isEndless = isEventStream(head);
  if (isEndless) await note(isDone(head));
  if (diverted.isGone) return;
  diverted.begin(head);
  const drip = newDrip(outgoing, fault.slow ?? 1, heldRequest);
  let isTimeLeft = true;
  let piece = await diverted.next();
  while (piece !== undefined && isTimeLeft) {
    const next: Buffer | undefined = isEndless ? undefined : await diverted.next();
    if (isEndless || next !== undefined) {
      isTimeLeft = await drip(piece);
    } else if (await drip(piece.subarray(0, -1))) {
      // A client with the last byte can already read the attempt in the log.
      await note(isDone(head));
      isTimeLeft = await drip(piece.subarray(-1));
    } else {
      isTimeLeft = false;
    }
    piece = isEndless ? await diverted.next() : next;
  }
  if (isTimeLeft) diverted.finish();
  else endConnectionOf(response.req);
}

/**
 * Makes the function that sends bytes slowly, and returns whether there was time for all of them.
 */
function newDrip(
  { response, diverted }: Cuttable,
  bytesPerSecond: number,
  heldRequest: Outgoing['heldRequest'],
) {
  const startedAtMs = performance.now();
  const bytesPerMs = bytesPerSecond / 1000;
  let sentBytes = 0;
  return async (bytes: Buffer): Promise<boolean> => {
    for (let left = bytes; left.length > 0; ) {
      holdBack(response, left.length);
      const elapsedMs = performance.now() - startedAtMs;
      if (diverted.isGone || heldRequest?.signal.aborted || elapsedMs > maxTrickleMs) return false;
      const allowedBytes = Math.floor(elapsedMs * bytesPerMs) - sentBytes;
      if (allowedBytes < 1) {
        await pause(Math.max(minTickMs, (1 - allowedBytes) / bytesPerMs), heldRequest);
        continue;
      }
      const part = left.subarray(0, allowedBytes);
      left = left.subarray(part.length);
      sentBytes += part.length;
      await diverted.send(part);
    }
    return true;
  };
}
