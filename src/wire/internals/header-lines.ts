/**
 * Adds header fields to `headers` and `rawHeaders` of a request like Node.
 *
 * Reason: an HTTP/2 request joins, drops and lists repeated headers as on HTTP/1.1. Without
 * `_addHeaderLines`, repeated headers are joined by commas.
 */

import type { IncomingMessage } from 'node:http';

type Lines = readonly string[];

interface Members extends IncomingMessage {
  _addHeaderLines?(lines: Lines, length: number): void;
}

export function addHeaderLines(message: IncomingMessage, lines: Lines): void {
  if ('_addHeaderLines' in message) {
    (message as Members)._addHeaderLines?.(lines, lines.length);
    return;
  }
  message.rawHeaders = [...lines];
  for (let index = 0; index + 1 < lines.length; index += 2) {
    const [name = '', value = ''] = [lines[index]?.toLowerCase(), lines[index + 1]];
    const before = message.headers[name];
    message.headers[name] = before === undefined ? value : `${before}, ${value}`;
  }
}
