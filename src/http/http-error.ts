/** Errors of REST areas: `{status, error, message}` and what some errors add. */

import { STATUS_CODES } from 'node:http';

export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

export interface ErrorBody {
  readonly status: number;
  /** The reason phrase of the status, or a protocol's own error code. */
  readonly error: string;
  /** What was wrong, and what would be right. */
  readonly message: string;
  readonly [member: string]: unknown;
}

export const jsonContentType = 'application/json; charset=utf-8';

/** A failure in the words of an area's own protocol. */
export interface ShapedFailure {
  readonly contentType: string;
  readonly body: string;
  readonly headers?: ErrorHeaders;
}

/** A list sends its header once per value. */
export type ErrorHeaders = Readonly<Record<string, string | string[]>>;

export interface HttpErrorOptions {
  readonly headers?: ErrorHeaders;
  /** Members of the body beyond status, error and message, or in place of them. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** It has no stack trace, which would be a sixth of what it costs: it is a response, and not logged. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly headers: ErrorHeaders;
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(status: number, message: string, options: HttpErrorOptions = {}) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.status = status;
    this.headers = options.headers ?? {};
    this.extra = options.body ?? {};
  }
}

/** 400 for one field or parameter. */
export function fieldError(field: string, message: string): HttpError {
  return new HttpError(400, message, { body: { errors: [{ field, message }] } });
}

/** The message of failures that no client could have caused, in every protocol. */
export const unexpectedFailure =
  'Something failed on our side. The response has an X-Request-Id to report it by.';

export function errorBody(
  status: number,
  message: string,
  extra: Readonly<Record<string, unknown>> = {},
): ErrorBody {
  return { status, error: STATUS_CODES[status] ?? 'Error', message, ...extra };
}

/** Throws 400 that names every fault, unless there is none. */
export function rejectFaults(errors: readonly FieldFault[]): void {
  if (errors.length === 0) return;
  throw new HttpError(400, errors.map(({ message }) => message).join(' '), { body: { errors } });
}

export function rejectField(field: string, message: string): never {
  throw new HttpError(400, message, { body: { errors: [{ field, message }] } });
}
