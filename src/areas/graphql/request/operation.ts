/** Operations of GraphQL requests, before their outcome is known. */

import type { OperationTypeNode } from 'graphql';
import type { Awaitable } from '#base/awaitable.js';
import type { Outcome } from '../outcome/outcome.js';
import type { Parameters } from './read-parameters.js';

/**
 * For each event, a function that makes its response when the client has room: the JSON of `data`,
 * `errors` or both.
 */
export type Responses = AsyncIterable<() => Awaitable<string>>;

/** A valid operation with valid variables, not yet started. */
export interface Operation {
  readonly type: OperationTypeNode;
  /**
   * Starts the operation. A query or mutation has one response. A subscription misses no event from
   * then on, until `signal` is aborted; rejects arguments that its field does not accept.
   */
  begin(signal: AbortSignal): Promise<Outcome | Responses>;
}

/** Prepares the operation of the parameters. */
export type Prepare = (parameters: Parameters) => Promise<Operation | Outcome>;
