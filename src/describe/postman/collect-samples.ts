/**
 * Collects a representative request of each operation, from the description and the recorded calls.
 */

import type { Steps } from '#base/run-steps.js';
import type { FlowStep, SampleAuth, SampleBody } from '#kit/request-collection.js';
import type { JsonObject, JsonValue } from '../openapi/json.js';
import type { RecordedCall, RecordedCalls, RecordedRequest } from '../openapi/recorded-calls.js';
import type { Gathered } from './gather-collections.js';
import type { Expectation, Sample, SampleRequest } from './sample-request.js';

/** Operations of one area. */
export interface SampleFolder {
  readonly title: string;
  readonly description: string;
  readonly operations: readonly SampleOperation[];
}

export interface SampleOperation {
  readonly sample: Sample;
  /** Further examples. */
  readonly others: readonly RecordedCall[];
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly requestBody?: JsonObject;
  readonly responses: Readonly<Record<string, JsonObject>>;
  readonly security: readonly JsonObject[];
}

interface DescribedOperation extends Operation {
  readonly method: string;
  readonly path: string;
}

interface Tag {
  readonly name: string;
  readonly 'x-displayName': string;
  readonly description: string;
}

/** Every operation would show them, and the body of 413 was never sent in full. */
const tooUsual = new Set(['A malformed sandbox name', 'Too large a body', 'Too long a URL']);

export class SampleCollector {
  readonly known: Gathered;
  readonly #operations: ReadonlyMap<string, DescribedOperation>;
  readonly #description: JsonObject;
  readonly #calls: RecordedCalls;
  /** Variables by the recorded values that they replace. */
  readonly #variables: ReadonlyMap<string, string>;
  /** Whether the base URL contains the sandbox, so that requests need no X-Sandbox. */
  readonly #isInside: boolean;

