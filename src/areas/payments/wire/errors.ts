/** Errors in the form of Stripe. */

import type { ShapedFailure } from '#http/http-error.js';
import { HttpError } from '#http/http-error.js';
import type { Failure } from '#kit/area.js';
import { hideNumbers } from './hide-numbers.js';

export interface ErrorDetails {
  readonly code?: string | undefined;
  readonly param?: string | undefined;
  readonly type?: ErrorType;
  readonly status?: number;
  readonly decline_code?: string | undefined;
  readonly [member: string]: unknown;
}

type ErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';

/** An error that is thrown undoes all writes of its request. An error that is returned keeps them. */
export class ApiError {
  readonly status: number;
  readonly error: Readonly<Record<string, unknown>>;

  constructor(message: string, details: ErrorDetails = {}) {
    const { status, type = 'invalid_request_error', ...more } = details;
    this.status = status ?? (type === 'card_error' ? 402 : 400);
    const known = Object.entries(more).filter(([, value]) => value !== undefined);
    this.error = { message, type, ...Object.fromEntries(known) };
  }

  withMembers(members: Readonly<Record<string, unknown>>): ApiError {
    const { message, ...error } = this.error;
    return new ApiError(String(message), { ...error, ...members, status: this.status });
  }

  toHttpError(headers: Readonly<Record<string, string>> = {}): HttpError {
    return new HttpError(this.status, String(this.error.message), {
      headers,
      body: { error: this.error },
    });
  }
}

export function invalidRequest(message: string, details: ErrorDetails = {}): HttpError {
  return new ApiError(message, details).toHttpError();
}

export function noSuch(what: string, id: string, param: string): HttpError {
  const status = param === 'id' ? 404 : 400;
  return invalidRequest(`No such ${what}: '${hideNumbers(id.slice(0, 100))}'`, {
    ...{ code: 'resource_missing', param, status },
  });
}

export function unauthorized(message: string): HttpError {
  return new ApiError(message, { status: 401 }).toHttpError({
    'www-authenticate': 'Basic realm="Practice API"',
  });
}

/** Also of paths and methods that Stripe has and this service does not. */
export function unrecognized(method: string, path: string): ApiError {
  return new ApiError(
    `Unrecognized request URL (${method}: ${path}). GET /payments lists what is served.`,
    { status: 404 },
  );
}

/** Writes failures of the pipeline in the form of Stripe. */
export function shapeFailure(guide: string, failure: Failure): ShapedFailure {
  const own: unknown = failure.error;
  const error = typeof own === 'object' && own !== null ? own : generic(failure);
  return {
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify({ error: withGuide(guide, error) }),
  };
}

/** Adds the URL of the explanation, if the error has a code. */
export function withGuide(guide: string, error: object): object {
  const { code } = error as { readonly code?: string };
  return code === undefined ? error : { ...error, doc_url: `${guide}#${code}` };
}

function generic({ status, message }: Failure): object {
  if (status === 429) return { message, type: 'invalid_request_error', code: 'rate_limit' };
  return { message, type: status >= 500 ? 'api_error' : 'invalid_request_error' };
}
