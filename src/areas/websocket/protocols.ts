/** Subprotocols: RFC 6455 section 1.9. */

import { HttpError } from '#http/http-error.js';
import { endpoint } from '#kit/endpoint.js';
import type { Message, ServerSocket } from '#kit/websocket/web-sockets.js';
import { type SocketEndpoint, sendBack, socketSpec } from './socket.js';

const known = ['chat.v1', 'chat.v2', 'json'];

export const protocols: SocketEndpoint = (path, { webSockets }) =>
  endpoint('GET', path, {
    ...socketSpec,
    summary: 'Negotiate a subprotocol',
    description: `The protocols are ${known.join(', ')}. Messages are echoed, in json as {"protocol":"json","message":…}; there, malformed JSON closes the socket with 1007.`,
    handle(request, reply) {
      const { protocols } = webSockets.readHandshake(request, reply);
      const protocol = protocols.find((each) => known.includes(each));
      if (protocol === undefined) {
        const got = protocols.length === 0 ? 'none' : protocols.join(', ');
        const message = `Sec-WebSocket-Protocol must offer one of ${known.join(', ')}; got ${got}.`;
        throw new HttpError(400, message);
      }
      return webSockets.accept(
        request,
        reply,
        (socket) =>
          socket.eachMessage((message) =>
            (protocol === 'json' ? sendJson : sendBack)(socket, message),
          ),
        { protocol },
      );
    },
  });

function sendJson(socket: ServerSocket, { data }: Message): Promise<void> | undefined {
  const text = data.toString('utf8');
  try {
    JSON.parse(text);
  } catch {
    socket.close(1007, 'In the subprotocol json every message must be JSON.');
    return undefined;
  }
  // Unchanged, because writing a deep value could exhaust the call stack.
  socket.send(`{"protocol":"json","message":${text}}`);
  return socket.hasRoom ? undefined : socket.room();
}
