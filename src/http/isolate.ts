/** Bytes of our origin that a caller chose: nothing in them may run, or change how a browser treats this service. */

import type { FastifyReply } from 'fastify';

/**
 * `sandbox` makes a document of no origin that runs no script (CSP Level 3, section 6.3.2), and with `nosniff`
 * the body is nothing but its Content-Type.
 */
export const isolatingHeaders = [
  ['content-security-policy', "sandbox; default-src 'none'; frame-ancestors 'none'"],
  ['x-content-type-options', 'nosniff'],
] as const;

export function isolate(reply: FastifyReply): void {
  for (const [name, value] of isolatingHeaders) reply.header(name, value);
}
