/** Messages that come back at a trickle, so that a frame arrives in many reads. */

import { Type } from 'typebox';
import type { Services } from '../../kit/area.js';
import type { ServerSocket } from '../../kit/websocket/web-sockets.js';
import { type SocketHandler, socketSchema } from './endpoint.js';
import { pauseWhileOpen } from './pause-while-open.js';
import { serverFrame } from './server-frame.js';

interface SlowQuery {
  readonly bytesPerSecond: number;
}

export const slowSchema = socketSchema(
  'Echo messages at a trickle',
  'The bytes of each frame come so many a second, its header included.',
  {
    bytesPerSecond: Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      default: 100,
      description: 'How many bytes a second.',
    }),
  },
);

/** No two pieces come closer together. */
const tickMs = 20;

export function slowHandler({ webSockets }: Services): SocketHandler<SlowQuery> {
  return (request, reply) =>
    webSockets.accept(request, reply, (socket) => {
      const { bytesPerSecond } = request.query;
      socket.eachMessage(({ data, isBinary }) =>
        trickle(socket, serverFrame(isBinary ? 2 : 1, data), bytesPerSecond / 1000),
      );
    });
}

async function trickle(socket: ServerSocket, bytes: Buffer, perMs: number): Promise<void> {
  const startedAtMs = performance.now();
  let sent = 0;
  while (sent < bytes.length && socket.readyState === socket.OPEN) {
    const due = Math.floor((performance.now() - startedAtMs) * perMs) + 1;
    if (due > sent) {
      socket.sendRaw(bytes.subarray(sent, due));
      sent = Math.min(due, bytes.length);
      await socket.room();
    } else
      await pauseWhileOpen(
        socket,
        Math.max(tickMs, (sent + 1) / perMs - (performance.now() - startedAtMs)),
      );
  }
}
