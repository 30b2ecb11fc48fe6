/** What Node itself would refuse with an empty answer, in the error shape. */

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { maxHeaderBytes } from '../connection-limits.js';
import { closeConnection } from '../end-connection.js';
import { rawResponse } from './raw-response.js';
import { responseUnderWay } from './response-under-way.js';

type Fault = readonly [status: number, message: string];

const clientFaults: Readonly<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    `The request line and headers are larger than ${maxHeaderBytes / 1024} KiB together.`,
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the body are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
  HPE_INVALID_METHOD: [400, 'The request does not begin with a method that HTTP knows.'],
  HPE_INVALID_URL: [400, 'The request target is malformed.'],
  HPE_INVALID_VERSION: [400, 'The HTTP version is malformed or unknown.'],
  HPE_INVALID_HEADER_TOKEN: [400, 'A header holds a character that headers must not hold.'],
  HPE_INVALID_CONTENT_LENGTH: [
    400,
    'The Content-Length is not a plain number, or comes with Transfer-Encoding.',
  ],
  HPE_UNEXPECTED_CONTENT_LENGTH: [400, 'Content-Length comes twice, or with Transfer-Encoding.'],
  HPE_INVALID_TRANSFER_ENCODING: [
    400,
    'The Transfer-Encoding is not chunked alone, or comes with Content-Length.',
  ],
  HPE_INVALID_CHUNK_SIZE: [400, 'A chunk of the body has a malformed size.'],
  HPE_LF_EXPECTED: [400, 'A line ends in a bare carriage return.'],
  HPE_CR_EXPECTED: [400, 'A line ends in a bare line feed; HTTP lines end in CR LF.'],
};

/** Connections that nothing is read from any more. */
const rejected = new WeakSet<Duplex>();

/**
 * Answers what is not HTTP (RFC 9112), or came too slowly, and ends the connection. What was asked
 * before it on the connection is answered first.
 */
export function respondToClientError(error: NodeJS.ErrnoException, duplex: Duplex): void {
  const socket = duplex as Socket;
  if (error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  // Whatever else arrives is dropped.
  if (rejected.has(socket)) return;
  rejected.add(socket);
  rejectNext(error, socket);
}

function rejectNext(error: NodeJS.ErrnoException, socket: Socket): void {
  const response = responseUnderWay(socket);
  const broken = requestUnderWay(socket);
  if (response !== undefined && response.req !== broken) {
    response.once('finish', () => rejectNext(error, socket));
    return;
  }
  // A request whose end is broken may have been answered by its beginning: once is enough. And bytes
  // after a request that says Connection: close are no request (RFC 9112 section 9.6).
  const hasResponse = response?.headersSent ?? broken !== undefined;
  if (!socket.writable || hasResponse || error.code === 'HPE_CLOSED_CONNECTION') {
    socket.destroySoon();
    return;
  }
  socket.write(clientErrorResponse(error));
  closeConnection(socket);
}

/** The request of which not all has arrived; Node's parser knows it, and nobody else. */
function requestUnderWay(socket: Socket): IncomingMessage | undefined {
  const { parser } = socket as Socket & { parser?: { incoming?: IncomingMessage | null } | null };
  const incoming = parser?.incoming ?? undefined;
  return incoming?.complete === false ? incoming : undefined;
}

function clientErrorResponse(error: NodeJS.ErrnoException): string {
  const [status, message] = clientFaults[error.code ?? ''] ?? [
    400,
    'The request is not valid HTTP.',
  ];
  return rawResponse(status, message);
}
