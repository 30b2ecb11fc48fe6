/** Runs GraphQL requests. Knows nothing of HTTP: parameters and a sandbox go in, an outcome comes out. */

import { type ExecutionResult, execute, GraphQLError, type OperationDefinitionNode } from 'graphql';
import { createBoundedCache } from '../../bounded-cache.js';
import type { Datasets } from '../../data/records.js';
import { unexpectedFailure } from '../../server/http-error.js';
import {
  type Awaitable,
  CapacityError,
  type Sandbox,
  StateUnavailableError,
} from '../../state/state.js';
import { whenKnown } from '../../state/when-known.js';
import { type Coercion, createCoercion, type Variables } from './coerce-variables.js';
import { createSchema, type ResolverContext } from './create-schema.js';
import {
  type ErrorCode,
  type ErrorEntry,
  errorsBody,
  formatError,
  requestError,
} from './format-error.js';
import { describeExcess, type LimitName, limits } from './limits.js';
import { type OperationPlans, planQuery } from './plan-query.js';
import { type PreparedDocument, prepareDocument } from './prepare-document.js';
import type { Parameters } from './read-parameters.js';
import { AnswerTooLargeError, checkBytes, type RequestContext } from './request-context.js';
import { validationRules } from './validation-rules.js';
import { writeJson } from './write-json.js';

export interface Outcome {
  readonly kind: 'executed' | 'refused' | 'unavailable' | 'method-not-allowed';
  /** JSON with `data`, `errors` or both. */
  readonly body: string;
}

export interface Caller {
  readonly sandbox: Sandbox;
  readonly baseUrl: () => string;
  /** GET promises to change nothing, so it runs no mutation. */
  readonly mayMutate: boolean;
  /** Told of what failed on our side, for the log. */
  readonly onFault: (fault: unknown) => void;
}

export interface Engine {
  run(parameters: Parameters, caller: Caller): Awaitable<Outcome>;
}

export interface EngineOptions {
  readonly schemaText: string;
  readonly datasets: Datasets;
  readonly introspection: boolean;
  /** Whether documents that come again are compiled; the answers are the same. On by default. */
  readonly compile?: boolean;
}

/** Documents, and bytes as `PreparedDocument.weight` estimates them. */
const cacheBounds = { maxEntries: 1000, maxWeight: 64 * 1024 * 1024 };

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

export function createEngine(options: EngineOptions): Engine {
  const { datasets, compile = true } = options;
  const schema = createSchema(options.schemaText);
  const rules = validationRules(options);
  const cache = createBoundedCache<KnownDocument>({
    ...cacheBounds,
    weigh: ({ prepared }) => prepared.weight,
  });
  const prepare = (text: string): KnownDocument => ({
    prepared: prepareDocument(text, schema, rules),
    operations: new Map(),
    hasRun: false,
  });

  return {
    run({ query, variables, operationName }, caller) {
      const known = cache.get(query, prepare);
      const { prepared } = known;
      const operation = chooseOperation(prepared.operations, operationName);
      if (operation?.operation === 'mutation' && !caller.mayMutate) return mutationRefused;
      if (prepared.errors) return refused(prepared.errors);
      if (operation === undefined) return refused([unknownOperation(prepared, operationName)]);

      let knownOperation = known.operations.get(operation);
      if (knownOperation === undefined) {
        knownOperation = { coerce: createCoercion(schema, operation) };
        known.operations.set(operation, knownOperation);
      }
      const coerced = knownOperation.coerce(variables);
      if ('errors' in coerced) return refused(coerced.errors);
      const context: RequestContext = {
        sandbox: caller.sandbox,
        datasets,
        baseUrl: caller.baseUrl,
        values: prepared.introspectionValues,
        isAbandoned: false,
      };
      const isCompiled = compile && known.hasRun && operation.operation === 'query';
      known.hasRun = true;
      const runPlainly = () => {
        context.values = prepared.introspectionValues;
        const result = execute({
          schema,
          document: prepared.document,
          contextValue: { request: context, size: prepared.size } satisfies ResolverContext,
          variableValues: variables,
          operationName,
        });
        return whenKnown(result, (executed) =>
          outcomeOf(executed, operation.operation === 'mutation', caller),
        );
      };
      if (!isCompiled) return withinTime(runPlainly(), context);
      knownOperation.plans ??= planQuery(schema, prepared, operation);
      const outcome = runCompiled(knownOperation.plans, coerced.variables, context, runPlainly);
      return withinTime(outcome, context);
    },
  };
}

