/** What caches may do with answers: RFC 9111. Nothing, unless the area says otherwise. */

import type { Reply } from '../exchange.js';

/**
 * How caches may keep the answers of an area, where its routes say nothing of their own: to ask again each
 * time, and in `sandbox` for one sandbox and account alone.
 */
export type Caching = 'revalidate' | 'sandbox';

export function forbidKeeping(reply: Reply): void {
  reply.header('cache-control', 'no-store');
}

/** Adds headers of requests that the answer depends on to those that are named already. */
export function addVary(reply: Reply, names: string): void {
  const before = reply.getHeader('vary');
  reply.header('vary', before === undefined ? names : `${String(before)}, ${names}`);
}
