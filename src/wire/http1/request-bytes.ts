/** Raw requests: the bytes as they arrived, for the few endpoints that show them. */

import type { IncomingMessage } from 'node:http';
import type { BodiesInFlight } from '../budgets/bodies-in-flight.js';
import type { KeptBytes, WireRequest } from '../request.js';

/** Head, body, and the framing of the body. */
export const maxRequestBytes = 1024 * 1024;

const noBytes: Buffer = Buffer.alloc(0);
const blankLine = '\r\n\r\n';

/** The bytes of one request. They count among the bodies. */
export class RequestBytes implements KeptBytes {
  readonly #request: IncomingMessage;
  readonly #target: string;
  readonly #bodies: BodiesInFlight;
  #memory: Buffer = noBytes;
  #size = 0;
  #isTooMuch = false;

  constructor(request: IncomingMessage, sentTarget: string, bodies: BodiesInFlight) {
    this.#request = request;
    this.#target = sentTarget;
    this.#bodies = bodies;
    (request as WireRequest).keptBytes = this;
  }

  /** Copies a chunk. If there is no room for it, the whole request is dropped. */
  add(piece: Buffer): void {
    if (this.#isTooMuch) return;
    if (!this.#hasRoomFor(this.#size + piece.length)) {
      this.release();
      return;
    }
    piece.copy(this.#memory, this.#size);
    this.#size += piece.length;
  }

  /** The memory is at most twice the size of the bytes, however small the chunks are. */
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

  release(): void {
    this.#isTooMuch = true;
    this.#bodies.release(this.#memory.length);
    this.#memory = noBytes;
    this.#size = 0;
  }

  /** The whole request, after the body has arrived; `undefined` if there was no room. */
  get whole(): Buffer | undefined {
    if (this.#isTooMuch) return undefined;
    const bytes = this.#memory.subarray(0, this.#size);
    const { method } = this.#request;
    const start = bytes.indexOf(`${method} ${this.#target} HTTP/`, 0, 'latin1');
    const end = start < 0 ? 0 : endOfMessage(bytes, start, this.#request);
    return end === 0 ? undefined : bytes.subarray(start, end);
  }
}

export function bytesOf(request: IncomingMessage): KeptBytes | undefined {
  return (request as WireRequest).keptBytes;
}

/** Returns the end of a well-formed message (RFC 9112 section 6.3), or 0 if it is incomplete. */
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

/** Returns the end of the trailers, or 0 (RFC 9112 section 7.1). */
function endOfChunks(bytes: Buffer, start: number): number {
  let index = start;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', index);
    if (lineEnd < 0) return 0;
    const size = Number.parseInt(bytes.toString('latin1', index, lineEnd), 16);
    if (Number.isNaN(size)) return 0;
    if (size === 0) break;
    index = lineEnd + 2 + size + 2;
  }
  // The last chunk's line, one line for each trailer, and an empty line.
  const end = bytes.indexOf(blankLine, index);
  return end < 0 ? 0 : end + blankLine.length;
}
