/**
 * Sends interim responses: RFC 9110 section 15.2. Node supports only some, and few of them with
 * headers.
 */

import { type ServerResponse, STATUS_CODES } from 'node:http';
import { Http2Response } from '#wire/http2/http2-response.js';
import { type GivenHeaders, headerPairs, headersByName } from '../headers/settable-headers.js';

/** Statuses that Node does not name; 104 is of draft-ietf-httpbis-resumable-upload. */
const reasons: Readonly<Record<number, string>> = { 104: 'Upload Resumption Supported' };

interface InformationalResponse {
  /** 100 to 199 except 101, which changes the protocol. */
  readonly status: number;
  readonly headers?: GivenHeaders;
}

/** Sends an interim response before the final one, but not to HTTP/1.0 clients. */
export function sendInformational(response: ServerResponse, interim: InformationalResponse): void {
  const { req, socket, headersSent } = response;
  const { status, headers = {} } = interim;
  if (response instanceof Http2Response) {
    response.sendInterim(status, Object.fromEntries(headersByName(headers)));
    return;
  }
  if (req.httpVersion !== '1.1' || headersSent || !socket?.writable) return;
  const lines = headerPairs(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? reasons[status] ?? ''}\r\n${lines.join('')}\r\n`;
  socket.write(head, 'latin1');
}
