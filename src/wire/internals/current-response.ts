/**
 * Returns the response that Node is sending on a connection of HTTP/1.1.
 *
 * Reason: requests are handled one after the other, and Node does not report whether a request is
 * in progress. Without `_httpMessage`, all requests of one read are handled at once, as in a server
 * without the queue; without `_paused`, the parser fails if a client sends ahead too many bytes
 * that are not read.
 */

import type { ServerResponse } from 'node:http';

interface Members {
  readonly _httpMessage?: ServerResponse | null;
  readonly _paused?: boolean;
}

export function currentResponse(socket: object): ServerResponse | undefined {
  return (socket as Members)._httpMessage ?? undefined;
}

export function isParserPaused(socket: object): boolean {
  return (socket as Members)._paused === true;
}
