/** Responds to CORS preflights (WHATWG Fetch). */

import { METHODS } from 'node:http';
import { addVary } from './caching/caching.js';
import type { Reply, Request } from './exchange.js';

/** Browsers forbid pages to use CONNECT and TRACE. */
const allowedMethods = METHODS.filter((method) => !/^(?:CONNECT|TRACE)$/.test(method)).join(', ');

/** Maximum time for which Chromium caches a preflight. */
const preflightSeconds = 7200;

export function isPreflight({ raw }: Request): boolean {
  return raw.method === 'OPTIONS' && raw.headers['access-control-request-method'] !== undefined;
}

export function respondToPreflight(request: Request, reply: Reply): void {
  reply.header('access-control-allow-methods', allowedMethods);
  reply.header('access-control-max-age', preflightSeconds);
  addVary(reply, 'Access-Control-Request-Headers');
  const asked = request.headers['access-control-request-headers'];
  if (asked) reply.header('access-control-allow-headers', asked);
  reply.code(204).send();
}
