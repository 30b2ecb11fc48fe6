/** Waits of a WebSocket's handler, which end with the socket. */

import type { ServerSocket } from '../../kit/websocket/web-sockets.js';

/** Waits so long, or until the socket is no longer open; says whether it still is. */
export function pauseWhileOpen(socket: ServerSocket, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const over = (): void => {
      clearTimeout(timer);
      socket.off('closing', over).off('close', over);
      resolve(socket.readyState === socket.OPEN);
    };
    const timer = setTimeout(over, ms);
    socket.once('closing', over).once('close', over);
    if (socket.readyState !== socket.OPEN) over();
  });
}
