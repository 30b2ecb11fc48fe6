/** Preflights: what a page may send (WHATWG Fetch, "CORS protocol"). */

import { METHODS } from 'node:http';
import { addVary } from './caching/caching.js';
import type { Reply, Request } from './exchange.js';

/** Browsers forbid these methods to pages, so naming them would promise too much. */
const forbiddenMethods = new Set(['CONNECT', 'TRACE']);
const allowedMethods = METHODS.filter((method) => !forbiddenMethods.has(method)).join(', ');

/** How long a browser may remember a preflight; Chromium remembers no longer than this. */
const preflightSeconds = 7200;

/** Returns whether the request asks what a page may send, rather than sending it. */
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
