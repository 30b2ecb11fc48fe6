/** Responses as bytes, for connections on which Node has parsed no request. */

import { STATUS_CODES } from 'node:http';
import type { Reject } from '../wire-service.js';

/** Returns the last response of a connection. */
export function rawResponse(reject: Reject, status: number, message: string): string {
  const { headers, body } = reject(status, message);
  const lines = Object.entries(headers).map(([name, value]) => `${capitalized(name)}: ${value}`);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Date: ${new Date().toUTCString()}`,
    ...lines,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

function capitalized(name: string): string {
  return name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
