/** Errors of REST areas: `{status, error, message}` and further members. */

import { STATUS_CODES } from 'node:http';
import { redact } from '#base/text/redact.js';

export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

export interface ErrorBody {
  readonly status: number;
  /** Reason phrase of the status, or the error code of a protocol. */
  readonly error: string;
  /** The fault, and its correction. */
  readonly message: string;
  readonly [member: string]: unknown;
}

export const jsonContentType = 'application/json; charset=utf-8';

/** A failure in an area's own protocol. */
export interface ShapedFailure {
  /** Replaces the status, where a protocol has its own. */
  readonly status?: number;
  readonly contentType: string;
  readonly body: string | Buffer;
  readonly headers?: ErrorHeaders;
}

/** Lists send one header per value. */
export type ErrorHeaders = Readonly<Record<string, string | string[]>>;

export interface HttpErrorOptions {
  readonly headers?: ErrorHeaders;
  /** Members of the body in addition to status, error and message, or instead of them. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Similar paths from the root, which the page for browsers links to. */
  readonly suggestions?: readonly string[];
}

/**
 * An error that becomes a response. Its message has no keys, because people pass messages on. It has no stack trace, which would cost a sixth of its time.
 */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly headers: ErrorHeaders;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly suggestions: readonly string[];

  constructor(status: number, message: string, options: HttpErrorOptions = {}) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(redact(message));
    Error.stackTraceLimit = stackTraceLimit;
    this.status = status;
    this.headers = options.headers ?? {};
    this.extra = options.body ?? {};
    this.suggestions = options.suggestions ?? [];
  }
}

/** Makes a 400 about one field or parameter. */
export function fieldError(field: string, message: string): HttpError {
  return new HttpError(400, message, { body: { errors: [{ field, message }] } });
}

/** Message of internal errors, in every protocol. */
export const unexpectedFailure =
  'Something failed on our side. Report it with the X-Request-Id of this response.';

export function errorBody(
  status: number,
  message: string,
  extra: Readonly<Record<string, unknown>> = {},
): ErrorBody {
  const { errors } = extra;
  return {
    status,
    error: STATUS_CODES[status] ?? 'Error',
    message: redact(message),
    ...extra,
    ...(Array.isArray(errors) && { errors: errors.map(redactFault) }),
  };
}

/** Faults name fields and quote values of the caller. */
function redactFault(fault: FieldFault): FieldFault {
  const { field, message } = fault;
  return { ...fault, field: redact(field), message: redact(message) };
}

/** Throws 400 that names every fault, unless there is none. */
export function rejectFaults(errors: readonly FieldFault[]): void {
  if (errors.length === 0) return;
  throw new HttpError(400, errors.map(({ message }) => message).join(' '), { body: { errors } });
}

export function rejectField(field: string, message: string): never {
  throw new HttpError(400, message, { body: { errors: [{ field, message }] } });
}
