/**
 * A reset of TCP after pending writes.
 *
 * Reason: `resetAndDestroy` also ends the connection in the usual way before (RFC 9293 section 3.10.4), so that clients
 * see an end and not a reset. Without `resetAndClosing`, the connection ends in the usual way.
 */

import type { Socket } from 'node:net';

/** TLS has no reset of its own; an encrypted connection is destroyed. */
export function resetSocket(socket: Socket): void {
  (socket as Socket & { resetAndClosing?: boolean }).resetAndClosing = !('encrypted' in socket);
  socket.destroy();
}
