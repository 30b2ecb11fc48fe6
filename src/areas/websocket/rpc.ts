/** JSON-RPC 2.0 over a socket: a message is a request, a notification or a batch. */

import { respondByRpc } from '../../http/json/json-rpc.js';
import type { Services } from '../../kit/area.js';
import { type SocketHandler, socketSchema } from './endpoint.js';

export const rpcSchema = socketSchema(
  'Speak JSON-RPC 2.0',
  'The methods are subtract, sum, echo, fail and notify, which sends a notification with the same params first. The same is at POST /api/jsonrpc.',
);

export function rpcHandler({ webSockets }: Services): SocketHandler {
  return (request, reply) =>
    webSockets.accept(request, reply, (socket) => {
      socket.eachMessage(({ data, isBinary }) => {
        if (isBinary) {
          socket.close(1003, 'JSON-RPC is sent as text.');
          return undefined;
        }
        const notify = (text: string) => socket.send(text);
        const response = respondByRpc(data.toString('utf8'), notify);
        if (response !== undefined) socket.send(response);
        return socket.hasRoom ? undefined : socket.room();
      });
    });
}
