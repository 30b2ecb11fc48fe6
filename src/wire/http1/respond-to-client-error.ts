/** Responds to requests that the parser rejects, for which Node would send no body. */

import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { maxHeaderBytes } from '../connections.js';
import { guard } from '../guard.js';
import { currentResponse } from '../internals/current-response.js';
import { incompleteRequest } from '../internals/http-parser.js';
import { methodFault } from '../method-fault.js';
import { closeConnection } from '../request.js';
import type { Reject } from '../wire-service.js';

interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

type Fault = readonly [status: number, message: string];

const clientFaults: Readonly<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: [431, `The request line and headers exceed ${maxHeaderBytes / 1024} KiB.`],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the body are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
  HPE_INVALID_URL: [400, 'The request target is malformed.'],
  HPE_INVALID_VERSION: [400, 'The HTTP version is malformed or unknown.'],
  HPE_INVALID_HEADER_TOKEN: [400, 'A header contains a forbidden character.'],
  HPE_INVALID_CONTENT_LENGTH: [
    400,
    'The Content-Length is not a plain number, or is combined with Transfer-Encoding.',
  ],
  HPE_UNEXPECTED_CONTENT_LENGTH: [
    400,
    'Content-Length is repeated, or combined with Transfer-Encoding.',
  ],
  HPE_INVALID_TRANSFER_ENCODING: [
    400,
    'Transfer-Encoding must be only chunked, without Content-Length.',
  ],
  HPE_INVALID_CHUNK_SIZE: [400, 'A chunk of the body has a malformed size.'],
  HPE_LF_EXPECTED: [400, 'A line ends in a bare carriage return.'],
  HPE_CR_EXPECTED: [400, 'A line ends in a bare line feed; HTTP lines end in CR LF.'],
};

/**
 * Makes the listener that responds to bytes that are not HTTP (RFC 9112), or that arrived too
 * slowly, and ends the connection. Earlier requests get their responses first.
 */
export function clientErrorResponder(reject: Reject): (error: ParserError, socket: Socket) => void {
  // Further bytes on these are dropped.
  const rejected = new WeakSet<Socket>();
  return (error, socket) => {
    if (socket.destroyed) return;
    if (error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    if (rejected.has(socket)) return;
    rejected.add(socket);
    rejectNext(error, socket, reject);
  };
}

function rejectNext(error: ParserError, socket: Socket, reject: Reject): void {
  const response = currentResponse(socket);
  const broken = incompleteRequest(socket);
  if (response !== undefined && response.req !== broken) {
    response.once(
      'finish',
      guard(socket, () => rejectNext(error, socket, reject)),
    );
    return;
  }
  // A malformed request may already have a response. Bytes after a request with Connection: close
  // are not a request (RFC 9112 section 9.6).
  const hasResponse = response?.headersSent ?? broken !== undefined;
  if (!socket.writable || hasResponse || error.code === 'HPE_CLOSED_CONNECTION') {
    socket.destroySoon();
    return;
  }
  const fault = faultOf(error);
  socket.write(rawResponse(reject, ...fault));
  closeConnection(socket);
}

const shownBytes = 32;

function faultOf({ code = '', rawPacket }: ParserError): Fault {
  if (code === 'HPE_INVALID_METHOD') {
    return [400, methodFault(rawPacket?.toString('latin1', 0, shownBytes) ?? '')];
  }
  return clientFaults[code] ?? [400, 'The request is not valid HTTP.'];
}

/** Writes the last response of a connection on which Node has parsed no request. */
export function rawResponse(reject: Reject, status: number, message: string): string {
  const { headers, body } = reject(status, message);
  const lines = Object.entries(headers).map(
    ([name, value]) => `${name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())}: ${value}`,
  );
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Date: ${new Date().toUTCString()}`,
    ...lines,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
