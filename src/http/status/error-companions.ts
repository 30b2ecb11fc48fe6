/** Headers that a failure of a status comes with. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorHeaders } from '../http-error.js';

/** How `Connection` names what goes with this message alone (RFC 9110 section 7.8); nothing has options but HTTP/1.1. */
export function upgradeOption(
  response: Pick<ServerResponse<IncomingMessage>, 'req' | 'shouldKeepAlive'>,
): string | undefined {
  if (response.req.httpVersion !== '1.1') return undefined;
  return response.shouldKeepAlive ? 'Upgrade' : 'Upgrade, close';
}

/** What HTTP says a status must come with, whatever it is about (RFC 9110 section 15.5). */
export function requiredHeaders(
  status: number,
  challenge: string,
  option: string | undefined,
): ErrorHeaders {
  switch (status) {
    case 401:
      return { 'www-authenticate': challenge };
    case 407:
      return { 'proxy-authenticate': challenge };
    case 426:
      return { upgrade: 'HTTP/2.0', ...(option !== undefined && { connection: option }) };
    default:
      return {};
  }
}

/** Of a simulated failure; `methodsHere` says which verbs the path takes. */
export function companionsOf(
  status: number,
  response: ServerResponse,
  methodsHere: () => readonly string[],
): ErrorHeaders {
  if (status === 405) return { allow: methodsHere().join(', ') };
  return requiredHeaders(status, 'Bearer realm="simulated"', upgradeOption(response));
}
