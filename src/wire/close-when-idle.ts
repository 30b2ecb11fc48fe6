/** Closes a persistent connection some time after a response, unless another request follows it. */

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { guard } from './guard.js';
import { requestsOn } from './receive-request.js';
import type { WireRequest } from './request.js';

/** One for each connection, which has one last response. */
const timers = new WeakMap<Socket, NodeJS.Timeout>();

export function closeWhenIdle(response: ServerResponse, afterMs: number): void {
  const request = response.req as WireRequest;
  const { socket } = request;
  const count = requestsOn(socket);
  const end = () => {
    if (requestsOn(socket) === count) request.endIdleConnection();
  };
  const begin = () => {
    clearTimeout(timers.get(socket));
    timers.set(socket, setTimeout(guard(request, end), afterMs).unref());
  };
  response.once('finish', guard(request, begin));
}
