import type { Socket } from 'node:net';

/**
 * Whether the other end of a connection has reset it. Node's sessions of HTTP/2 never hear of it when that fails a
 * write over TLS, and wait for the write for ever; the system knows, and is asked by the name of the other end.
 */
export function isGone(socket: Socket): boolean {
  const { _handle: handle } = socket as Socket & { readonly _handle?: Handle | null };
  return (handle?.getpeername?.({}) ?? 0) < 0;
}

interface Handle {
  /** A negative number is the error of the system. */
  getpeername?(out: object): number;
}
