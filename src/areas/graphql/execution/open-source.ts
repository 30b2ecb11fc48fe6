/** Opens the events of a subscription (GraphQL October 2021, section 6.2.3.1). */

import {
  assertObjectType,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getArgumentValues,
  type OperationDefinitionNode,
} from 'graphql';
import { StateUnavailableError } from '#state/state.js';
import { findFragments, groupFields, selectedFields } from '../documents/find-fragments.js';
import { formatError, requestError } from '../outcome/format-error.js';
import { isCallersFault, type Outcome, rejected, unavailable } from '../outcome/outcome.js';
import type { Variables } from './coerce-variables.js';
import { leavesOut } from './plan-query.js';
import { type SubscriptionContext, subscriptions } from './subscriptions.js';

interface EventSource {
  /** Name of the field; an event is its value. */
  readonly field: string;
  readonly events: AsyncIterable<unknown>;
}

/** Opens the source of a valid document; rejects arguments that the field does not accept. */
export async function openSource(
  schema: GraphQLSchema,
  document: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
  variables: Variables,
  context: SubscriptionContext,
): Promise<EventSource | Outcome> {
  const isLeftOut = leavesOut(variables);
  const selected = selectedFields(findFragments(document), [selectionSet], isLeftOut);
  const [nodes] = groupFields(selected).values();
  if (nodes === undefined) return nothingSelected;
  const [node] = nodes;
  const name = node.name.value;
  const field = assertObjectType(schema.getSubscriptionType()).getFields()[name];
  const subscribe = subscriptions[name];
  if (!field || !subscribe) throw new Error(`Subscription.${name} has no resolver.`);
  try {
    const events = await subscribe(getArgumentValues(field, node, variables), context);
    return { field: name, events };
  } catch (error) {
    if (error instanceof StateUnavailableError) return unavailable(error);
    if (!(error instanceof GraphQLError) || !isCallersFault(error)) throw error;
    const located = new GraphQLError(error.message, { nodes });
    return rejected([formatError(located, { code: 'BAD_USER_INPUT', ...error.extensions })]);
  }
}

const nothingSelected = rejected([
  requestError(
    'BAD_USER_INPUT',
    'The subscription selects nothing, because @skip or @include excludes its only field.',
  ),
]);
