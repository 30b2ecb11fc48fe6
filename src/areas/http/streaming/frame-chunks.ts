/** Chunks with chosen sizes and extensions: RFC 9112 section 7.1. */

import type { ServerResponse } from 'node:http';

/** Returns one chunk on the wire; `extensions` begin with their semicolon. */
export function frameChunk(bytes: Uint8Array, extensions = ''): Buffer {
  const head = `${bytes.length.toString(16)}${extensions}\r\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n')]);
}

export const lastChunk: Buffer = Buffer.from('0\r\n\r\n');

/**
 * Sends a body that is already chunked. Call before anything is sent, and set `Transfer-Encoding: chunked`; otherwise
 * Node would chunk it again.
 */
export function leaveFramesAlone(response: ServerResponse): void {
  Object.defineProperty(response, 'chunkedEncoding', {
    get: () => false,
    set: () => {},
    configurable: true,
  });
}
