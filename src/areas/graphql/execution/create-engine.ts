/** Runs GraphQL requests. Knows nothing of HTTP: parameters and a sandbox go in, an outcome comes out. */

import { execute, type OperationDefinitionNode, type OperationTypeNode } from 'graphql';
import { type Awaitable, whenKnown } from '../../../base/awaitable.js';
import { createBoundedCache } from '../../../base/bounded-cache.js';
import type { Datasets } from '../../../data/records.js';
import type { ExecutableDocument } from '../documents/measure-document.js';
import { type PreparedDocument, prepareDocument } from '../documents/prepare-document.js';
import { validationRules } from '../documents/validation-rules.js';
import { type ErrorEntry, requestError } from '../request/format-error.js';
import { limits } from '../request/limits.js';
import type { Parameters } from '../request/read-parameters.js';
import { type Coercion, createCoercion, type Variables } from './coerce-variables.js';
import { createSchema, type ResolverContext } from './create-schema.js';
import { type EventSource, openSource } from './open-source.js';
import {
  type Body,
  type Caller,
  lastResponse,
  limitRejected,
  mutationRejected,
  type Outcome,
  outcomeOf,
  rejected,
  subscriptionRejected,
  tooLarge,
} from './outcome.js';
import { type OperationPlans, planQuery } from './plan-query.js';
import { datasetsOf, type RequestContext, ResponseTooLargeError } from './request-context.js';

export interface Engine {
  /** What comes of a query or mutation; rejects a subscription, which has no one outcome. */
  run(parameters: Parameters, caller: Caller): Awaitable<Outcome>;
  /** Checks everything that can be known before something runs; what it rejects is an outcome. */
  prepare(parameters: Parameters, caller: Caller): Outcome | Operation;
}

/** A valid operation with valid variables, which has not begun. */
export interface Operation {
  readonly type: OperationTypeNode;
  run(): Awaitable<Outcome>;
  /**
   * Begins a subscription: from then on no event is missed. Rejects what its field does not take. Events
   * end when `signal` is aborted.
   */
  subscribe(signal: AbortSignal): Awaitable<Outcome | Responses>;
}

/** For each event a function that makes its response when the client has room: the JSON of `data`, `errors` or both. */
export type Responses = AsyncIterable<() => Awaitable<string>>;

export interface EngineOptions {
  readonly schemaText: string;
  readonly datasets: Datasets;
  readonly introspection: boolean;
  /** Whether documents that come again are compiled; the responses are the same. On by default. */
  readonly compile?: boolean;
}

/** Documents, and bytes as `PreparedDocument.weight` estimates them. */
const cacheLimits = { maxEntries: 1000, maxWeight: 64 * 1024 * 1024 };

/** A prepared document, and what came of running it. */
interface KnownDocument {
  readonly prepared: PreparedDocument;
  readonly operations: Map<OperationDefinitionNode, KnownOperation>;
  hasRun: boolean;
}

interface KnownOperation {
  readonly coerce: Coercion;
  plans?: OperationPlans;
}

/** What a request asks to run, which keeps all rules. */
interface Chosen {
  readonly known: KnownDocument;
  readonly prepared: ExecutableDocument;
  readonly operation: OperationDefinitionNode;
  readonly knownOperation: KnownOperation;
  readonly variables: Variables;
}

