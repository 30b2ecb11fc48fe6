/** Outcomes of GraphQL requests, ready to send. */

import { type DocumentNode, type ExecutionResult, GraphQLError } from 'graphql';
import { unexpectedFailure } from '#http/http-error.js';
import { jsonPieces } from '#http/json/json-pieces.js';
import { CapacityError, type Sandbox, StateUnavailableError } from '#state/state.js';
import { type ErrorEntry, errorsBody, excess, formatError, requestError } from './format-error.js';
import { LargeBody } from './large-body.js';
import { type LimitName, limits, ResponseTooLargeError } from './limits.js';

/** JSON; bytes if they are cached for equal requests. */
export type Body = string | Buffer | LargeBody;

export interface Outcome {
  readonly kind:
    | 'executed'
    | 'rejected'
    | 'malformed'
    | 'unavailable'
    | 'method-not-allowed'
    | 'subscription'
    | 'persisted-query-not-found';
  /** JSON with `data`, `errors` or both. */
  readonly body: Body;
}

export interface Caller {
  readonly sandbox: Sandbox;
  readonly baseUrl: () => string;
  /** GET must change nothing, so it runs no mutation. */
  readonly mayMutate: boolean;
  /** Receives internal errors, for the log. */
  readonly onFault: (fault: unknown) => void;
  /** Receives the document once it is parsed, whether it is valid or not. */
  readonly onParsed?: ((document: DocumentNode) => void) | undefined;
}

export function outcomeOf(
  { data, errors }: ExecutionResult,
  isMutation: boolean,
  caller: Caller,
): Outcome {
  if (errors === undefined) return writeResponse(data);
  for (const { originalError } of errors) {
    if (originalError instanceof ResponseTooLargeError) return tooLarge(originalError);
  }
  const missed = errors.find(({ originalError }) => originalError instanceof StateUnavailableError);
  // A query can always be sent again; a mutation if none of its fields has succeeded.
  const isNothingDone = !isMutation || Object.values(data ?? {}).every((field) => field === null);
  if (missed !== undefined && isNothingDone) return unavailable(missed);
  const reported = errors.slice(0, limits.errors);
  // An error without a path happened before any field ran, such as null for a directive.
  if (reported.every(({ path }) => path === undefined)) {
    return rejected(reported.map((error) => formatError(error, { code: 'VARIABLE_INVALID' })));
  }
  const entries = reported.map((error) => fieldError(error, caller));
  return writeResponse(data, entries);
}

/** Larger responses are written while their clients read them; in bytes. */
export const maxWholeBytes = 256 * 1024;

function writeResponse(data: ExecutionResult['data'], errors?: readonly ErrorEntry[]): Outcome {
  const value = { ...(errors && { errors }), data: data ?? null };
  let text = '';
  let bytes = 0;
  for (const piece of jsonPieces(value)) {
    bytes += Buffer.byteLength(piece);
    if (bytes > limits.answerBytes) return tooLarge(new ResponseTooLargeError('answerBytes'));
    if (bytes <= maxWholeBytes) text += piece;
  }
  return { kind: 'executed', body: bytes <= maxWholeBytes ? text : new LargeBody(value, bytes) };
}

/** Returns the last response of a subscription whose events have failed. */
export function lastResponse(failure: unknown, { onFault }: Caller): string {
  if (failure instanceof GraphQLError && failure.extensions.code !== undefined) {
    return errorsBody([formatError(failure, failure.extensions)]);
  }
  onFault(failure);
  return errorsBody([requestError('INTERNAL', unexpectedFailure)]);
}

function fieldError(error: GraphQLError, { onFault }: Caller): ErrorEntry {
  const { originalError, extensions } = error;
  if (isCallersFault(originalError)) {
    return formatError(error, { code: 'BAD_USER_INPUT', ...extensions });
  }
  if (originalError instanceof StateUnavailableError) {
    return formatError(error, { code: 'STATE_UNAVAILABLE' });
  }
  onFault(originalError ?? error);
  const { locations, path } = error;
  return formatError({ message: unexpectedFailure, locations, path }, { code: 'INTERNAL' });
}

export function unavailable({ message }: Error): Outcome {
  return { kind: 'unavailable', body: errorsBody([requestError('STATE_UNAVAILABLE', message)]) };
}

/**
 * Returns whether the caller caused a field error: a rejected value, or null for an argument that
 * does not accept it.
 */
export function isCallersFault(fault: Error | undefined): boolean {
  if (fault instanceof CapacityError) return true;
  if (!(fault instanceof GraphQLError)) return false;
  return fault.extensions.code !== undefined || fault.nodes !== undefined;
}

export function rejected(errors: readonly ErrorEntry[]): Outcome {
  return { kind: 'rejected', body: errorsBody(errors) };
}

export function tooLarge({ limit }: ResponseTooLargeError): Outcome {
  return limitRejected(limit, limits[limit] + 1);
}

export function limitRejected(limit: LimitName, actual: number): Outcome {
  return rejected([excess(limit, actual)]);
}

export const mutationRejected: Outcome = {
  kind: 'method-not-allowed',
  body: errorsBody([
    requestError(
      'METHOD_NOT_ALLOWED',
      'GET runs only queries, because it must not change anything. Send mutations with POST.',
    ),
  ]),
};

/** For clients that accept only JSON. */
export const subscriptionRejected: Outcome = {
  kind: 'subscription',
  body: errorsBody([
    requestError(
      'NOT_ACCEPTABLE',
      'The response to a subscription is a stream. Send Accept: text/event-stream, or use a WebSocket with the subprotocol graphql-transport-ws.',
    ),
  ]),
};
