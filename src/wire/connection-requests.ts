/** How many requests came on a connection: what a client makes of keep-alive. */

import type { Socket } from 'node:net';

const counts = new WeakMap<Socket, number>();

export function countRequest(socket: Socket): void {
  counts.set(socket, (counts.get(socket) ?? 0) + 1);
}

/** The one that is being answered among them. */
export function requestsOn(socket: Socket): number {
  return counts.get(socket) ?? 0;
}
