/** Pings and pongs: RFC 6455 sections 5.5.2 and 5.5.3. */

import { Type } from 'typebox';
import type { Services } from '../../kit/area.js';
import type { ServerSocket } from '../../kit/websocket/web-sockets.js';
import { type SocketHandler, seconds, socketSchema } from './endpoint.js';
import { pauseWhileOpen } from './pause-while-open.js';
import { sendFragments } from './send-fragments.js';

export const silentSchema = socketSchema(
  'Ignore pings',
  'Messages come back as they came, so that all else is well.',
);

export function silentHandler({ webSockets }: Services): SocketHandler {
  return (request, reply) =>
    webSockets.accept(
      request,
      reply,
      (socket) => {
        socket.eachMessage(({ data, isBinary, fragments }) =>
          sendFragments(socket, data, isBinary, fragments),
        );
      },
      { isSilent: true },
    );
}

interface PingsQuery {
  readonly interval: number;
  readonly count: number;
}

export const pingsSchema = socketSchema(
  'Send pings, and report the pongs',
  'The payload of a ping is its number. Each pong is reported as {"pong":"1","asked":true,"afterMs":0.4}; one that nobody asked for says so. Afterwards the socket closes with 1000.',
  {
    interval: seconds('Seconds between two pings.', 1, 60, 0.01),
    count: Type.Integer({ minimum: 1, maximum: 10_000, default: 10, description: 'How many.' }),
  },
);

export function pingsHandler({ webSockets }: Services): SocketHandler<PingsQuery> {
  return (request, reply) =>
    webSockets.accept(request, reply, (socket) => ping(socket, request.query));
}

/** Older ones count as not asked for. */
const maxRemembered = 100;

async function ping(socket: ServerSocket, { interval, count }: PingsQuery): Promise<void> {
  const sentAtMs = new Map<string, number>();
  socket.on('pong', (payload: Buffer) => {
    const pong = payload.toString('utf8');
    const sentAt = sentAtMs.get(pong);
    sentAtMs.delete(pong);
    // Whoever takes no reports gets none, so that a flood of pongs costs nothing.
    if (!socket.hasRoom) return;
    const afterMs = sentAt === undefined ? null : round(performance.now() - sentAt);
    socket.send(JSON.stringify({ pong, asked: sentAt !== undefined, afterMs }));
  });
  for (let n = 1; n <= count; n++) {
    sentAtMs.set(String(n), performance.now());
    if (sentAtMs.size > maxRemembered) sentAtMs.delete(sentAtMs.keys().next().value ?? '');
    socket.ping(String(n));
    await socket.room();
    if (!(await pauseWhileOpen(socket, interval * 1000))) return;
  }
  socket.close(1000, `All ${count} pings were sent.`);
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
