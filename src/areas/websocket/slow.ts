/** Echoes messages slowly, so that a frame arrives in many reads. */

import { Type } from 'typebox';
import { endpoint } from '#kit/endpoint.js';
import type { ServerSocket } from '#kit/websocket/web-sockets.js';
import { serverFrame } from './server-frame.js';
import { pauseWhileOpen, type SocketEndpoint, socketSpec } from './socket.js';

export const slow: SocketEndpoint = (path, { webSockets }) =>
  endpoint('GET', path, {
    ...socketSpec,
    summary: 'Echo messages slowly',
    description: 'The bytes of each frame, including its header, are sent at this rate.',
    query: {
      ...socketSpec.query,
      bytesPerSecond: Type.Integer({
        minimum: 1,
        maximum: 10_000_000,
        default: 100,
        description: 'Bytes per second.',
      }),
    },
    handle(request, reply) {
      const bytesPerMs = request.query.bytesPerSecond / 1000;
      return webSockets.accept(request, reply, (socket) =>
        socket.eachMessage(({ data, isBinary }) =>
          trickle(socket, serverFrame(isBinary ? 2 : 1, data), bytesPerMs),
        ),
      );
    },
  });

/** Minimum time between two chunks. */
const tickMs = 20;

async function trickle(socket: ServerSocket, bytes: Buffer, perMs: number): Promise<void> {
  const startedAtMs = performance.now();
  let sent = 0;
  while (sent < bytes.length && socket.readyState === socket.OPEN) {
    const passedMs = performance.now() - startedAtMs;
    const due = Math.floor(passedMs * perMs) + 1;
    if (due > sent) {
      socket.sendRaw(bytes.subarray(sent, due));
      sent = Math.min(due, bytes.length);
      await socket.room();
    } else {
      await pauseWhileOpen(socket, Math.max(tickMs, (sent + 1) / perMs - passedMs));
    }
  }
}
