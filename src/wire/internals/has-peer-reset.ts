/**
 * Detects whether the client has reset a connection, by requesting the client's address from the
 * system.
 *
 * Reason: a connection that is not read does not notice a reset, and an HTTP/2 session over TLS
 * waits forever for a write that failed because of it. Without `getpeername` of the handle, the
 * result is false, and such connections end by their timeouts.
 */

interface Handle {
  /** Returns the system's error as a negative number. */
  getpeername?(out: object): number;
}

export function hasPeerReset(stream: object): boolean {
  const { _handle: handle } = stream as { readonly _handle?: Handle | null };
  return (handle?.getpeername?.({}) ?? 0) < 0;
}
