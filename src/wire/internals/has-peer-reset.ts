/**
 * Whether the client has reset a connection, by asking the system for the client's address.
 *
 * Reason: a connection that is not read does not notice a reset, and a session of HTTP/2 over TLS waits forever for a
 * write that failed by it. Without `getpeername` of the handle, the answer is no: such connections end by their
 * timeouts.
 */

interface Handle {
  /** Returns the error of the system as a negative number. */
  getpeername?(out: object): number;
}

export function hasPeerReset(stream: object): boolean {
  const { _handle: handle } = stream as { readonly _handle?: Handle | null };
  return (handle?.getpeername?.({}) ?? 0) < 0;
}
