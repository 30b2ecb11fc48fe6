/**
 * From a subscription to the events of its one field (GraphQL October 2021, section 6.2.3.1).
 */

import {
  assertObjectType,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getArgumentValues,
  type OperationDefinitionNode,
} from 'graphql';
import type { Awaitable } from '../../../base/awaitable.js';
import { StateUnavailableError } from '../../../state/state.js';
import { findFragments } from '../documents/find-fragments.js';
import { formatError, requestError } from '../request/format-error.js';
import type { Variables } from './coerce-variables.js';
import { isCallersFault, type Outcome, rejected, unavailable } from './outcome.js';
import { collectFields } from './plan-query.js';
import { type SubscriptionContext, subscriptions } from './subscriptions.js';

export interface EventSource {
  /** The name of the field, whose value an event is. */
  readonly field: string;
  readonly events: AsyncIterable<unknown>;
}

/** Of a valid document; rejects arguments that the field does not take. */
export function openSource(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
  context: SubscriptionContext,
): Awaitable<EventSource | Outcome> {
  const type = assertObjectType(schema.getSubscriptionType());
  const compilation = { fragments: findFragments(document), variables };
  const [nodes] = collectFields(compilation, type, [operation.selectionSet]).values();
  if (nodes === undefined) return nothingSelected;
  const [node] = nodes;
  const field = type.getFields()[node.name.value];
  const subscribe = subscriptions[node.name.value];
  if (field === undefined || subscribe === undefined) {
    throw new Error(`Nothing resolves Subscription.${node.name.value}.`);
  }
  try {
    const events = subscribe(getArgumentValues(field, node, variables), context);
    if (!(events instanceof Promise)) return { field: field.name, events };
    return events.then((opened) => ({ field: field.name, events: opened }), reject);
  } catch (error) {
    return reject(error);
  }

  function reject(error: unknown): Outcome {
    if (error instanceof StateUnavailableError) return unavailable(error);
    if (!(error instanceof GraphQLError) || !isCallersFault(error)) throw error;
    const located = new GraphQLError(error.message, { nodes: nodes ?? null });
    return rejected([formatError(located, { code: 'BAD_USER_INPUT', ...error.extensions })]);
  }
}

const nothingSelected = rejected([
  requestError(
    'BAD_USER_INPUT',
    'The subscription selects nothing: @skip or @include leaves its only field out.',
  ),
]);
