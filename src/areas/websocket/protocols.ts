/** Subprotocols: RFC 6455 section 1.9. */

import { HttpError } from '../../http/http-error.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import type { Services } from '../../kit/area.js';
import type { Message, ServerSocket } from '../../kit/websocket/web-sockets.js';
import { type SocketHandler, socketSchema } from './endpoint.js';

const known = ['chat.v1', 'chat.v2', 'json'];

export const protocolsSchema = socketSchema(
  'Negotiate a subprotocol',
  `It knows ${known.join(', ')}. Messages come back, in json as {"protocol":"json","message":…}; there, what is no JSON closes the socket with 1007.`,
  {},
  { 400: errorSchema },
);

export function protocolsHandler({ webSockets }: Services): SocketHandler {
  return async (request, reply) => {
    const { protocols } = webSockets.readHandshake(request, reply);
    const protocol = protocols.find((each) => known.includes(each));
    if (protocol === undefined) {
      const got = protocols.length === 0 ? 'none' : protocols.join(', ');
      throw new HttpError(
        400,
        `Sec-WebSocket-Protocol must offer one of ${known.join(', ')}; got ${got}.`,
      );
    }
    return webSockets.accept(
      request,
      reply,
      (socket) => {
        socket.eachMessage((message) => {
          if (protocol === 'json') responseJson(socket, message);
          else socket.send(message.data, { binary: message.isBinary });
          return socket.hasRoom ? undefined : socket.room();
        });
      },
      { protocol },
    );
  };
}

function responseJson(socket: ServerSocket, { data }: Message): void {
  const text = data.toString('utf8');
  try {
    JSON.parse(text);
  } catch {
    socket.close(1007, 'In the subprotocol json every message must be JSON.');
    return;
  }
  // As it came: writing a deep value again could exhaust the call stack.
  socket.send(`{"protocol":"json","message":${text}}`);
}
