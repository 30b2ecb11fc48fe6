/** What caches may do with responses (RFC 9111): nothing, unless the area says otherwise. */

import type { Reply } from '../exchange.js';

/** Caches ask again each time; with `sandbox` they store responses for one sandbox and account. */
export type Caching = 'revalidate' | 'sandbox';

export function forbidStoring(reply: Reply): void {
  reply.header('cache-control', 'no-store');
}

/** Says how caches may store a response, also if it is a failure. */
export function allowStoring(reply: Reply, caching: Caching, isNegotiated = false): void {
  reply.header('cache-control', 'private, no-cache');
  if (caching !== 'sandbox') return;
  addVary(reply, isNegotiated ? 'X-Sandbox, X-Service-Key, Accept' : 'X-Sandbox, X-Service-Key');
}

export function addVary(reply: Reply, names: string): void {
  const before = reply.getHeader('vary');
  reply.header('vary', before === undefined ? names : `${String(before)}, ${names}`);
}
