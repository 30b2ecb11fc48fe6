/** Messages that come back: as they came, later, slowly, or cut into other fragments. */

import { Type } from 'typebox';
import type { Services } from '../../kit/area.js';
import { maxMessageBytes, type ServerSocket } from '../../kit/websocket/web-sockets.js';
import { type SocketHandler, seconds, socketSchema } from './endpoint.js';
import { pauseWhileOpen } from './pause-while-open.js';
import { sendFragments } from './send-fragments.js';

interface EchoQuery {
  readonly delay: number;
  readonly max: number;
}

export const echoSchema = socketSchema(
  'Echo messages',
  'Text and binary, a fragmented message in the same fragments.',
  {
    delay: seconds('Seconds that each message waits.', 0, 60),
    max: Type.Integer({
      minimum: 1,
      maximum: maxMessageBytes,
      default: maxMessageBytes,
      description: 'Bytes a message may have. Above it the socket is closed with 1009.',
    }),
  },
);

export function echoHandler({ webSockets }: Services): SocketHandler<EchoQuery> {
  return (request, reply) => {
    const { delay, max } = request.query;
    return webSockets.accept(request, reply, (socket) => echo(socket, delay * 1000), {
      maxMessageBytes: max,
    });
  };
}

function echo(socket: ServerSocket, delayMs: number): void {
  socket.eachMessage(({ data, isBinary, fragments }) => {
    if (delayMs === 0) return sendFragments(socket, data, isBinary, fragments);
    return pauseWhileOpen(socket, delayMs).then((isOpen) =>
      isOpen ? sendFragments(socket, data, isBinary, fragments) : undefined,
    );
  });
}