  constructor(
    description: JsonObject,
    calls: RecordedCalls,
    known: Gathered,
    recordedWith: Readonly<Record<string, string>>,
    isInside: boolean,
  ) {
    this.known = known;
    this.#description = description;
    this.#calls = calls;
    this.#isInside = isInside;
    const variables = Object.entries(recordedWith);
    this.#variables = new Map(variables.map(([name, value]) => [value, `{{${name}}}`]));
    const paths = description.paths as unknown as Record<string, Record<string, Operation>>;
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => {
        return { ...operation, method: method.toUpperCase(), path };
      }),
    );
    this.#operations = new Map(operations.map((each) => [each.operationId, each]));
  }

  *folders(): Steps<SampleFolder[]> {
    const folders: SampleFolder[] = [];
    const { endings, leftOut } = this.known;
    for (const tag of this.#description.tags as unknown as readonly Tag[]) {
      const operations = [...this.#operations.values()]
        .filter(({ tags, operationId }) => tags[0] === tag.name && !(operationId in leftOut))
        .sort((a, b) => endings.indexOf(a.operationId) - endings.indexOf(b.operationId))
        .map((each) => this.#describe(each));
      folders.push({ title: tag['x-displayName'], description: tag.description, operations });
      yield;
    }
    return folders;
  }

  #describe(operation: DescribedOperation): SampleOperation {
    const { operationId, description, responses } = operation;
    const { keeps = {}, otherwise = [], forgets } = this.known.adaptations[operationId] ?? {};
    const calls = this.#calls[operationId] ?? [];
    const shown = this.#mostTelling(operation, calls);
    const success = Object.keys(responses).find((status) => status.startsWith('2'));
    const sample = {
      id: operationId,
      title: this.#titleOf(operation),
      ...(description !== undefined && { description }),
      request: this.#request(operation, shown?.request),
      expected: [shown?.response.status ?? Number(success), ...otherwise].map((status) =>
        this.#expectation(operation, status, shown),
      ),
      keeps,
      ...(forgets && { forgets }),
    };
    return { sample, others: calls.filter((call) => !tooUsual.has(call.name)) };
  }

  /** Returns its summary, with method and path if other operations have the same. */
  #titleOf({ summary, method, path }: DescribedOperation): string {
    const alike = [...this.#operations.values()].filter((each) => each.summary === summary);
    return alike.length === 1 ? summary : `${summary}: ${method} ${path}`;
  }

  #mostTelling(
    { operationId, requestBody, method }: DescribedOperation,
    calls: readonly RecordedCall[],
  ): RecordedCall | undefined {
    const accepted = calls.filter(({ response }) => response.status < 300);
    const wanted = this.known.adaptations[operationId]?.call;
    if (wanted !== undefined && calls.length > 0) {
      const found = accepted.find(({ name }) => name === wanted);
      if (found === undefined)
        throw new Error(`No recorded call of ${operationId} is "${wanted}".`);
      return found;
    }
    const withBody =
      requestBody !== undefined && /^(?:POST|PUT|PATCH)$/.test(method)
        ? accepted.find(({ request }) => request.body !== undefined)
        : undefined;
    return withBody ?? accepted[0];
  }

  /** Returns a recorded request, with variables for values that differ each time. */
  #request(operation: DescribedOperation, recorded: RecordedRequest = {}): SampleRequest {
    const { operationId, method, path } = operation;
    const adaptation = this.known.adaptations[operationId] ?? {};
    const values = { ...this.known.pathValues, ...adaptation.path };
    const pathValues: Record<string, string> = {};
    for (const [name, value] of Object.entries(recorded.path ?? {})) {
      pathValues[name] = values[name] ?? String(value);
    }
    const { Authorization: authorization, ...recordedHeaders } = recorded.headers ?? {};
    const sent: Record<string, string> = {};
    for (const [name, value] of Object.entries(recordedHeaders)) {
      const isKept = name === 'Cookie' && adaptation.isCookieKept;
      if (name !== 'X-Sandbox' && !isKept) sent[name] = this.#withVariables(value);
    }
    const body = bodyOf(recorded, adaptation.body);
    const headers = this.#headers({ ...sent, ...adaptation.headers, ...typeOf(body) });
    const query = Object.entries(recorded.query ?? {}).flatMap(([name, value]) =>
      [value].flat().map((each) => [name, this.#withVariables(String(each))] as const),
    );
    const auth = this.#auth(operation, authorization, Object.values(pathValues));
    const isOther = ([name]: readonly [string, string]) =>
      auth?.kind !== 'apiKey' || auth.name !== name;
    const isKeySent = !Object.entries(headers).every(isOther) || !query.every(isOther);
    return {
      method,
      path,
      pathValues,
      query: query.filter(isOther),
      headers: Object.fromEntries(Object.entries(headers).filter(isOther)),
      ...(body && { body }),
      ...(auth && (auth.kind !== 'apiKey' || isKeySent) && { auth }),
    };
  }

  #headers(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const { 'X-Sandbox': sandbox = '{{sandbox}}', ...others } = given;
    return this.#isInside ? others : { 'X-Sandbox': sandbox, ...others };
  }

  /** Returns how a client sends the recorded credentials, if the tool can describe them. */
  #auth(
    { security }: DescribedOperation,
    authorization: string | undefined,
    pathValues: readonly string[],
  ): SampleAuth | undefined {
    const [scheme = ''] = security.flatMap((each) => Object.keys(each));
    const presented = this.known.presents[scheme];
    const auth = typeof presented === 'function' ? presented(pathValues) : presented;
    if (auth?.kind === 'apiKey') return auth;
    if (authorization === undefined) return undefined;
    return (
      auth ?? { kind: 'bearer', token: this.#withVariables(authorization.replace(/^\w+ /, '')) }
    );
  }

  #withVariables(text: string): string {
    const [, prefix = '', value = text] = /^([\w-]+=)(.*)$/.exec(text) ?? [];
    return prefix + (this.#variables.get(value) ?? value);
  }

  #expectation(
    { operationId, method, responses }: DescribedOperation,
    status: number,
    like?: RecordedCall,
  ): Expectation {
    // Bins respond with any status that their owner chooses.
    const response = this.#resolve(responses[status] ?? {});
    const headers = Object.entries((response.headers ?? {}) as Record<string, JsonObject>)
      .filter(([, header]) => this.#resolve(header).required === true)
      .map(([name]) => name);
    const content = response.content as Record<string, { schema?: JsonObject }> | undefined;
    if (content === undefined || method === 'HEAD') {
      return { status, headers, isEmpty: Object.hasOwn(responses, status) };
    }
    const calls = [...(like ? [like] : []), ...(this.#calls[operationId] ?? [])];
    const known = calls.find(({ response }) => response.status === status)?.response;
    const contentType = known?.headers['content-type'] ?? Object.keys(content)[0] ?? '';
    const mediaType = contentType.split(';', 1)[0] ?? '';
    const { schema } = content[mediaType] ?? {};
    const isJson = /[/+]json$/.test(mediaType) && schema !== undefined;
    return {
      status,
      isEmpty: false,
      ...(!mediaType.includes('*') && { contentType }),
      ...(!isJson && known?.body !== undefined && { isSome: true }),
      headers,
      ...(isJson && { schema: this.#inline(schema) as JsonObject }),
    };
  }

  /** Turns a step of a flow into a sample. */
  step(step: FlowStep): Sample {
    const { id, title, operationId, request = {}, status, orStatus, keeps = {} } = step;
    const operation = this.#operations.get(operationId);
    if (operation === undefined) throw new Error(`Unknown operation ${operationId}.`);
    const { path, query = {}, headers, body, auth } = request;
    return {
      id,
      title,
      request: {
        method: step.method ?? operation.method,
        path: operation.path,
        pathValues: path ?? {},
        query: Object.entries(query),
        headers: this.#headers({ ...typeOf(body), ...headers }),
        ...(body && { body }),
        ...(auth && { auth }),
      },
      expected: [status, orStatus ?? []].flat().map((each) => this.#expectation(operation, each)),
      keeps,
    };
  }

  #resolve(value: JsonObject): JsonObject {
    if (typeof value.$ref !== 'string') return value;
    const names = value.$ref.slice('#/'.length).split('/');
    const found = names.reduce<JsonValue | undefined>(
      (node, name) => (node as JsonObject)[name],
      this.#description,
    );
    return found as JsonObject;
  }

  /** Returns the schema with references resolved, without annotations. */
  #inline(schema: JsonValue): JsonValue {
    if (Array.isArray(schema)) return schema.map((each) => this.#inline(each));
    if (typeof schema !== 'object' || schema === null) return schema;
    const entries = Object.entries(this.#resolve(schema as JsonObject)).flatMap(
      ([keyword, value]) => {
        if (explaining.has(keyword) || numberFormats.has(String(value))) return [];
        if (keyword === 'properties') {
          const properties = Object.entries(value as JsonObject);
          const inlined = properties.map(([name, each]) => [name, this.#inline(each)]);
          return [[keyword, Object.fromEntries(inlined)]];
        }
        return [[keyword, plain.has(keyword) ? value : this.#inline(value)]];
      },
    );
    return Object.fromEntries(entries);
  }
}

/** Number formats of OpenAPI; the validators of tools reject them as unknown. */
const numberFormats = new Set(['int32', 'int64', 'float', 'double']);
const explaining = new Set(['title', 'description', 'default', 'examples']);
/** Keywords whose values are not schemas. */
const plain = new Set(['enum', 'const', 'required']);

function typeOf(body: SampleBody | undefined): Readonly<Record<string, string>> {
  if (body === undefined || body.kind === 'text') return {};
  return {
    'Content-Type': body.kind === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
  };
}

function bodyOf(
  { headers = {}, body }: RecordedRequest,
  values: Readonly<Record<string, string>> = {},
): SampleBody | undefined {
  if (body === undefined) return undefined;
  if (headers['Content-Type'] === 'application/x-www-form-urlencoded') {
    const fields = [...new URLSearchParams(String(body))];
    return { kind: 'form', fields: fields.map(([name, value]) => [name, values[name] ?? value]) };
  }
  if (typeof body === 'string') return { kind: 'text', text: body };
  return { kind: 'json', value: { ...(body as JsonObject), ...values } };
}
