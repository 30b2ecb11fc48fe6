/** What caches may do with responses (RFC 9111): nothing, unless the area says otherwise. */

import type { Reply } from '../exchange.js';

/** Caches ask again each time; with `sandbox` they store responses for one sandbox and account. */
export type Caching = 'revalidate' | 'sandbox';

export function forbidStoring(reply: Reply): void {
  reply.header('cache-control', 'no-store');
}

/** Adds headers of requests that the answer depends on to those that are named already. */
export function addVary(reply: Reply, names: string): void {
  const before = reply.getHeader('vary');
  reply.header('vary', before === undefined ? names : `${String(before)}, ${names}`);
}
