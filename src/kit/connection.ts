/** Access to the connection of a request, for endpoints that show or end it. */

import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Request } from '#http/exchange.js';
import { Http2Request } from '#wire/http2/http2-request.js';
import type { WireRequest } from '#wire/request.js';

export { guard } from '#wire/guard.js';
export { bytesOf, maxRequestBytes } from '#wire/http1/request-bytes.js';
export type { Http2Request } from '#wire/http2/http2-request.js';
export { ownSettings } from '#wire/http2/http2-sessions.js';
export { requestsOn } from '#wire/receive-request.js';
export { resetConnectionOf } from '#wire/request.js';
export { noteUnsent } from '#wire/servers/listen-raw.js';

export function http2RequestOf(request: IncomingMessage): Http2Request | undefined {
  return request instanceof Http2Request ? request : undefined;
}

export function tlsSocketOf({ raw }: Pick<Request, 'raw'>): TLSSocket | undefined {
  const { socket } = raw;
  return 'encrypted' in socket ? (socket as TLSSocket) : undefined;
}

/**
 * Reads the body without sending 100, and returns the function that sends it, if the client may
 * wait for it.
 */
export function withholdContinue(request: IncomingMessage): (() => void) | undefined {
  return (request as WireRequest).withholdContinue();
}

/** Calls `watcher` with each chunk of the body. Call before the body is read. */
export function watchBody(request: IncomingMessage, watcher: (chunk: Buffer) => void): void {
  (request as WireRequest).watch(watcher);
}
