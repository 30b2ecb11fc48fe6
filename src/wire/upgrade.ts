/**
 * Sends responses that turn an HTTP/1.1 connection (RFC 9110 section 7.8, RFC 6455 section 4) or an
 * HTTP/2 stream (RFC 8441) into a WebSocket.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { guard } from './guard.js';
import type { WireRequest } from './request.js';

/** Called with the stream of a WebSocket, or without one if the response did not open it. */
type Receive = (stream?: Duplex) => void;

/** Responses that can upgrade, and the receivers of their streams. */
const upgrades = new WeakMap<ServerResponse, Receive | undefined>();
const upgraded = new WeakSet<object>();

/** Returns whether a request is a WebSocket handshake, after which no HTTP may follow. */
export function isWebSocketHandshake(request: IncomingMessage): boolean {
  if (isExtendedConnect(request)) return true;
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

/**
 * Returns whether a request is an extended CONNECT, which becomes the stream of a WebSocket after a
 * success.
 */
export function isExtendedConnect(request: IncomingMessage): boolean {
  return (request as WireRequest).isExtendedConnect === true;
}

export function openingStatus(request: IncomingMessage): 101 | 200 {
  return isExtendedConnect(request) ? 200 : 101;
}

export function offerUpgrade(response: ServerResponse): void {
  upgrades.set(response, undefined);
}

export function isUpgradeOffered(response: ServerResponse): boolean {
  return upgrades.has(response);
}

/**
 * Calls `receive` with the stream after the response was sent, if its status still opens a
 * WebSocket; otherwise without one when the response is closed.
 */
export function acceptUpgrade(response: ServerResponse, receive: Receive): void {
  let isReceived = false;
  upgrades.set(response, (stream) => {
    isReceived = true;
    receive(stream);
  });
  response.once(
    'close',
    guard(response.req, () => {
      if (!isReceived) receive();
    }),
  );
}

export function isUpgradeAccepted(response: ServerResponse, status = response.statusCode): boolean {
  return upgrades.get(response) !== undefined && status === openingStatus(response.req);
}

/** Passes the stream on after the response, and returns whether it is now a WebSocket. */
export function handOver(response: ServerResponse, stream: Duplex): boolean {
  if (!isUpgradeAccepted(response) || !stream.writable) return false;
  upgraded.add(stream);
  upgrades.get(response)?.(stream);
  return true;
}

export function isUpgraded(stream: object): boolean {
  return upgraded.has(stream);
}
