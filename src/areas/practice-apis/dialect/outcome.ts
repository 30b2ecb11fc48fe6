/** Responses of the original APIs. */

import { STATUS_CODES } from 'node:http';
import type { HeaderValue } from '#http/exchange.js';

/** A text is sent as HTML unless `headers` has another type, as Express does; other values as JSON. */
export class Outcome extends Error {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, HeaderValue>>;

  constructor(status: number, body?: unknown, headers: Readonly<Record<string, HeaderValue>> = {}) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super();
    Error.stackTraceLimit = stackTraceLimit;
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

export const plainText = { 'content-type': 'text/plain; charset=utf-8' };

/** Returns a response with the reason phrase of its status as its text. */
export function bareStatus(status: number): Outcome {
  return new Outcome(status, STATUS_CODES[status], plainText);
}