export function createEngine(options: EngineOptions): Engine {
  const { compile = true } = options;
  const datasetOf = datasetsOf(options.datasets);
  const schema = createSchema(options.schemaText);
  const rules = validationRules(options);
  const cache = createBoundedCache<KnownDocument>({
    ...cacheLimits,
    weigh: ({ prepared }) => prepared.weight,
  });
  const prepareText = (text: string): KnownDocument => ({
    prepared: prepareDocument(text, schema, rules),
    operations: new Map(),
    hasRun: false,
  });

  function choose(
    { query, variables, operationName }: Parameters,
    caller: Caller,
  ): Chosen | Outcome {
    const known = cache.get(query, prepareText);
    const { prepared } = known;
    const operation = chooseOperation(prepared.operations, operationName);
    if (operation?.operation === 'mutation' && !caller.mayMutate) return mutationRejected;
    if (prepared.errors) return rejected(prepared.errors);
    if (operation === undefined) return rejected([unknownOperation(prepared, operationName)]);

    let knownOperation = known.operations.get(operation);
    if (knownOperation === undefined) {
      knownOperation = { coerce: createCoercion(schema, operation) };
      known.operations.set(operation, knownOperation);
    }
    const coerced = knownOperation.coerce(variables);
    if ('errors' in coerced) return rejected(coerced.errors);
    return { known, prepared, operation, knownOperation, variables: coerced.variables };
  }

  function contextOf(caller: Caller, values: number): RequestContext {
    return {
      sandbox: caller.sandbox,
      datasetOf,
      baseUrl: caller.baseUrl,
      values,
      isAbandoned: false,
    };
  }

  /** Executes a query, a mutation, or a subscription for the event that the context has. */
  function execution(
    { known, prepared, operation, knownOperation, variables: coerced }: Chosen,
    { variables, operationName }: Parameters,
    caller: Caller,
    context: RequestContext,
    isToCompile: boolean,
  ): Awaitable<Outcome> {
    known.hasRun = true;
    const isMutation = operation.operation === 'mutation';
    const runPlainly = () => {
      context.values = prepared.introspectionValues;
      const result = execute({
        schema,
        document: prepared.document,
        rootValue: context.event,
        contextValue: { request: context, size: prepared.size } satisfies ResolverContext,
        variableValues: variables,
        operationName,
      });
      return whenKnown(result, (executed) => outcomeOf(executed, isMutation, caller));
    };
    if (!compile || !isToCompile || isMutation) return withinTime(runPlainly(), context);
    knownOperation.plans ??= planQuery(schema, prepared, operation);
    const outcome = runCompiled(knownOperation.plans, coerced, context, runPlainly);
    return withinTime(outcome, context);
  }

  function runOnce(chosen: Chosen, parameters: Parameters, caller: Caller): Awaitable<Outcome> {
    const context = contextOf(caller, chosen.prepared.introspectionValues);
    return execution(chosen, parameters, caller, context, chosen.known.hasRun);
  }

  /**
   * What is prepared is looked up for each event: however many subscriptions there are, they hold their
   * texts, and no more documents than the cache does.
   */
  async function* responsesOf(
    parameters: Parameters,
    caller: Caller,
    { field, events }: EventSource,
  ): AsyncGenerator<() => Awaitable<string>> {
    try {
      for await (const event of events) {
        yield () => {
          const chosen = choose(parameters, caller);
          if ('kind' in chosen) return String(chosen.body);
          const context = contextOf(caller, chosen.prepared.introspectionValues);
          context.event = { [field]: event };
          const outcome = execution(chosen, parameters, caller, context, true);
          return whenKnown(outcome, ({ body }) => String(body));
        };
      }
    } catch (error) {
      const last = lastResponse(error, caller);
      yield () => last;
    }
  }

  function subscribe(
    { prepared, operation, variables }: Chosen,
    parameters: Parameters,
    caller: Caller,
    signal: AbortSignal,
  ): Awaitable<Outcome | Responses> {
    const context = { ...contextOf(caller, 0), signal };
    const source = openSource(schema, prepared.document, operation, variables, context);
    return whenKnown(source, (found) =>
      'kind' in found ? found : responsesOf(parameters, caller, found),
    );
  }

  return {
    run(parameters, caller) {
      const chosen = choose(parameters, caller);
      if ('kind' in chosen) return chosen;
      if (chosen.operation.operation === 'subscription') return subscriptionRejected;
      return runOnce(chosen, parameters, caller);
    },

    prepare(parameters, caller) {
      const chosen = choose(parameters, caller);
      if ('kind' in chosen) return chosen;
      const type = chosen.operation.operation;
      if (type === 'subscription') {
        const bytes = bytesOf(parameters);
        if (bytes > limits.subscriptionBytes) return limitRejected('subscriptionBytes', bytes);
      }
      return {
        type,
        run: () => runOnce(chosen, parameters, caller),
        subscribe: (signal) => subscribe(chosen, parameters, caller, signal),
      };
    },
  };
}

function bytesOf({ query, variables = {} }: Parameters): number {
  return Buffer.byteLength(query) + Buffer.byteLength(JSON.stringify(variables));
}

function runCompiled(
  plans: OperationPlans,
  variables: Variables,
  context: RequestContext,
  runPlainly: () => Awaitable<Outcome>,
): Awaitable<Outcome> {
  let body: Awaitable<Body>;
  try {
    const plan = plans.planFor(variables);
    if (plan === undefined) return runPlainly();
    body = plan(variables, context);
  } catch (error) {
    return afterFailure(error);
  }
  const executed = (known: Body): Outcome => ({ kind: 'executed', body: known });
  return body instanceof Promise ? body.then(executed, afterFailure) : executed(body);

  function afterFailure(error: unknown): Awaitable<Outcome> {
    if (error instanceof ResponseTooLargeError) return tooLarge(error);
    // A query changes nothing, so it can run again, and graphql-js knows what to say.
    return runPlainly();
  }
}

/** The one to run; `undefined` when the name leaves none, or its absence leaves several. */
function chooseOperation(
  operations: readonly OperationDefinitionNode[],
  name: string | undefined,
): OperationDefinitionNode | undefined {
  if (name === undefined) return operations.length === 1 ? operations[0] : undefined;
  return operations.find((operation) => operation.name?.value === name);
}

function unknownOperation({ operations }: PreparedDocument, name: string | undefined): ErrorEntry {
  const names = operations
    .map((operation) => operation.name?.value ?? '(without a name)')
    .join(', ');
  return requestError(
    'OPERATION_NOT_FOUND',
    name === undefined
      ? `The document has several operations (${names}); operationName must say which to run.`
      : `The document has no operation named "${name}". It has ${names}.`,
  );
}

function withinTime(outcome: Awaitable<Outcome>, context: RequestContext): Awaitable<Outcome> {
  if (!(outcome instanceof Promise)) return outcome;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      context.isAbandoned = true;
      resolve(limitRejected('executionMs', limits.executionMs));
    }, limits.executionMs);
    outcome.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
