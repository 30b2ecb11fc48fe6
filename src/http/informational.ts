/** Answers before the answer: 100, 102 and 103, RFC 9110 section 15.2 and RFC 8297. */

import type { FastifyReply, FastifyRequest } from 'fastify';

export const informationalStatuses = [100, 102, 103] as const;
export type InformationalStatus = (typeof informationalStatuses)[number];

/** Sends one at once, before the head of the answer. Clients of HTTP/1.0 must not get any. */
export function sendInformational(
  { raw }: FastifyRequest,
  { raw: response }: FastifyReply,
  status: InformationalStatus,
  links: readonly string[] = [],
): void {
  if (raw.httpVersion === '1.0' || response.destroyed) return;
  if (status === 100) response.writeContinue();
  else if (status === 102) response.writeProcessing();
  else response.writeEarlyHints({ link: [...links] });
}
