import type { ServerResponse } from 'node:http';
import { currentResponse } from '../internals/current-response.js';

/** Calls `respond` once all earlier requests of the connection have their responses, if that happens. */
export function inTurn(response: ServerResponse, respond: () => void): void {
  if (response.socket !== null) {
    respond();
    return;
  }
  const { socket } = response.req;
  currentResponse(socket)?.once('finish', () => {
    if (!socket.writableEnded) inTurn(response, respond);
  });
}
