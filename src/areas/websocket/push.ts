/** Pushes messages and pings (RFC 6455 section 5.5.2) at intervals. */

import { Type } from 'typebox';
import { turns } from '#base/work-in-turns.js';
import { guard } from '#kit/connection.js';
import { seconds } from '#kit/describe/seconds.js';
import { endpoint } from '#kit/endpoint.js';
import { maxMessageBytes, type ServerSocket } from '#kit/websocket/web-sockets.js';
import { pauseWhileOpen, type SocketEndpoint, socketSpec } from './socket.js';

const count = Type.Integer({
  minimum: 1,
  maximum: 10_000,
  default: 10,
  description: 'Number of messages.',
});

export const push: SocketEndpoint = (path, { webSockets }) =>
  endpoint('GET', path, {
    ...socketSpec,
    summary: 'Push messages at intervals, then close with 1000',
    description:
      'A message is {"n":1,"of":10}; with size it has this many bytes, which begin with n. Messages of the client are ignored.',
    query: {
      ...socketSpec.query,
      interval: seconds('Seconds between two messages.', 1, 60),
      count,
      size: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: maxMessageBytes,
          description: 'Bytes of each message.',
        }),
      ),
      binary: Type.Boolean({ default: false, description: 'Whether messages are binary.' }),
    },
    handle(request, reply) {
      const { interval, count, size, binary } = request.query;
      return webSockets.accept(request, reply, async (socket) => {
        for (let n = 1; n <= count; n++) {
          if (n > 1 && !(await pauseWhileOpen(socket, interval * 1000))) return;
          await turns.whenFree();
          if (socket.readyState !== socket.OPEN) return;
          socket.send(messageOf(n, count, size), { binary });
          await socket.room();
        }
        if (socket.readyState === socket.OPEN) socket.close(1000, `All ${count} were sent.`);
      });
    },
  });

function messageOf(n: number, count: number, size: number | undefined): Buffer {
  if (size === undefined) return Buffer.from(JSON.stringify({ n, of: count }));
  const message = Buffer.alloc(size, '.');
  message.write(`${n} `, 'latin1');
  return message;
}

export const pings: SocketEndpoint = (path, { webSockets }) =>
  endpoint('GET', path, {
    ...socketSpec,
    summary: 'Send pings, and report the pongs',
    description:
      'The data of a ping is its number. Each pong is reported as {"pong":"1","asked":true,"afterMs":0.4}; asked is false without a matching ping. Afterwards the socket closes with 1000.',
    query: {
      ...socketSpec.query,
      interval: seconds('Seconds between two pings.', 1, 60, 0.01),
      count,
    },
    handle(request, reply) {
      const { interval, count } = request.query;
      return webSockets.accept(request, reply, (socket) => ping(socket, interval * 1000, count));
    },
  });

/** Older pings count as unknown. */
const maxRemembered = 100;

async function ping(socket: ServerSocket, intervalMs: number, count: number): Promise<void> {
  const sentAtMs = new Map<string, number>();
  const report = (payload: Buffer) => {
    const pong = payload.toString('utf8');
    const sentAt = sentAtMs.get(pong);
    sentAtMs.delete(pong);
    // A client that does not read the reports gets none, so that a flood of pongs costs nothing.
    if (!socket.hasRoom) return;
    const afterMs = sentAt === undefined ? null : round(performance.now() - sentAt);
    socket.send(JSON.stringify({ pong, asked: sentAt !== undefined, afterMs }));
  };
  socket.on('pong', guard(socket, report));
  for (let n = 1; n <= count; n++) {
    sentAtMs.set(String(n), performance.now());
    if (sentAtMs.size > maxRemembered) sentAtMs.delete(sentAtMs.keys().next().value ?? '');
    socket.ping(String(n));
    await socket.room();
    if (!(await pauseWhileOpen(socket, intervalMs))) return;
  }
  socket.close(1000, `All ${count} pings were sent.`);
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
