/** By which the server proves that it knows the password, too: RFC 7616 section 3.5. */

import type { Reply } from '../exchange.js';
import { computeResponse, type DigestInput } from './compute-response.js';

/** Sets Authentication-Info where the qop is auth; `input` is what the client's response was computed from. */
export function proveToo(reply: Reply, input: DigestInput): void {
  const { qop, nc, cnonce = '' } = input;
  if (qop !== 'auth') return;
  const rspauth = computeResponse({ ...input, method: '' });
  const escaped = cnonce.replace(/["\\]/g, '\\$&');
  reply.header(
    'authentication-info',
    `rspauth="${rspauth}", qop=${qop}, nc=${nc}, cnonce="${escaped}"`,
  );
}
