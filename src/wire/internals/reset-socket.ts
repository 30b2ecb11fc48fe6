/**
 * Resets a TCP connection after pending writes.
 *
 * Reason: `resetAndDestroy` first ends the connection normally (RFC 9293 section 3.10.4), so that
 * clients see an end and not a reset. Without `resetAndClosing`, the connection ends normally.
 */

import type { Socket } from 'node:net';

/** TLS has no reset, so an encrypted connection is destroyed. */
export function resetSocket(socket: Socket): void {
  (socket as Socket & { resetAndClosing?: boolean }).resetAndClosing = !('encrypted' in socket);
  socket.destroy();
}
