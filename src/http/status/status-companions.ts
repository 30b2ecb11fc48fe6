/** The headers that a status comes with (RFC 9110 section 15, RFC 6585), and whether a body does. */

import type { Reply } from '../exchange.js';
import type { ErrorHeaders } from '../http-error.js';
import { requiredHeaders } from './error-companions.js';

/** What companions are made of. */
export interface StatusContext {
  /** Where what was made, or has moved, is: a URI reference. */
  readonly location: string;
  /** The methods that the path takes. */
  readonly allow: readonly string[];
  /** How many bytes the whole representation has. */
  readonly size: number;
  /** Whether the client speaks HTTP/1.1, which has options of the connection. */
  readonly isHttp11: boolean;
  /** A number of seconds or an HTTP date; one second without it. */
  readonly retryAfter?: string;
}

const challenge = 'Basic realm="practice"';

/** By name in lower case; empty for most statuses. */
export function statusCompanions(status: number, context: StatusContext): ErrorHeaders {
  const { location, allow, size, isHttp11, retryAfter } = context;
  const chosenWait = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  switch (status) {
    case 206:
      // Of nothing there is no part.
      if (size === 0) return chosenWait;
      return { 'content-range': `bytes 0-${size - 1}/${size}`, ...chosenWait };
    case 401:
    case 407:
    case 426: {
      const option = isHttp11 ? 'Upgrade' : undefined;
      return { ...requiredHeaders(status, challenge, option), ...chosenWait };
    }
    case 405:
      return { allow: allow.join(', '), ...chosenWait };
    case 416:
      return { 'content-range': `bytes */${size}`, ...chosenWait };
    case 429:
    case 503:
      return { 'retry-after': retryAfter ?? '1' };
    default:
      return hasLocation(status) ? { location, ...chosenWait } : chosenWait;
  }
}

/** Sets the status of a response, and the headers that it comes with. */
export function setStatus(
  reply: Reply,
  status: number,
  context: Omit<StatusContext, 'isHttp11'>,
): void {
  const isHttp11 = reply.request.raw.httpVersion === '1.1';
  reply.code(status).headers(statusCompanions(status, { ...context, isHttp11 }));
}

/** 304 says that nothing has changed, so it leads nowhere. */
function hasLocation(status: number): boolean {
  return status === 201 || (status >= 300 && status < 400 && status !== 304);
}

/** Final responses that have no body, whatever the method (RFC 9110 section 6.4.1 and 15.3.6). */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}
