/** Runs GraphQL requests, independently of HTTP: parameters and a sandbox become an outcome. */

import {
  execute,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValidationRule,
} from 'graphql';
import { type Awaitable, whenKnown } from '#base/awaitable.js';
import { createBoundedCache } from '#base/bounded-cache.js';
import { turns } from '#base/work-in-turns.js';
import type { Datasets } from '#data/records.js';
import { type DatasetOf, datasetsOf } from '#state/rows/datasets-of.js';
import type { ExecutableDocument } from '../documents/measure-document.js';
import { validationRules } from '../documents/validation-rules.js';
import { type ErrorEntry, requestError } from '../outcome/format-error.js';
import { limits, ResponseTooLargeError } from '../outcome/limits.js';
import {
  type Caller,
  lastResponse,
  limitRejected,
  mutationRejected,
  type Outcome,
  outcomeOf,
  rejected,
  subscriptionRejected,
  tooLarge,
} from '../outcome/outcome.js';
import type { Operation, Responses } from '../request/operation.js';
import type { Parameters } from '../request/read-parameters.js';
import { type Coercion, createCoercion, type Variables } from './coerce-variables.js';
import { createSchema, type ResolverContext } from './create-schema.js';
import { openSource } from './open-source.js';
import { OperationPlans } from './plan-query.js';
import { type PreparedDocument, prepareDocument } from './prepare-document.js';
import type { RequestContext } from './request-context.js';

export interface EngineOptions {
  readonly schemaText: string;
  readonly datasets: Datasets;
  readonly introspection: boolean;
  /** Whether repeated documents are compiled; the responses are the same. Default: true. */
  readonly compile?: boolean;
}

/** Number of documents, and bytes as `PreparedDocument.weight` estimates them. */
const cacheLimits = { maxEntries: 1000, maxWeight: 64 * 1024 * 1024 };

/** A prepared document, and its compiled plans. */
interface KnownDocument {
  readonly prepared: PreparedDocument;
  readonly operations: Map<OperationDefinitionNode, KnownOperation>;
  hasRun: boolean;
}

interface KnownOperation {
  readonly node: OperationDefinitionNode;
  readonly coerce: Coercion;
  plans?: OperationPlans;
}

/** The chosen operation of a valid request. */
interface Chosen {
  readonly known: KnownDocument;
  readonly prepared: ExecutableDocument;
  readonly operation: KnownOperation;
  readonly variables: Variables;
  readonly parameters: Parameters;
  readonly caller: Caller;
}

