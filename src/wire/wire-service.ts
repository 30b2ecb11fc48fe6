/** The service, as connections use it. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReportError } from './guard.js';

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

export interface Rejection {
  /** Replaces the status, where a protocol has its own. */
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/**
 * Returns the response to a message without a handler; without a request, the parser rejected it.
 */
export type Reject = (status: number, message: string, request?: IncomingMessage) => Rejection;

export interface WireService {
  /** Called for the first error of each connection. */
  readonly reportError: ReportError;
  readonly handle: RequestListener;
  readonly reject: Reject;
  /** Prepares a request before it is handled. */
  readonly enter: (request: IncomingMessage) => void;
  /** Matches the targets of requests whose bytes are kept; see `RequestBytes`. */
  readonly rawTargets: RegExp;
}
