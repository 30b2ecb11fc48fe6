/** JSON-RPC 2.0 over a socket: a message is a request, a notification or a batch. */

import { respondByRpc } from '#http/json/json-rpc.js';
import { endpoint } from '#kit/endpoint.js';
import { type SocketEndpoint, socketSpec } from './socket.js';

export const rpc: SocketEndpoint = (path, { webSockets }) =>
  endpoint('GET', path, {
    ...socketSpec,
    summary: 'Use JSON-RPC 2.0',
    description:
      'The methods are subtract, sum, echo, fail and notify, which first sends a notification with the same params. POST /api/jsonrpc has the same methods.',
    handle: (request, reply) =>
      webSockets.accept(request, reply, (socket) =>
        socket.eachMessage(({ data, isBinary }) => {
          if (isBinary) {
            socket.close(1003, 'JSON-RPC must be sent as text.');
            return undefined;
          }
          const response = respondByRpc(data, (text) => socket.send(text));
          if (response !== undefined) socket.send(response);
          return socket.hasRoom ? undefined : socket.room();
        }),
      ),
  });
