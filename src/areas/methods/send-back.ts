/** The response to TRACE (RFC 9110 section 9.3.8). */

import { sentTargetOf } from '#http/address/sandbox-address.js';
import type { Reply, Request } from '#http/exchange.js';

/** Headers that may hold a credential. A page that cannot read its cookies could read them in the response. */
const sensitive = /auth|cookie|credential|key|passw|secret|signature|token/i;

/** Sends the request line and the headers as they arrived, without those that may hold credentials. */
export function sendBack({ raw }: Request, reply: Reply): Reply {
  const { rawHeaders, httpVersion } = raw;
  const lines = [`TRACE ${sentTargetOf(raw)} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!sensitive.test(name)) lines.push(`${name}: ${rawHeaders[index + 1]}`);
  }
  return reply.type('message/http').send(`${lines.join('\r\n')}\r\n\r\n`);
}
