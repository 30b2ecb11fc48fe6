/** Common parts of all WebSocket endpoints. */

import { Type } from 'typebox';
import { errorSchema } from '#http/schemas/error-schema.js';
import { guard } from '#kit/connection.js';
import { faultParameters } from '#kit/describe/fault-parameters.js';
import type { Endpoint } from '#kit/endpoint.js';
import type { Limits } from '#kit/services.js';
import type { Message, ServerSocket } from '#kit/websocket/web-sockets.js';

export const socketPath = '/api/ws';

/** Makes the endpoint of a path. */
export type SocketEndpoint = (path: string, limits: Limits) => Endpoint;

export const socketSpec = {
  query: faultParameters,
  responses: {
    101: Type.Null({ description: 'The connection is now a WebSocket.' }),
    426: errorSchema,
  },
  responseHeaders: {
    101: {
      Upgrade: Type.Literal('websocket'),
      'Sec-WebSocket-Accept': Type.String({ description: 'The accept key.' }),
      'Sec-WebSocket-Protocol': Type.Optional(Type.String()),
      'Sec-WebSocket-Extensions': Type.Optional(Type.String()),
    },
    426: { Upgrade: Type.Literal('websocket') },
  },
};

/** Echoes a message; returns a promise if the client must first make room for the next one. */
export function sendBack(
  socket: ServerSocket,
  { data, isBinary }: Message,
): Promise<void> | undefined {
  socket.send(data, { binary: isBinary });
  return socket.hasRoom ? undefined : socket.room();
}

/** Waits for a time, or until the socket is no longer open; returns whether it still is. */
export function pauseWhileOpen(socket: ServerSocket, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const over = guard(socket, (): void => {
      clearTimeout(timer);
      socket.off('closing', over).off('close', over);
      resolve(socket.readyState === socket.OPEN);
    });
    const timer = setTimeout(over, ms);
    socket.once('closing', over).once('close', over);
    if (socket.readyState !== socket.OPEN) over();
  });
}
