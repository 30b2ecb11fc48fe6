/**
 * Confines errors to the connection that they belong to: an error in a listener or a timer would otherwise end the
 * process, and with it everybody's connections.
 */

import type { IncomingMessage } from 'node:http';

/**
 * A connection, or what belongs to one: a stream, a request, a WebSocket. An error calls `cut`, or else `destroy`, which
 * must release everything that is counted for it.
 */
export interface Owner {
  destroy(): unknown;
  cut?(): void;
  /** The connection; without one, the owner is the connection itself. */
  readonly socket?: unknown;
  readonly request?: IncomingMessage | undefined;
}

/** Called for the first error of a connection, with the request that it belongs to, if there is one. */
export type ReportError = (error: unknown, request?: IncomingMessage) => void;

/** Functions of connections whose first error was not reported yet. */
const reporters = new WeakMap<object, ReportError>();

/** Sets the function that reports the errors of a connection. */
export function reportErrorsOf(connection: object, report: ReportError): void {
  reporters.set(connection, report);
}

/**
 * Makes the listener of an event or timer that belongs to a connection. If `act` throws or its promise rejects, the error
 * is reported once for each connection, and the owner is ended; the other listeners of the event are still called.
 */
export function guard<This, Given extends unknown[], Result>(
  owner: Owner,
  act: (this: This, ...given: Given) => Result,
): (this: This, ...given: Given) => Result | undefined {
  return function guarded(this: This, ...given: Given) {
    try {
      const result = act.apply(this, given);
      if (result instanceof Promise) result.catch((error) => fail(owner, error));
      return result;
    } catch (error) {
      fail(owner, error);
      return undefined;
    }
  };
}

function fail(owner: Owner, error: unknown): void {
  const connection = (owner.socket ?? owner) as Owner;
  report(connection, owner, error);
  try {
    if (owner.cut === undefined) owner.destroy();
    else owner.cut();
  } catch {
    connection.destroy();
  }
}

function report(connection: Owner, owner: Owner, error: unknown): void {
  const request = isRequest(owner) ? owner : owner.request;
  const reportError = reporters.get(connection);
  reporters.delete(connection);
  try {
    reportError?.(error, request);
  } catch {
    // A log that cannot be written must not keep the connection open.
  }
}

function isRequest(owner: Owner): owner is Owner & IncomingMessage {
  return 'rawHeaders' in owner;
}
