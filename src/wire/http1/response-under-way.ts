/** Which response has its turn on a connection. */

import type { ServerResponse } from 'node:http';

/** The response that owns a socket now; Node keeps it there and offers no other way to ask. */
export function responseUnderWay(socket: object): ServerResponse | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}

/** Calls `answer` once all that was asked before on the connection has been answered, if it comes to that. */
export function inTurn(response: ServerResponse, answer: () => void): void {
  if (response.socket !== null) {
    answer();
    return;
  }
  const { socket } = response.req;
  responseUnderWay(socket)?.once('finish', () => {
    if (!socket.writableEnded) inTurn(response, answer);
  });
}
