/** A response on its way to one connection, with the details that faults need. */

import type { ServerResponse } from 'node:http';
import type { HeldRequest } from '#http/held-requests.js';
import { resetConnectionOf } from '#wire/request.js';
import type { DrawnFault } from '../plan/take-step.js';
import type { DivertedResponse, ResponseHead } from './divert-response.js';

/** A response on its way to one connection. */
export interface Outgoing {
  readonly response: ServerResponse;
  readonly diverted: DivertedResponse;
  readonly head: ResponseHead;
  readonly fault: DrawnFault;
  /**
   * Logs the attempt, and whether a client would consider it done. Call before its last byte is
   * sent.
   */
  readonly note: (isSuccess: boolean) => Promise<void>;
  /** The held request, if the fault holds it. */
  readonly heldRequest: HeldRequest | undefined;
}

export function isDone({ status }: ResponseHead): boolean {
  return status < 400;
}

export type Cuttable = Omit<Outgoing, 'fault'>;

/** Returns whether the response has no body that a fault could change (RFC 9110 section 6.4.1). */
export function isBodiless({ response, head }: Cuttable): boolean {
  const { status } = head;
  return (
    response.req.method === 'HEAD' ||
    status < 200 ||
    status === 204 ||
    status === 205 ||
    status === 304
  );
}

export function isEventStream({ headers }: ResponseHead): boolean {
  return String(headers['content-type'] ?? '').startsWith('text/event-stream');
}

/**
 * Returns whether the client supports bodies without a length; HTTP/1.0 clients do not (RFC 9112
 * section 7.1).
 */
export function knowsOpenEnds({ response }: Cuttable): boolean {
  return response.req.httpVersion !== '1.0';
}

/** Returns the head with other headers; `undefined` removes a header. */
export function withHeaders(
  { status, headers }: ResponseHead,
  changed: Readonly<Record<string, string | string[] | undefined>>,
): ResponseHead {
  const all = Object.entries({ ...headers, ...changed });
  return { status, headers: Object.fromEntries(all.filter(([, value]) => value !== undefined)) };
}

interface Beginning {
  /** The first bytes of the body. */
  readonly bytes: Buffer;
  /** Size of the whole body; for an event stream, of the part that was read. */
  readonly size: number;
}

/**
 * Reads the body, keeps its beginning and counts the rest. An event stream has no end, so only as
 * much as needed is read.
 */
export async function readBeginning(
  { diverted, head }: Cuttable,
  keepBytes: number,
): Promise<Beginning> {
  const isEndless = isEventStream(head);
  const kept: Buffer[] = [];
  let size = 0;
  for (let left = keepBytes; !(isEndless && left <= 0); ) {
    const piece = await diverted.next();
    if (piece === undefined) break;
    size += piece.length;
    if (left > 0) kept.push(piece.subarray(0, left));
    left -= piece.length;
  }
  return { bytes: Buffer.concat(kept), size };
}

export async function loseByReset({ response, note }: Cuttable): Promise<void> {
  await note(false);
  resetConnectionOf(response.req);
}

/** Limit for a body that is kept whole. */
const maxWholeBytes = 8 * 1024 * 1024;

/** Reads a whole body; of an event stream only the first chunk. */
export async function readWhole(outgoing: Cuttable): Promise<Buffer> {
  const keepBytes = isEventStream(outgoing.head) ? 1 : maxWholeBytes;
  if (keepBytes === 1) return (await outgoing.diverted.next()) ?? Buffer.alloc(0);
  return (await readBeginning(outgoing, keepBytes)).bytes;
}
