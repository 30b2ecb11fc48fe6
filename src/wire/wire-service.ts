/** The service behind the connections, as these see it. */

import type { IncomingMessage, ServerResponse } from 'node:http';

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

export interface Rejection {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Returns the response to a message that no handler gets; without a request, the parser could not read one. */
export type Reject = (status: number, message: string, request?: IncomingMessage) => Rejection;

export interface WireService {
  readonly handle: RequestListener;
  readonly reject: Reject;
  /** Prepares a request before it is handled. */
  readonly enter: (request: IncomingMessage) => void;
  /** Matches the targets of requests whose bytes are kept; see `RequestBytes`. */
  readonly rawTargets: RegExp;
}
