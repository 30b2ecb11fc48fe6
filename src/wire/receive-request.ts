/** Checks every request before the service handles it. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { cutText } from '#base/text/cut-text.js';
import { targetFault } from './check-target.js';
import { keepBytes } from './http1/one-at-a-time.js';
import type { WireRequest } from './request.js';
import type { WireService } from './wire-service.js';

const counts = new WeakMap<Socket, number>();

/** Returns the number of requests on a connection, including the current one. */
export function requestsOn(socket: Socket): number {
  return counts.get(socket) ?? 0;
}

/**
 * Rejects requests that the parser accepts although they are for another protocol (RFC 9112 section
 * 2.3), have no valid target (section 3.2), or have an ambiguous body length (sections 6.1 and
 * 6.3). Handles all others.
 */
export function receiveRequest(
  request: IncomingMessage,
  response: ServerResponse,
  service: WireService,
): void {
  const isPlain =
    request.httpVersionMajor === 1 && request.headers['transfer-encoding'] === undefined;
  const fault = isPlain ? undefined : framingFault(request);
  if (fault !== undefined) {
    response.shouldKeepAlive = false;
    sendRejection(request, response, service, ...fault);
    return;
  }
  // The parser drops bytes that arrive together with a request for another protocol. The next bytes
  // could begin in the middle of a request.
  if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
  const sentTarget = request.url ?? '';
  const isPath = sentTarget.startsWith('/') && !sentTarget.includes('#');
  const badTarget = isPath ? undefined : targetFault(request.method ?? '', sentTarget);
  if (badTarget !== undefined) {
    sendRejection(request, response, service, 400, badTarget);
    return;
  }
  service.enter(request);
  counts.set(request.socket, (counts.get(request.socket) ?? 0) + 1);
  if (service.rawTargets.test(request.url ?? '')) keepBytes(request, response, sentTarget);
  service.handle(request, response);
}

type Fault = readonly [status: number, message: string];

function framingFault(request: IncomingMessage): Fault | undefined {
  const { headers, httpVersion, httpVersionMajor } = request;
  const { 'transfer-encoding': codings = '' } = headers;
  if ((request as WireRequest).isStream) return undefined;
  if (httpVersionMajor !== 1) {
    return [505, `HTTP/${httpVersion} is not supported. Send HTTP/1.1.`];
  }
  if (httpVersion !== '1.1') {
    return [400, `HTTP/${httpVersion} has no Transfer-Encoding. Send a Content-Length.`];
  }
  const names = codings.split(',').map((name) => name.trim().toLowerCase());
  const named = names.filter((name) => name !== '');
  if (named.at(-1) !== 'chunked') return [400, 'The Transfer-Encoding must end with chunked.'];
  if (named.length === 1) return undefined;
  return [501, `Transfer-Encoding ${codings} is not supported; only chunked is.`];
}

/**
 * Receives a request with Expect (RFC 9110 section 10.1.1). Sends 100 when the body is first read.
 * A response that needs only the head is sent without 100 and ends the connection, because the
 * client may or may not send the body.
 */
export function receiveExpectation(
  request: IncomingMessage,
  response: ServerResponse,
  service: WireService,
): void {
  const message = request as WireRequest;
  const unknown = expectationsOf(request).find((each) => each.toLowerCase() !== '100-continue');
  if (unknown !== undefined) {
    if (message.announcesBody) response.shouldKeepAlive = false;
    const what = `Expect: ${cutText(unknown, maxShownCharacters)} is not supported; only 100-continue is.`;
    sendRejection(request, response, service, 417, what);
    return;
  }
  if (expectationsOf(request).length > 0 && message.announcesBody) {
    message.onBodyWanted(() => response.writeContinue());
  }
  receiveRequest(request, response, service);
}

const maxShownCharacters = 100;

function expectationsOf({ headers }: IncomingMessage): string[] {
  const listed = headers.expect?.split(',') ?? [];
  return listed.map((each) => each.trim()).filter((each) => each !== '');
}

export function sendRejection(
  request: IncomingMessage,
  response: ServerResponse,
  { reject }: Pick<WireService, 'reject'>,
  status: number,
  message: string,
): void {
  const { status: own = status, headers, body } = reject(status, message, request);
  response.writeHead(own, headers).end(body);
}
