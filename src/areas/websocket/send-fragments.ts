/** Messages in fragments (RFC 6455 section 5.4), sent as the client takes them. */

import { turns } from '../../base/work-in-turns.js';
import type { ServerSocket } from '../../kit/websocket/web-sockets.js';

/** Fragments that are sent in one turn. */
const fragmentsPerTurn = 256;

/** Sends a message cut into these sizes, which together are its length; synchronously while the client has room. */
export function sendFragments(
  socket: ServerSocket,
  data: Buffer,
  isBinary: boolean,
  sizes: readonly number[],
): Promise<void> | undefined {
  if (sizes.length > 1) return sendEach(socket, data, isBinary, sizes);
  socket.send(data, { binary: isBinary });
  return socket.hasRoom ? undefined : socket.room();
}

async function sendEach(
  socket: ServerSocket,
  data: Buffer,
  isBinary: boolean,
  sizes: readonly number[],
): Promise<void> {
  let place = 0;
  let sent = 0;
  for (const size of sizes) {
    if (socket.readyState !== socket.OPEN) return;
    const fragment = data.subarray(place, place + size);
    place += size;
    sent++;
    socket.send(fragment, { binary: isBinary, fin: sent === sizes.length });
    if (!socket.hasRoom) await socket.room();
    else if (sent % fragmentsPerTurn === 0) await turns.next();
  }
}
