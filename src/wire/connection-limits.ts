import { paceWindowMs } from './budgets/pace.js';
import type { ConnectionRules } from './connections.js';

/** Bounds on time, in milliseconds, against clients that are slow or silent, and on connections. */
export interface ConnectionLimits extends ConnectionRules {
  /** For all headers to arrive. */
  readonly headersMs: number;
  /** For the whole request to arrive. */
  readonly requestMs: number;
  /** Between two requests of one connection. */
  readonly keepAliveMs: number;
  /** Without a byte in either direction, as with a client that does not read its answer. */
  readonly idleSocketMs: number;
  /** How often the first two are checked. */
  readonly checkIntervalMs: number;
  /** Over which a client must take 1 KiB a second of its answer. */
  readonly paceMs: number;
  /** What all clients together may leave untaken of their answers, in bytes. */
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

/** Of the request line and headers together, on HTTP/1.1. */
export const maxHeaderBytes = 16 * 1024;
