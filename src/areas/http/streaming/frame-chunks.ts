/** Chunks whose sizes and extensions somebody chose: RFC 9112 section 7.1. */

import type { ServerResponse } from 'node:http';

/** One chunk on the wire; `extensions` begin with their semicolon. */
export function frameChunk(bytes: Uint8Array, extensions = ''): Buffer {
  const head = `${bytes.length.toString(16)}${extensions}\r\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n')]);
}

export const lastChunk: Buffer = Buffer.from('0\r\n\r\n');

/**
 * Lets a body go out as it is, in frames that it has already. Call before anything is sent, and set
 * `Transfer-Encoding: chunked`: Node would put chunks around it again.
 */
export function leaveFramesAlone(response: ServerResponse): void {
  Object.defineProperty(response, 'chunkedEncoding', {
    get: () => false,
    set: () => {},
    configurable: true,
  });
}
