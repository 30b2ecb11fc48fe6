/** Errors that become JSON-RPC error responses. */

import type { JsonObject } from '#base/json-object.js';
import { HttpError, unexpectedFailure } from '#http/http-error.js';
import { CapacityError, StateUnavailableError } from '#state/state.js';

export const codes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
  /** Only in revisions before 2026-07-28. */
  resourceNotFound: -32002,
} as const;

export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: JsonObject | undefined;
  /** Status of the HTTP response in the stateless revision. */
  readonly status: number;

  constructor(code: number, message: string, data?: JsonObject, status = 200) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.data = data;
    this.status = status;
  }
}

export const invalidParams = (message: string, data?: JsonObject) =>
  new RpcError(codes.invalidParams, message, data);

/** The call was cancelled: it gets no response. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** Makes the error of a failure that no caller could have caused. */
export function failureOf(error: unknown): RpcError {
  if (error instanceof HttpError) return new RpcError(codes.internal, error.message);
  if (error instanceof StateUnavailableError) return new RpcError(codes.internal, error.message);
  if (error instanceof CapacityError) return new RpcError(codes.internal, error.message);
  return new RpcError(codes.internal, unexpectedFailure);
}
