/**
 * What leaves HTTP for WebSocket: a connection of HTTP/1.1 (RFC 9110 section 7.8, RFC 6455 section 4), or a stream of
 * HTTP/2 (RFC 8441).
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { LeanRequest } from './http1/lean-request.js';

const offers = new WeakSet<ServerResponse>();
const takers = new WeakMap<ServerResponse, (stream: Duplex) => void>();
const upgraded = new WeakSet<object>();

/** Whether the request offers to go on as a WebSocket, so that none of HTTP may follow it. */
export function isWebSocketHandshake(request: IncomingMessage): boolean {
  if (asksForTunnel(request)) return true;
  const { method, httpVersion, headers } = request;
  if (method !== 'GET' || httpVersion !== '1.1') return false;
  const { upgrade = '', connection = '' } = headers;
  const hasBody =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
  return !hasBody && names(upgrade, 'websocket') && names(connection, 'upgrade');
}

function names(list: string, token: string): boolean {
  return list.split(',').some((each) => each.trim().toLowerCase() === token);
}

/** Whether the request is an extended CONNECT, which success would make the stream of a WebSocket. */
export function asksForTunnel(request: IncomingMessage): boolean {
  return (request as LeanRequest).asksForTunnel === true;
}

/** By which status a request is told that it goes on as a WebSocket. */
export function openingStatus(request: IncomingMessage): 101 | 200 {
  return asksForTunnel(request) ? 200 : 101;
}

/** Says that the connection of a response can go on as a WebSocket after it. */
export function offerUpgrade(response: ServerResponse): void {
  offers.add(response);
}

export function isUpgradeOffered(response: ServerResponse): boolean {
  return offers.has(response);
}

/**
 * Has `take` called with the connection once this response is sent, if that still says that it is one; with none once
 * it is clear that it never will be.
 */
export function takeAfter(response: ServerResponse, take: (stream?: Duplex) => void): void {
  let isTaken = false;
  takers.set(response, (stream) => {
    isTaken = true;
    take(stream);
  });
  response.once('close', () => {
    if (!isTaken) take();
  });
}

/** Whether somebody takes the connection behind the response, as that stands. */
export function isTaken(response: ServerResponse): boolean {
  return takers.has(response) && response.statusCode === openingStatus(response.req);
}

/** Gives the connection to who wants it, and says whether somebody did. */
export function handOver(response: ServerResponse, stream: Duplex): boolean {
  const take = takers.get(response);
  if (take === undefined || !isTaken(response) || !stream.writable) return false;
  upgraded.add(stream);
  take(stream);
  return true;
}

export function isUpgraded(stream: object): boolean {
  return upgraded.has(stream);
}
