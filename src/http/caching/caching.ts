/** What caches may do with answers: RFC 9111. Nothing, unless the area says otherwise. */

import type { FastifyInstance } from 'fastify';
import type { Area } from '../../kit/area.js';
import type { Reply } from '../exchange.js';

/**
 * How caches may keep the answers of an area, where its routes say nothing of their own: to ask again each
 * time, and in `sandbox` for one sandbox and account alone.
 */
export type Caching = 'revalidate' | 'sandbox';

export function forbidKeeping(reply: Reply): void {
  reply.header('cache-control', 'no-store');
}

/** Before any hook that could end a request with a failure, so that failures are kept no longer. */
export function allowKeeping(
  app: FastifyInstance,
  { caching, isNegotiated }: Pick<Area, 'caching' | 'isNegotiated'>,
): void {
  if (caching === undefined) return;
  const ofSandbox = isNegotiated ? 'X-Sandbox, X-Service-Key, Accept' : 'X-Sandbox, X-Service-Key';
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'private, no-cache');
    if (caching === 'sandbox') addVary(reply, ofSandbox);
    done();
  });
}

/** Adds headers of requests that the answer depends on to those that are named already. */
export function addVary(reply: Reply, names: string): void {
  const before = reply.getHeader('vary');
  reply.header('vary', before === undefined ? names : `${String(before)}, ${names}`);
}
