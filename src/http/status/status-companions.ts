/**
 * Returns the headers that a status needs (RFC 9110 section 15, RFC 6585), and whether it has a
 * body.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply } from '../exchange.js';
import type { ErrorHeaders } from '../http-error.js';

interface StatusContext {
  /** URI reference of the created or moved resource; `undefined` for none. */
  readonly location: string | undefined;
  /** The methods that the path supports. */
  readonly allow: readonly string[];
  /** Bytes of the whole representation. */
  readonly size: number;
  /** Whether the client uses HTTP/1.1, which has connection options. */
  readonly isHttp11: boolean;
  /** A number of seconds or an HTTP date. */
  readonly retryAfter?: string;
}

/** By name in lower case; empty for most statuses. */
export function statusCompanions(status: number, context: StatusContext): ErrorHeaders {
  const usualWait = status === 429 || status === 503 ? '1' : undefined;
  const { retryAfter = usualWait } = context;
  const own = ownCompanions(status, context);
  return retryAfter === undefined ? own : { ...own, 'retry-after': retryAfter };
}

function ownCompanions(
  status: number,
  { location, allow, size, isHttp11 }: StatusContext,
): ErrorHeaders {
  // An empty representation has no part.
  if (status === 206 && size > 0) return { 'content-range': `bytes 0-${size - 1}/${size}` };
  if (status === 416) return { 'content-range': `bytes */${size}` };
  if (hasLocation(status)) return location === undefined ? {} : { location };
  const option = isHttp11 ? 'Upgrade' : undefined;
  return requiredHeaders(status, 'Basic realm="practice"', option, () => allow);
}

/** Returns the companions of a simulated failure. */
export function companionsOf(
  status: number,
  response: ServerResponse,
  methodsHere: () => readonly string[],
): ErrorHeaders {
  return requiredHeaders(status, 'Bearer realm="simulated"', upgradeOption(response), methodsHere);
}

/** Headers that RFC 9110 section 15.5 requires. */
function requiredHeaders(
  status: number,
  challenge: string,
  option: string | undefined,
  methodsHere: () => readonly string[],
): ErrorHeaders {
  switch (status) {
    case 401:
      return { 'www-authenticate': challenge };
    case 405:
      return { allow: methodsHere().join(', ') };
    case 407:
      return { 'proxy-authenticate': challenge };
    case 426:
      return { upgrade: 'HTTP/2.0', ...(option !== undefined && { connection: option }) };
    default:
      return {};
  }
}

/**
 * Returns the value of `Connection` for headers of this message only (RFC 9110 section 7.8); only
 * HTTP/1.1 has it.
 */
export function upgradeOption(
  response: Pick<ServerResponse<IncomingMessage>, 'req' | 'shouldKeepAlive'>,
): string | undefined {
  if (response.req.httpVersion !== '1.1') return undefined;
  return response.shouldKeepAlive ? 'Upgrade' : 'Upgrade, close';
}

/** Sets the status of a response, and its required headers. */
export function setStatus(
  reply: Reply,
  status: number,
  context: Omit<StatusContext, 'isHttp11'>,
): void {
  const isHttp11 = reply.request.raw.httpVersion === '1.1';
  reply.code(status).headers(statusCompanions(status, { ...context, isHttp11 }));
}

/** 304 means that nothing has changed, so it has no Location. */
function hasLocation(status: number): boolean {
  return status === 201 || (status >= 300 && status < 400 && status !== 304);
}

/**
 * Returns whether a final response has no body, for any method (RFC 9110 sections 6.4.1 and
 * 15.3.6).
 */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}
