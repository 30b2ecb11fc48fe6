/** The most telling request of each operation, from the description and the calls that were recorded. */

import type { Steps } from '../../base/run-steps.js';
import type { FlowStep, SampleAuth, SampleBody } from '../../kit/request-collection.js';
import type { JsonObject, JsonValue } from '../openapi/json.js';
import type { RecordedCall, RecordedCalls, RecordedRequest } from '../openapi/recorded-calls.js';
import type { Gathered } from './gather-collections.js';
import type { Expectation, Sample, SampleRequest } from './sample-request.js';

/** Operations of an area. */
export interface SampleFolder {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly operations: readonly SampleOperation[];
}

export interface SampleOperation {
  readonly sample: Sample;
  /** Calls to show beside it. */
  readonly others: readonly RecordedCall[];
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly area: string;
  readonly method: string;
  readonly path: string;
  readonly operation: JsonObject;
}

/** They would be the same beside every operation, and 413 was never sent in full. */
const tooUsual = new Set(['A malformed sandbox name', 'Too large a body', 'Too long an address']);

export class SampleCollector {
  readonly operations: ReadonlyMap<string, DescribedOperation>;

  readonly #description: JsonObject;
  /** How many operations have each summary. */
  readonly #summaries = new Map<string, number>();
  readonly #calls: RecordedCalls;
  readonly #known: Gathered;
  /** Variables by what the calls were recorded with. */
  readonly #variables: ReadonlyMap<string, string>;
  /** Whether the address has the sandbox in it, so that no header names one. */
  readonly #isInside: boolean;

