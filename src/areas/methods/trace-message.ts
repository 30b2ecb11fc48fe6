/** The response to TRACE: the request as it arrived (RFC 9110 section 9.3.8). */

import type { IncomingMessage } from 'node:http';
import { sentTargetOf } from '../../http/address/sandbox-address.js';

export const traceContentType = 'message/http';

/** Fields that may hold a credential stay out: a page that may not read its cookies could read them here. */
const sensitive = /auth|cookie|credential|key|passw|secret|signature|token/i;

/** The request line and the header fields, without a body, which TRACE does not have. */
export function traceMessage(message: IncomingMessage): string {
  const { method, httpVersion, rawHeaders } = message;
  const lines = [`${method} ${sentTargetOf(message)} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!sensitive.test(name)) lines.push(`${name}: ${rawHeaders[index + 1]}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}