export class Engine {
  readonly #schema: GraphQLSchema;
  readonly #rules: readonly ValidationRule[];
  readonly #datasetOf: DatasetOf;
  readonly #compile: boolean;
  readonly #documents = createBoundedCache<KnownDocument>({
    ...cacheLimits,
    weigh: ({ prepared }) => prepared.weight,
  });

  constructor({ schemaText, datasets, introspection, compile = true }: EngineOptions) {
    this.#schema = createSchema(schemaText);
    this.#rules = validationRules(introspection);
    this.#datasetOf = datasetsOf(datasets);
    this.#compile = compile;
  }

  /** Returns the outcome of a query or mutation; rejects a subscription, which has many. */
  run(parameters: Parameters, caller: Caller): Awaitable<Outcome> {
    const chosen = this.#choose(parameters, caller);
    if ('kind' in chosen) return chosen;
    if (chosen.operation.node.operation === 'subscription') return subscriptionRejected;
    return this.#execute(chosen, chosen.known.hasRun);
  }

  /** Checks everything before anything runs; returns an outcome if it is invalid. */
  prepare(parameters: Parameters, caller: Caller): Outcome | Operation {
    const chosen = this.#choose(parameters, caller);
    if ('kind' in chosen) return chosen;
    const type = chosen.operation.node.operation;
    const bytes = type === 'subscription' ? bytesOf(parameters) : 0;
    if (bytes > limits.subscriptionBytes) return limitRejected('subscriptionBytes', bytes);
    return {
      type,
      begin: async (signal) =>
        type === 'subscription' ? this.#subscribe(chosen, signal) : this.#runOnce(chosen),
    };
  }

  #choose(parameters: Parameters, caller: Caller): Chosen | Outcome {
    const { query, variables, operationName } = parameters;
    const known = this.#documents.get(query, (text) => ({
      prepared: prepareDocument(text, this.#schema, this.#rules),
      operations: new Map(),
      hasRun: false,
    }));
    const { prepared } = known;
    if (prepared.document !== undefined) caller.onParsed?.(prepared.document);
    const node = chooseOperation(prepared.operations, operationName);
    if (node?.operation === 'mutation' && !caller.mayMutate) return mutationRejected;
    if (prepared.errors) return rejected(prepared.errors);
    if (node === undefined) return rejected([unknownOperation(prepared, operationName)]);

    let operation = known.operations.get(node);
    if (operation === undefined) {
      operation = { node, coerce: createCoercion(this.#schema, node) };
      known.operations.set(node, operation);
    }
    const coerced = operation.coerce(variables);
    if ('errors' in coerced) return rejected(coerced.errors);
    return { known, prepared, operation, variables: coerced.variables, parameters, caller };
  }

  #contextOf({ caller, prepared }: Chosen, event?: RequestContext['event']): RequestContext {
    return {
      sandbox: caller.sandbox,
      datasetOf: this.#datasetOf,
      baseUrl: caller.baseUrl,
      values: prepared.introspectionValues,
      isAbandoned: false,
      event,
    };
  }

  /** Executes a query, a mutation, or a subscription for an event. */
  #execute(
    chosen: Chosen,
    isToCompile: boolean,
    event?: RequestContext['event'],
  ): Awaitable<Outcome> {
    const { known, prepared, operation, variables } = chosen;
    const context = this.#contextOf(chosen, event);
    known.hasRun = true;
    const runPlainly = () => this.#executePlainly(chosen, context);
    if (!this.#compile || !isToCompile || operation.node.operation === 'mutation') {
      return withinTime(runPlainly(), context);
    }
    operation.plans ??= new OperationPlans(this.#schema, prepared, operation.node);
    return withinTime(runCompiled(operation.plans, variables, context, runPlainly), context);
  }

  #executePlainly(
    { prepared, operation, parameters, caller }: Chosen,
    context: RequestContext,
  ): Awaitable<Outcome> {
    context.values = prepared.introspectionValues;
    const result = execute({
      schema: this.#schema,
      document: prepared.document,
      rootValue: context.event,
      contextValue: { request: context, size: prepared.size } satisfies ResolverContext,
      variableValues: parameters.variables,
      operationName: parameters.operationName,
    });
    const isMutation = operation.node.operation === 'mutation';
    return whenKnown(result, (executed) => outcomeOf(executed, isMutation, caller));
  }

  async *#runOnce(chosen: Chosen): AsyncGenerator<() => Promise<string>> {
    yield async () => {
      // Many may arrive at once over WebSockets and event streams, as over HTTP.
      await turns.whenFree();
      return String((await this.#execute(chosen, chosen.known.hasRun)).body);
    };
  }

  async #subscribe(chosen: Chosen, signal: AbortSignal): Promise<Outcome | Responses> {
    const { prepared, operation, variables } = chosen;
    const context = { ...this.#contextOf(chosen), signal };
    const source = await openSource(
      this.#schema,
      prepared.document,
      operation.node,
      variables,
      context,
    );
    return 'kind' in source ? source : this.#responsesOf(chosen, source.field, source.events);
  }

  /**
   * The document is looked up again for each event, so that subscriptions hold only their texts,
   * and no more documents than the cache does.
   */
  async *#responsesOf(
    { parameters, caller }: Pick<Chosen, 'parameters' | 'caller'>,
    field: string,
    events: AsyncIterable<unknown>,
  ): AsyncGenerator<() => Awaitable<string>> {
    try {
      for await (const event of events) {
        yield async () => {
          const chosen = this.#choose(parameters, caller);
          if ('kind' in chosen) return String(chosen.body);
          const { body } = await this.#execute(chosen, true, { [field]: event });
          return String(body);
        };
      }
    } catch (error) {
      const last = lastResponse(error, caller);
      yield () => last;
    }
  }
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
  const afterFailure = (error: unknown): Awaitable<Outcome> => {
    if (error instanceof ResponseTooLargeError) return tooLarge(error);
    // A query changes nothing, so graphql-js can run it again and report the error.
    return runPlainly();
  };
  try {
    const plan = plans.planFor(variables);
    if (plan === undefined) return runPlainly();
    const body = plan(variables, context);
    return body instanceof Promise
      ? body.then((known) => ({ kind: 'executed', body: known }) as const, afterFailure)
      : { kind: 'executed', body };
  } catch (error) {
    return afterFailure(error);
  }
}

/**
 * Returns the operation to run; `undefined` if the name matches none, or is missing while there are
 * several.
 */
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
      ? `The document has several operations (${names}); operationName must select one.`
      : `The document has no operation named "${name}". It has ${names}.`,
  );
}

/** A query of a state in memory waits for nothing, and needs no timer. */
function withinTime(outcome: Awaitable<Outcome>, context: RequestContext): Awaitable<Outcome> {
  return outcome instanceof Promise ? beforeTimeout(outcome, context) : outcome;
}

async function beforeTimeout(outcome: Promise<Outcome>, context: RequestContext): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limits.executionMs);
  });
  const first = await Promise.race([outcome, timeout]).finally(() => clearTimeout(timer));
  if (first !== undefined) return first;
  context.isAbandoned = true;
  return limitRejected('executionMs', limits.executionMs);
}
