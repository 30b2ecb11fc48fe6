/** What is looked at of every request before it comes to the routes. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorBody, jsonContentType } from '../../http/http-error.js';
import { maxBodyBytes } from '../../http/request-body.js';
import { requestIdOf } from '../../http/request-id.js';
import { enterSandbox } from '../../http/sandbox-address.js';
import { targetFault } from '../check-target.js';
import { Http2Request } from '../http2/http2-request.js';

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Refuses what the parser lets by although it is another protocol (RFC 9112 section 2.3), has no target
 * (section 3.2), or nobody can be sure where the body ends (sections 6.1 and 6.3); hands over all else, with
 * targets below `/s/` inside their sandbox.
 */
export function handleFramed(
  request: IncomingMessage,
  response: ServerResponse,
  handle: RequestListener,
): void {
  const { headers } = request;
  const fault = findFault(request);
  if (fault !== undefined) {
    response.shouldKeepAlive = false;
    reject(request, response, ...fault);
    return;
  }
  // The parser drops what arrived together with a request for any other upgrade, so that what arrives
  // next could begin in the middle of another one.
  if (headers.upgrade !== undefined) response.shouldKeepAlive = false;
  const badTarget = targetFault(request.method ?? '', request.url ?? '');
  if (badTarget !== undefined) {
    reject(request, response, 400, badTarget);
    return;
  }
  enterSandbox(request);
  handle(request, response);
}

type Fault = readonly [status: number, message: string];

function findFault(request: IncomingMessage): Fault | undefined {
  const { headers, httpVersion, httpVersionMajor } = request;
  // A library has seen to it that its frames are right.
  if (request instanceof Http2Request) return undefined;
  if (httpVersionMajor !== 1) {
    return [505, `HTTP/${httpVersion} is not spoken here. Send HTTP/1.1.`];
  }
  const codings = headers['transfer-encoding'];
  if (codings === undefined) return undefined;
  if (httpVersion !== '1.1') {
    return [400, `HTTP/${httpVersion} has no Transfer-Encoding. Send a Content-Length.`];
  }
  const names = codings.split(',').map((name) => name.trim().toLowerCase());
  const named = names.filter((name) => name !== '');
  if (named.at(-1) !== 'chunked') return [400, 'The Transfer-Encoding must end with chunked.'];
  if (named.length === 1) return undefined;
  return [501, `Of Transfer-Encoding ${codings}, only chunked is understood.`];
}

/** Answers a request that waits to be told whether its body is wanted: RFC 9110 section 10.1.1. */
export function handleExpectation(
  request: IncomingMessage,
  response: ServerResponse,
  handle: RequestListener,
): void {
  const { expect = '', 'content-length': announced = 0 } = request.headers;
  if (expect.toLowerCase() !== '100-continue') {
    const message = `Expect: ${expect} is not understood; only 100-continue is.`;
    reject(request, response, 417, message);
    return;
  }
  // Reject an oversized body before it is sent.
  if (Number(announced) <= maxBodyBytes) response.writeContinue();
  handleFramed(request, response, handle);
}

/** Answers in place of the routes. */
export function reject(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  message: string,
): void {
  const body = JSON.stringify(errorBody(status, message));
  response
    .writeHead(status, {
      'content-type': jsonContentType,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': '*',
      'x-request-id': requestIdOf(request),
    })
    .end(body);
}
