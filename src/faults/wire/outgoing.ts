/** A response on its way to one connection, with what faults read of it. */

import type { ServerResponse } from 'node:http';
import type { HeldRequest } from '../../http/held-requests.js';
import { resetConnectionOf } from '../../wire/request.js';
import type { DrawnFault } from '../plan/take-step.js';
import type { DivertedResponse, ResponseHead } from './divert-response.js';

/** An answer on its way to one connection. */
export interface Outgoing {
  readonly response: ServerResponse;
  readonly answer: DivertedResponse;
  readonly head: ResponseHead;
  readonly fault: DrawnFault;
  /** Notes the attempt, and whether a client would take it for done. Call before its last byte is sent. */
  readonly note: (isSuccess: boolean) => Promise<void>;
  /** The request among those that are held, where the fault holds it. */
  readonly place: HeldRequest | undefined;
}

export function isDone({ status }: ResponseHead): boolean {
  return status < 400;
}

export type Cuttable = Omit<Outgoing, 'fault'>;

/** Whether there is no body to do anything to (RFC 9110 section 6.4.1). */
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

/** Older clients know no body without a length (RFC 9112 section 7.1). */
export function knowsOpenEnds({ response }: Cuttable): boolean {
  return response.req.httpVersion !== '1.0';
}

/** The head with other headers; `undefined` takes one away. */
export function withHeaders(
  { status, headers }: ResponseHead,
  changed: Readonly<Record<string, string | undefined>>,
): ResponseHead {
  const all = Object.entries({ ...headers, ...changed });
  return { status, headers: Object.fromEntries(all.filter(([, value]) => value !== undefined)) };
}

interface Beginning {
  /** The first bytes of the body. */
  readonly bytes: Buffer;
  /** Of all of it; for a stream of events, of what is there. */
  readonly size: number;
}

/**
 * Reads the body, keeps its beginning and counts the rest. A stream of events has no end to wait for: it is
 * read until there is so much of it.
 */
export async function readBeginning(
  { answer: response, head }: Cuttable,
  keepBytes: number,
): Promise<Beginning> {
  const isEndless = isEventStream(head);
  const kept: Buffer[] = [];
  let size = 0;
  for (let left = keepBytes; !(isEndless && left <= 0); ) {
    const piece = await response.next();
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

/** The most that is kept of a body that has to be there as a whole. */
const maxWholeBytes = 8 * 1024 * 1024;

/** A body that has to be there as a whole; of a stream of events its first piece, which then is the whole. */
export async function readWhole(outgoing: Cuttable): Promise<Buffer> {
  const keepBytes = isEventStream(outgoing.head) ? 1 : maxWholeBytes;
  if (keepBytes === 1) return (await outgoing.answer.next()) ?? Buffer.alloc(0);
  return (await readBeginning(outgoing, keepBytes)).bytes;
}
