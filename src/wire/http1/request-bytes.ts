/** Requests as the bytes they came in, for those few whose answer is about them. */

import type { IncomingMessage } from 'node:http';
import { sentTargetOf } from '../../http/sandbox-address.js';
import type { BodiesInFlight } from '../budgets/bodies-in-flight.js';

/** Head and body together, with all that frames it. */
export const maxRequestBytes = 1024 * 1024;

const noBytes: Buffer = Buffer.alloc(0);
const blankLine = '\r\n\r\n';
const kept = new WeakMap<IncomingMessage, RequestBytes>();

/** What has arrived of one request, as it came. What it holds counts among the bodies. */
export class RequestBytes {
  readonly #request: IncomingMessage;
  readonly #bodies: BodiesInFlight;
  #memory: Buffer = noBytes;
  #size = 0;
  #isTooMuch = false;

  constructor(request: IncomingMessage, bodies: BodiesInFlight) {
    this.#request = request;
    this.#bodies = bodies;
    kept.set(request, this);
  }

  /** Copies a piece; beyond what there is room for, all of it is forgotten. */
  add(piece: Buffer): void {
    if (this.#isTooMuch) return;
    if (!this.#hasRoomFor(this.#size + piece.length)) {
      this.release();
      return;
    }
    piece.copy(this.#memory, this.#size);
    this.#size += piece.length;
  }

  /** One piece of memory, at most twice as large as what it holds, however small the pieces are. */
  #hasRoomFor(size: number): boolean {
    const { length } = this.#memory;
    if (size <= length) return true;
    if (size > maxRequestBytes) return false;
    const wanted = Math.min(Math.max(size, 2 * length), maxRequestBytes);
    if (!this.#bodies.reserve(wanted - length)) return false;
    const memory = Buffer.allocUnsafeSlow(wanted);
    this.#memory.copy(memory, 0, 0, this.#size);
    this.#memory = memory;
    return true;
  }

  /** Forgets all of it, and takes no more. */
  release(): void {
    this.#isTooMuch = true;
    this.#bodies.release(this.#memory.length);
    this.#memory = noBytes;
    this.#size = 0;
  }

  /** From its first to its last byte, once the body has arrived; `undefined` when there was no room. */
  get whole(): Buffer | undefined {
    if (this.#isTooMuch) return undefined;
    const bytes = this.#memory.subarray(0, this.#size);
    const { method } = this.#request;
    const start = bytes.indexOf(`${method} ${sentTargetOf(this.#request)} HTTP/`, 0, 'latin1');
    const end = start < 0 ? 0 : endOfMessage(bytes, start, this.#request);
    return end === 0 ? undefined : bytes.subarray(start, end);
  }
}

/** The bytes of a request, where they are kept. */
export function bytesOf(request: IncomingMessage): RequestBytes | undefined {
  return kept.get(request);
}

/** Where the message ends (RFC 9112 section 6.3), which the parser has found to be well-formed; 0 when it is not all there. */
function endOfMessage(bytes: Buffer, start: number, { headers }: IncomingMessage): number {
  const headEnd = bytes.indexOf(blankLine, start);
  if (headEnd < 0) return 0;
  const bodyStart = headEnd + blankLine.length;
  const end =
    headers['transfer-encoding'] === undefined
      ? bodyStart + Number(headers['content-length'] ?? 0)
      : endOfChunks(bytes, bodyStart);
  return end <= bytes.length ? end : 0;
}

/** Behind the last chunk and the trailers (RFC 9112 section 7.1). */
function endOfChunks(bytes: Buffer, start: number): number {
  let place = start;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', place);
    if (lineEnd < 0) return 0;
    const size = Number.parseInt(bytes.toString('latin1', place, lineEnd), 16);
    if (Number.isNaN(size)) return 0;
    if (size === 0) break;
    place = lineEnd + 2 + size + 2;
  }
  // The line of the last chunk, then one for each trailer, then an empty one.
  const end = bytes.indexOf(blankLine, place);
  return end < 0 ? 0 : end + blankLine.length;
}