  constructor(
    description: JsonObject,
    calls: RecordedCalls,
    known: Gathered,
    recordedWith: Readonly<Record<string, string>>,
    isInside: boolean,
  ) {
    this.#isInside = isInside;
    this.#description = description;
    this.#calls = calls;
    this.#known = known;
    this.#variables = new Map(
      Object.entries(recordedWith).map(([name, value]) => [value, `{{${name}}}`]),
    );
    this.operations = new Map(operationsOf(description).map((each) => [each.operationId, each]));
    for (const { operation } of this.operations.values()) {
      const summary = String(operation.summary);
      this.#summaries.set(summary, (this.#summaries.get(summary) ?? 0) + 1);
    }
  }

  *folders(): Steps<SampleFolder[]> {
    const folders: SampleFolder[] = [];
    const ranks = new Map(
      this.#known.endings.map((operationId, index) => [operationId, index + 1]),
    );
    const rank = ({ operationId }: DescribedOperation) => ranks.get(operationId) ?? 0;
    for (const tag of this.#description.tags as readonly JsonObject[]) {
      const name = String(tag.name);
      const all = [...this.operations.values()].filter(({ area }) => area === name);
      const operations = all
        .filter(({ operationId }) => !Object.hasOwn(this.#known.leftOut, operationId))
        .sort((a, b) => rank(a) - rank(b))
        .map((each) => this.#describe(each));
      folders.push({
        name,
        title: String(tag['x-displayName']),
        description: String(tag.description),
        operations,
      });
      yield;
    }
    return folders;
  }

  #describe(described: DescribedOperation): SampleOperation {
    const { operationId, operation } = described;
    const adaptation = this.#known.adaptations[operationId] ?? {};
    const calls = this.#calls[operationId] ?? [];
    const shown = this.#mostTelling(described, calls);
    const status = shown?.answer.status ?? firstSuccess(operation);
    const { description } = operation;
    const sample = {
      id: operationId,
      title: this.#titleOf(described),
      ...(typeof description === 'string' && { description }),
      request: this.request(operationId, shown?.request),
      expected: [status, ...(adaptation.otherwise ?? [])].map((each) =>
        this.expectation(operationId, each, shown),
      ),
      keeps: adaptation.keeps ?? {},
      ...(adaptation.forgets && { forgets: adaptation.forgets }),
    };
    const others = calls.filter((call) => !tooUsual.has(call.name));
    return { sample, others };
  }

  /** Its summary; with method and path where others have the same. */
  #titleOf({ operation, method, path }: DescribedOperation): string {
    const summary = String(operation.summary);
    return this.#summaries.get(summary) === 1 ? summary : `${summary}: ${method} ${path}`;
  }

  #mostTelling(
    { operationId, operation, method }: DescribedOperation,
    calls: readonly RecordedCall[],
  ) {
    const taken = calls.filter(({ answer: response }) => response.status < 300);
    const wanted = this.#known.adaptations[operationId]?.call;
    if (wanted !== undefined) return taken.find(({ name }) => name === wanted);
    const isWithBody = operation.requestBody !== undefined && /^(?:POST|PUT|PATCH)$/.test(method);
    return (isWithBody && taken.find(({ request }) => request.body !== undefined)) || taken[0];
  }

  /** A request as it was recorded, with variables for what is another value each time. */
  request(operationId: string, recorded: RecordedRequest = {}): SampleRequest {
    const { method, path, operation } = this.#find(operationId);
    const adaptation = this.#known.adaptations[operationId] ?? {};
    const pathValues: Record<string, string> = {};
    for (const [name, value] of Object.entries(recorded.path ?? {})) {
      pathValues[name] = adaptation.path?.[name] ?? this.#known.pathValues[name] ?? String(value);
    }
    const { Authorization: authorization, ...sent } = recorded.headers ?? {};
    const headers: Record<string, string> = { 'X-Sandbox': '{{sandbox}}' };
    for (const [name, value] of Object.entries(sent)) {
      const isKept = name === 'Cookie' && adaptation.isCookieKept;
      if (name !== 'X-Sandbox' && !isKept) headers[name] = this.#withVariables(value);
    }
    Object.assign(headers, adaptation.headers);
    if (this.#isInside) delete headers['X-Sandbox'];
    const body = this.#body(recorded, adaptation.body ?? {});
    Object.assign(headers, typeOf(body));
    const query = Object.entries(recorded.query ?? {}).flatMap(([name, value]) =>
      [value].flat().map((each) => [name, this.#withVariables(String(each))] as const),
    );
    const auth = this.#auth(operation, { authorization, headers, query, pathValues });
    const isKey = (name: string) => auth?.kind === 'apiKey' && auth.name === name;
    return {
      method,
      path,
      pathValues,
      query: query.filter(([name]) => !isKey(name)),
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !isKey(name))),
      ...(body && { body }),
      ...(auth && { auth }),
    } as SampleRequest;
  }

  expectation(operationId: string, status: number, like?: RecordedCall): Expectation {
    const { operation, method } = this.#find(operationId);
    const responses = operation.responses as JsonObject;
    // Bins respond with any status that they are told to.
    const described = (responses[status] ?? {}) as JsonObject;
    const response = this.#resolve(described) as {
      headers?: Record<string, JsonObject>;
      content?: Record<string, { schema?: JsonObject }>;
    };
    const headers = Object.entries(response.headers ?? {})
      .filter(([, header]) => this.#resolve(header).required === true)
      .map(([name]) => name);
    const { content } = response;
    if (content === undefined || method === 'HEAD') {
      return { status, headers, isEmpty: Object.hasOwn(responses, status) };
    }
    const calls = [...(like ? [like] : []), ...(this.#calls[operationId] ?? [])];
    const known = calls.find(({ answer }) => answer.status === status);
    const [firstType = ''] = Object.keys(content);
    const contentType = known?.answer.headers['content-type'] ?? firstType;
    const mediaType = contentType.split(';', 1)[0] ?? '';
    const { schema } = content[mediaType] ?? {};
    const isJson = /[/+]json$/.test(mediaType) && schema !== undefined;
    const isSome = !isJson && known?.answer.body !== undefined;
    return {
      status,
      isEmpty: false,
      ...(!mediaType.includes('*') && { contentType }),
      ...(isSome && { isSome }),
      headers,
      ...(isJson && { schema: this.#inline(schema) as JsonObject }),
    };
  }

  /** A step of a flow as a sample. */
  step({ id, title, operationId, request = {}, status, orStatus, keeps = {} }: FlowStep): Sample {
    const { method, path } = this.#find(operationId);
    const { body, auth } = request;
    return {
      id,
      title,
      request: {
        method,
        path,
        pathValues: request.path ?? {},
        query: Object.entries(request.query ?? {}),
        headers: {
          ...(!this.#isInside && { 'X-Sandbox': '{{sandbox}}' }),
          ...typeOf(body),
          ...request.headers,
        },
        ...(body && { body }),
        ...(auth && { auth }),
      },
      expected: [status, ...(orStatus === undefined ? [] : [orStatus])].map((each) =>
        this.expectation(operationId, each),
      ),
      keeps,
    };
  }

  #find(operationId: string): DescribedOperation {
    const found = this.operations.get(operationId);
    if (found === undefined) throw new Error(`There is no operation ${operationId}.`);
    return found;
  }

  #body(
    { headers = {}, body }: RecordedRequest,
    values: Readonly<Record<string, string>>,
  ): SampleBody | undefined {
    if (body === undefined) return undefined;
    const type = headers['Content-Type'] ?? 'application/json';
    if (type === 'application/x-www-form-urlencoded') {
      const fields = [...new URLSearchParams(String(body))];
      return { kind: 'form', fields: fields.map(([name, value]) => [name, values[name] ?? value]) };
    }
    if (typeof body === 'string') return { kind: 'text', text: body };
    return { kind: 'json', value: { ...(body as JsonObject), ...values } };
  }

  /** How a client presents the credentials that were recorded, where it has a place for them. */
  #auth(
    operation: JsonObject,
    sent: {
      readonly authorization: string | undefined;
      readonly headers: Readonly<Record<string, string>>;
      readonly query: readonly (readonly [string, string])[];
      readonly pathValues: Readonly<Record<string, string>>;
    },
  ): SampleAuth | undefined {
    const { authorization, headers, query, pathValues } = sent;
    const presented = this.#known.presents[schemeOf(operation) ?? ''];
    const auth = typeof presented === 'function' ? presented(Object.values(pathValues)) : presented;
    if (auth?.kind === 'apiKey') {
      const isSent =
        auth.in === 'header'
          ? Object.hasOwn(headers, auth.name)
          : query.some(([name]) => name === auth.name);
      return isSent ? auth : undefined;
    }
    if (authorization === undefined) return undefined;
    const token = this.#withVariables(authorization.replace(/^\w+ /, ''));
    return auth ?? { kind: 'bearer', token };
  }

  #withVariables(text: string): string {
    const [, prefix = '', value = text] = /^([\w-]+=)(.*)$/.exec(text) ?? [];
    return prefix + (this.#variables.get(value) ?? value);
  }

  #resolve(value: JsonObject): JsonObject {
    if (typeof value.$ref !== 'string') return value;
    const steps = value.$ref.slice(2).split('/');
    const found = steps.reduce<JsonValue>(
      (node, step) => (node as JsonObject)[step] as JsonValue,
      this.#description,
    );
    return found as JsonObject;
  }

  /** The schema with what it refers to in place, without what only explains. */
  #inline(schema: JsonValue): JsonValue {
    if (Array.isArray(schema)) return schema.map((each) => this.#inline(each));
    if (typeof schema !== 'object' || schema === null) return schema;
    const resolved = this.#resolve(schema as JsonObject);
    const entries = Object.entries(resolved).flatMap(([keyword, value]) => {
      if (explaining.has(keyword) || numberFormats.has(String(value))) return [];
      if (keyword === 'properties') {
        const properties = Object.entries(value as JsonObject);
        return [
          [
            keyword,
            Object.fromEntries(properties.map(([name, each]) => [name, this.#inline(each)])),
          ],
        ];
      }
      const isPlain = keyword === 'enum' || keyword === 'const' || keyword === 'required';
      return [[keyword, isPlain ? value : this.#inline(value)]];
    });
    return Object.fromEntries(entries);
  }
}

function typeOf(body: SampleBody | undefined): Readonly<Record<string, string>> {
  if (body === undefined || body.kind === 'text') return {};
  return {
    'Content-Type': body.kind === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
  };
}

/** Formats that OpenAPI has for numbers; the validators of tools reject them as unknown. */
const numberFormats = new Set(['int32', 'int64', 'float', 'double']);

const explaining = new Set(['title', 'description', 'default', 'examples']);

function operationsOf({ paths }: JsonObject): DescribedOperation[] {
  return Object.entries(paths as JsonObject).flatMap(([path, item]) =>
    Object.entries(item as JsonObject).map(([method, value]) => {
      const operation = value as JsonObject;
      const [area] = operation.tags as readonly string[];
      return {
        operationId: String(operation.operationId),
        area: area ?? '',
        method: method.toUpperCase(),
        path,
        operation,
      };
    }),
  );
}

function firstSuccess({ responses }: JsonObject): number {
  return Number(Object.keys(responses as JsonObject).find((status) => status.startsWith('2')));
}

function schemeOf({ security = [] }: JsonObject): string | undefined {
  return (security as readonly JsonObject[]).flatMap((each) => Object.keys(each))[0];
}
