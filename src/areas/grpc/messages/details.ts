/** Details of failures, by `google.rpc`, and failures of the service as failures of calls. */

import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { type Any, anyPack } from '@bufbuild/protobuf/wkt';
import { type FieldFault, HttpError, unexpectedFailure } from '#http/http-error.js';
import { CapacityError, StateUnavailableError } from '#state/state.js';
import { BadRequestSchema, RetryInfoSchema } from '../generated/google/rpc/error_details_pb.js';
import { StatusSchema } from '../generated/google/rpc/status_pb.js';
import { codeOfStatus } from './codes.js';
import { type Details, RpcError } from './rpc-error.js';

export function detailsOf(list: readonly Any[]): Details | undefined {
  if (list.length === 0) return undefined;
  const encodeStatus: Details['encodeStatus'] = (code, message) =>
    toBinary(StatusSchema, create(StatusSchema, { code, message, details: [...list] }));
  return { list, encodeStatus };
}

export function detail<Schema extends DescMessage>(
  schema: Schema,
  init: MessageInitShape<Schema>,
): Any {
  return anyPack(schema, create(schema, init));
}

export const retryAfter = (seconds: number): Any =>
  detail(RetryInfoSchema, { retryDelay: { seconds: BigInt(seconds) } });

export const badFields = (faults: readonly FieldFault[]): Any =>
  detail(BadRequestSchema, {
    fieldViolations: faults.map(({ field, message }) => ({ field, description: message })),
  });

/** Makes an INVALID_ARGUMENT about one field. */
export const fieldFault = (field: string, message: string): RpcError =>
  new RpcError('INVALID_ARGUMENT', message, detailsOf([badFields([{ field, message }])]));

/** The service sends the same seconds in Retry-After. */
const usualRetrySeconds = 2;

interface HttpFailure {
  readonly status: number;
  readonly message: string;
  readonly [member: string]: unknown;
}

/** Translates a failure of the service, which has an HTTP status. */
export function ofHttpFailure({
  status,
  message,
  errors,
  retryAfter: wait,
}: HttpFailure): RpcError {
  const details: Any[] = [];
  if (Array.isArray(errors)) details.push(badFields(errors));
  if (status === 429 || status === 503) details.push(retryAfter(Number(wait ?? usualRetrySeconds)));
  return new RpcError(codeOfStatus(status), message, detailsOf(details));
}

/** Translates any error of a method. Reports nothing. */
export function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  if (error instanceof HttpError) {
    return ofHttpFailure({ ...error.extra, status: error.status, message: error.message });
  }
  if (error instanceof CapacityError) return new RpcError('RESOURCE_EXHAUSTED', error.message);
  if (error instanceof StateUnavailableError) {
    return ofHttpFailure({ status: 503, message: error.message });
  }
  return new RpcError('INTERNAL', unexpectedFailure);
}

/** Whether a caller, or an outage that is already known, has caused an error. */
export const isExpected = (error: unknown): boolean =>
  error instanceof RpcError ||
  error instanceof HttpError ||
  error instanceof CapacityError ||
  error instanceof StateUnavailableError;
