/** Stops reading a connection, so that an HTTP/2 session acknowledges no PING. */

import type { Socket } from 'node:net';

interface WithHandle {
  readonly _handle?: { readStop?(): void; _parentWrap?: WithHandle | null } | null;
}

/**
 * Reason: the library acknowledges each PING that is read, and the session reads from the handle, so that pausing the
 * socket has no effect. Without the private member, the connection is read as before.
 */
export function stopReading(socket: Socket): void {
  (socket as unknown as WithHandle)._handle?.readStop?.();
}
