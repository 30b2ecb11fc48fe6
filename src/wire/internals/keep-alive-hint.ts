/**
 * The header Keep-Alive of a response.
 *
 * Reason: Node adds its own timeout to every persistent response, and has no way to omit it. If Node renames this
 * member, a response without a hint has Node's, and the test beside fails.
 */

import type { ServerResponse } from 'node:http';

interface Members {
  _keepAliveTimeout: number;
}

/** Sends these seconds, or no hint. HTTP/2 has no such header. */
export function setKeepAliveHint(response: ServerResponse, seconds: number | undefined): void {
  (response as unknown as Members)._keepAliveTimeout = 1000 * (seconds ?? 0);
}
