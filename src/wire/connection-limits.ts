import { paceWindowMs } from './budgets/pace.js';
import type { ConnectionRules } from './connections.js';

/** Limits of connections. Times are in milliseconds, against clients that are slow or silent. */
export interface ConnectionLimits extends ConnectionRules {
  /** Until all headers have arrived. */
  readonly headersMs: number;
  /** Until the whole request has arrived. */
  readonly requestMs: number;
  /** Between two requests of one connection. */
  readonly keepAliveMs: number;
  /** Without a byte in either direction, as with a client that does not read its response. */
  readonly idleSocketMs: number;
  /** Between two checks of the first two. */
  readonly checkIntervalMs: number;
  /** The window in which a client must read 1 KiB a second. */
  readonly paceMs: number;
  /** The bytes of responses that all clients together may leave unread. */
  readonly maxUnsentBytes: number;
}

export const defaultLimits: ConnectionLimits = {
  headersMs: 20_000,
  requestMs: 120_000,
  keepAliveMs: 65_000,
  idleSocketMs: 120_000,
  checkIntervalMs: 2_000,
  maxConnections: 10_000,
  paceMs: paceWindowMs,
  maxUnsentBytes: 256 * 1024 * 1024,
};

/** The largest request line with headers, on HTTP/1.1. */
export const maxHeaderBytes = 16 * 1024;
