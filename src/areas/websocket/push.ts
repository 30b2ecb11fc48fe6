/** Messages that the server sends, one each interval. */

import { Type } from 'typebox';
import { turns } from '../../base/work-in-turns.js';
import type { Services } from '../../kit/area.js';
import { maxMessageBytes, type ServerSocket } from '../../kit/websocket/web-sockets.js';
import { type SocketHandler, seconds, socketSchema } from './endpoint.js';
import { pauseWhileOpen } from './pause-while-open.js';

interface PushQuery {
  readonly interval: number;
  readonly count: number;
  readonly size?: number;
  readonly binary: boolean;
}

export const pushSchema = socketSchema(
  'Push messages at intervals, then close with 1000',
  'A message is {"n":1,"of":10}; with size it has as many bytes, of which the first tell n. What the client sends is passed over.',
  {
    interval: seconds('Seconds between two messages.', 1, 60),
    count: Type.Integer({ minimum: 1, maximum: 10_000, default: 10, description: 'How many.' }),
    size: Type.Optional(
      Type.Integer({ minimum: 0, maximum: maxMessageBytes, description: 'Bytes of each message.' }),
    ),
    binary: Type.Boolean({ default: false, description: 'Whether they are binary.' }),
  },
);

export function pushHandler({ webSockets }: Services): SocketHandler<PushQuery> {
  return (request, reply) =>
    webSockets.accept(request, reply, (socket) => push(socket, request.query));
}

async function push(
  socket: ServerSocket,
  { interval, count, size, binary }: PushQuery,
): Promise<void> {
  for (let n = 1; n <= count; n++) {
    if (n > 1 && !(await pauseWhileOpen(socket, interval * 1000))) return;
    await turns.whenFree();
    if (socket.readyState !== socket.OPEN) return;
    socket.send(messageOf(n, count, size), { binary });
    await socket.room();
  }
  if (socket.readyState !== socket.OPEN) return;
  socket.close(1000, `All ${count} were sent.`);
}

function messageOf(n: number, count: number, size: number | undefined): Buffer {
  if (size === undefined) return Buffer.from(JSON.stringify({ n, of: count }));
  const message = Buffer.alloc(size, '.');
  message.write(`${n} `, 'latin1');
  return message;
}