function runCompiled(
  plans: OperationPlans,
  variables: Variables,
  context: RequestContext,
  runPlainly: () => Awaitable<Outcome>,
): Awaitable<Outcome> {
  let body: Awaitable<string>;
  try {
    const plan = plans.planFor(variables);
    if (plan === undefined) return runPlainly();
    body = plan(variables, context);
  } catch (error) {
    return afterFailure(error);
  }
  if (typeof body === 'string') return { kind: 'executed', body };
  return body.then((text): Outcome => ({ kind: 'executed', body: text }), afterFailure);

  function afterFailure(error: unknown): Awaitable<Outcome> {
    if (error instanceof AnswerTooLargeError) return tooLarge(error);
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

function outcomeOf(
  { data, errors }: ExecutionResult,
  isMutation: boolean,
  caller: Caller,
): Outcome {
  if (errors === undefined) return writeAnswer(data);
  for (const { originalError } of errors) {
    if (originalError instanceof AnswerTooLargeError) return tooLarge(originalError);
  }
  const missed = errors.find(({ originalError }) => isStateMissing(originalError));
  if (missed !== undefined && isNothingDone(data, isMutation)) return unavailable(missed);
  const reported = errors.slice(0, limits.errors);
  // An error without a place in the answer came before any field ran: null for a directive.
  if (reported.every(({ path }) => path === undefined)) {
    return refused(reported.map((error) => formatError(error, { code: 'VARIABLE_INVALID' })));
  }
  const entries = reported.map((error) => fieldError(error, caller));
  return writeAnswer(data, entries);
}

function writeAnswer(data: ExecutionResult['data'], errors?: readonly ErrorEntry[]): Outcome {
  const before = errors === undefined ? '{' : `{"errors":${JSON.stringify(errors)},`;
  try {
    const body = `${before}"data":${writeJson(data ?? null, limits.answerBytes)}}`;
    checkBytes(body);
    return { kind: 'executed', body };
  } catch (error) {
    if (error instanceof AnswerTooLargeError) return tooLarge(error);
    throw error;
  }
}

function fieldError(error: GraphQLError, { onFault }: Caller): ErrorEntry {
  const { originalError, extensions } = error;
  if (isCallersFault(originalError)) {
    const code: ErrorCode = 'BAD_USER_INPUT';
    return formatError(error, { code, ...extensions });
  }
  if (isStateMissing(originalError)) return formatError(error, { code: 'STATE_UNAVAILABLE' });
  onFault(originalError ?? error);
  const { locations, path } = error;
  const message = unexpectedFailure;
  return formatError({ message, locations, path }, { code: 'INTERNAL' });
}

function isStateMissing(fault: Error | undefined): boolean {
  return fault instanceof StateUnavailableError;
}

/** Whether the request can be sent again: a query always, a mutation of which no field has succeeded. */
function isNothingDone(data: ExecutionResult['data'], isMutation: boolean): boolean {
  return !isMutation || Object.values(data ?? {}).every((field) => field === null);
}

function unavailable({ message }: GraphQLError): Outcome {
  return { kind: 'unavailable', body: errorsBody([requestError('STATE_UNAVAILABLE', message)]) };
}

/** Values that mutations refuse, and null for an argument that takes none. */
function isCallersFault(fault: Error | undefined): boolean {
  if (fault instanceof CapacityError) return true;
  if (!(fault instanceof GraphQLError)) return false;
  return fault.extensions.code !== undefined || fault.nodes !== undefined;
}

function withinTime(outcome: Awaitable<Outcome>, context: RequestContext): Awaitable<Outcome> {
  if (!(outcome instanceof Promise)) return outcome;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      context.isAbandoned = true;
      resolve(limitRefused('executionMs', limits.executionMs));
    }, limits.executionMs);
    outcome.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function refused(errors: readonly ErrorEntry[]): Outcome {
  return { kind: 'refused', body: errorsBody(errors) };
}

function tooLarge({ limit }: AnswerTooLargeError): Outcome {
  return limitRefused(limit, limits[limit] + 1);
}

function limitRefused(limit: LimitName, actual: number): Outcome {
  const members = { limit, maximum: limits[limit] };
  return refused([requestError('LIMIT_EXCEEDED', describeExcess(limit, actual), members)]);
}

const mutationRefused: Outcome = {
  kind: 'method-not-allowed',
  body: errorsBody([
    requestError(
      'METHOD_NOT_ALLOWED',
      'GET runs queries only, because it must not change anything. Send a mutation with POST.',
    ),
  ]),
};
