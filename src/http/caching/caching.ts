/** Sets Cache-Control (RFC 9111): no-store, unless the area chooses otherwise. */

import type { Reply } from '../exchange.js';

/**
 * `revalidate` makes caches ask again each time; `sandbox` lets them store responses per sandbox
 * and account; `negotiated` also per Accept.
 */
export type Caching = 'revalidate' | 'sandbox' | 'negotiated';

export function forbidStoring(reply: Reply): void {
  reply.header('cache-control', 'no-store');
}

/** Adds request headers to Vary. */
export function addVary(reply: Reply, names: string): void {
  const before = reply.getHeader('vary');
  reply.header('vary', before === undefined ? names : `${String(before)}, ${names}`);
}
