/** One route and method as an OpenAPI operation: what it takes, and every response it can have. */

import { STATUS_CODES } from 'node:http';
import { Type } from 'typebox';
import { errorSchema } from '../../kit/describe/error-schema.js';
import { faultParameters } from '../../kit/describe/fault-parameters.js';
import { optional, vary } from '../../kit/describe/header-schemas.js';
import { nameOperation } from '../../kit/describe/name-operation.js';
import type { AnySpec, HeaderSchemas, SecurityRequirement } from '../../kit/endpoint.js';
import type { CataloguedRoute } from '../../kit/route-catalogue.js';
import { serviceKeyName } from '../../kit/service-key.js';
import {
  commonHeaderNames,
  commonParameterNames,
  failureReference,
  faultlessHeaderNames,
  headersByStatus,
} from './common-parts.js';
import type { ComponentSchemas } from './component-schemas.js';
import { parameterExample, requestExamples, responseExamples } from './describe-examples.js';
import { describeHeaders, type ObjectSchema, objectOf } from './describe-headers.js';
import type { JsonObject, JsonValue } from './json.js';
import type { RecordedCall, RecordedCalls } from './recorded-calls.js';

export interface OperationContext {
  readonly schemas: ComponentSchemas;
  readonly isAccountRequired: boolean;
  readonly recordedCalls: RecordedCalls;
  readonly baseUrl: string;
}

export function describeOperation(route: CataloguedRoute, context: OperationContext): JsonObject {
  const { area, method, url, spec, isOpen } = route;
  const { schemas } = context;
  const operationId = nameOperation(method, url);
  const calls = context.recordedCalls[operationId] ?? [];
  const isKeyNeeded = context.isAccountRequired && !isOpen;
  const requestBody = describeRequestBody(method, spec, schemas, calls);
  return {
    operationId,
    tags: [area.area.name],
    summary: spec.summary ?? '',
    ...(spec.description && { description: spec.description }),
    ...(spec.deprecated && { deprecated: true }),
    ...describeGuide(area.area.front.guideOf?.(url) ?? area.area.guide, context.baseUrl),
    parameters: describeParameters(route, schemas, calls),
    ...(requestBody && { requestBody }),
    responses: describeResponses(route, schemas, calls, isKeyNeeded),
    security: describeSecurity(spec.security ?? [], isKeyNeeded),
  };
}

/** Where people learn what a tag or an operation is about. */
export function describeGuide(guide: string | undefined, baseUrl: string): JsonObject {
  return guide === undefined ? {} : { externalDocs: { url: `${baseUrl}/guides/${guide}` } };
}

function describeParameters(
  { area, url, spec }: CataloguedRoute,
  schemas: ComponentSchemas,
  calls: readonly RecordedCall[],
): JsonValue {
  const inPath = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const path = {
    properties: {
      ...Object.fromEntries(inPath.map((name) => [name, spec.params?.[name] ?? Type.String()])),
      ...(url.endsWith('*') && { subPath: Type.String({ description: subPathMeaning }) }),
    },
  };
  const faults = area.isInfrastructure || spec.takesEverything ? {} : faultParameters;
  const common = area.isInfrastructure ? commonParameterNames.slice(-1) : commonParameterNames;
  return [
    ...parametersOf('path', [path], schemas, calls),
    ...parametersOf('query', [objectOf(spec.query), objectOf(faults)], schemas, calls),
    ...parametersOf('header', [objectOf(spec.headers)], schemas, calls),
    ...parametersOf('cookie', [objectOf(spec.cookies)], schemas, calls),
    ...common.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

const subPathMeaning =
  'Anything below the address; OpenAPI has no way to say that it may hold slashes.';

/** The first schema that has a parameter describes it. */
function parametersOf(
  place: 'path' | 'query' | 'header' | 'cookie',
  objects: readonly (ObjectSchema | undefined)[],
  schemas: ComponentSchemas,
  calls: readonly RecordedCall[],
): JsonObject[] {
  const parameters = new Map<string, JsonObject>();
  for (const { properties = {}, required = [] } of objects.filter((each) => each !== undefined)) {
    for (const [key, property] of Object.entries(properties)) {
      if (parameters.has(key)) continue;
      const { description, ...schema } = schemas.refer(property);
      const isRequired = required.includes(key) && schema.default === undefined;
      const example = parameterExample(calls, place, key, schema);
      parameters.set(key, {
        name: place === 'header' ? headerName(key) : key,
        in: place,
        ...(description !== undefined && { description }),
        ...((place === 'path' || isRequired) && { required: true }),
        // The name again with each value; what OpenAPI takes for granted, but not every tool does.
        ...(place === 'query' && schema.type === 'array' && { style: 'form', explode: true }),
        schema,
        ...(example !== undefined && { example }),
      });
    }
  }
  return [...parameters.values()];
}

/** As people write it: `X-Client-Id`. */
function headerName(name: string): string {
  return name.replace(/(?<![a-z])[a-z]/gi, (letter) => letter.toUpperCase());
}

/** Of these, tools reject a description with a body, though one is read: RFC 9110 section 9.3.1. */
const bodylessMethods = new Set(['GET', 'HEAD', 'TRACE']);

function describeRequestBody(
  method: string,
  { body: parsedBody, bodies, isBodyOptional }: AnySpec,
  schemas: ComponentSchemas,
  calls: readonly RecordedCall[],
): JsonObject | undefined {
  const body = parsedBody as object | undefined;
  const isOptional = body === undefined ? isBodyOptional : Object.hasOwn(body, 'default');
  const byType = body === undefined ? bodies : { 'application/json': body, ...bodies };
  const isMeaningless = body === undefined && bodylessMethods.has(method);
  if (byType === undefined || isMeaningless) return undefined;
  const content = Object.entries(byType).map(([type, schema]) => {
    const examples = requestExamples(calls, type);
    return [type, { schema: schemas.refer(schema), ...(examples && { examples }) }];
  });
  return { ...(!isOptional && { required: true }), content: Object.fromEntries(content) };
}

/** Of a response: its schemas by media type, and its headers. */
interface Answer {
  description: string;
  readonly content: Map<string, JsonObject[]>;
  readonly headers: HeaderSchemas;
}

function describeResponses(
  { area, method, url, spec }: CataloguedRoute,
  schemas: ComponentSchemas,
  calls: readonly RecordedCall[],
  isKeyNeeded: boolean,
): JsonObject {
  const responses = new Map<string, Answer>();
  function answer(status: string, description?: string): Answer {
    const known = responses.get(status);
    if (known !== undefined) return known;
    // What is wrong with any request is found before its route sets headers.
    const isEarly = status === '400';
    const made = {
      description: description ?? STATUS_CODES[status] ?? 'Any other response',
      content: new Map(),
      headers: {
        ...(area.area.defaults?.caching === 'sandbox' && (isEarly ? optional(vary) : vary)),
        ...headersByStatus[Number(status)],
        ...spec.responseHeaders?.[Number(status)],
      },
    };
    responses.set(status, made);
    return made;
  }
  function add(to: Answer, mediaType: string, body: object) {
    const known = to.content.get(mediaType) ?? [];
    const referred = schemas.refer(body);
    const isKnown = known.some((each) => JSON.stringify(each) === JSON.stringify(referred));
    if (!isKnown) to.content.set(mediaType, [...known, referred]);
  }

  for (const [status, response] of Object.entries((spec.responses ?? {}) as RouteResponses)) {
    const { description, content, ...body } = response;
    const described = answer(status, description);
    if (content !== undefined) {
      for (const [type, each] of Object.entries(content)) add(described, type, each.schema);
    } else if (body.type !== 'null') add(described, 'application/json', response);
  }
  // A malformed X-Sandbox or Host is rejected everywhere.
  add(answer('400'), 'application/json', errorSchema);
  if (isKeyNeeded) {
    for (const status of ['401', '429']) add(answer(status), 'application/json', errorSchema);
  }
  const { below = [], types = [] } = area.area.failures?.negotiated ?? {};
  const isShaped = below.some((start) => url.toLowerCase().startsWith(start));
  const shapedTypes = isShaped ? types : [];
  // A failure that was asked for has the common shape, whatever others of its status have.
  for (const [status, response] of area.isInfrastructure ? [] : responses) {
    if (status >= '400' && response.content.has('application/json')) {
      add(response, 'application/json', errorSchema);
      for (const type of shapedTypes) add(response, type, shapedError);
    }
  }

  const common = area.isInfrastructure ? faultlessHeaderNames : commonHeaderNames;
  const entries = [...responses].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    default: failureReference,
    ...Object.fromEntries(
      entries.map(([status, { description, content, headers }]) => [
        status,
        {
          description,
          headers: { ...referencesTo(common), ...describeHeaders(headers, schemas, calls, status) },
          ...(method !== 'HEAD' &&
            content.size > 0 && { content: describeContent(content, calls, status) }),
        },
      ]),
    ),
  };
}

/** Standards say what is in it. */
const shapedError = Type.Object({}, { additionalProperties: true });

type RouteResponses = Readonly<
  Record<
    string,
    {
      readonly type?: string;
      readonly description?: string;
      readonly content?: Readonly<Record<string, { readonly schema: object }>>;
    }
  >
>;

function describeContent(
  content: ReadonlyMap<string, readonly JsonObject[]>,
  calls: readonly RecordedCall[],
  status: string,
): JsonObject {
  const entries = [...content].map(([type, [first = {}, ...others]]) => {
    const schema = others.length === 0 ? first : { anyOf: [first, ...others] };
    const examples = responseExamples(calls, status, type, [...content.keys()]);
    return [type, { schema, ...(examples && { examples }) }];
  });
  return Object.fromEntries(entries);
}

function referencesTo(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function describeSecurity(own: readonly SecurityRequirement[], isKeyNeeded: boolean): JsonValue {
  if (!isKeyNeeded) return own as JsonValue;
  const alternatives = own.length === 0 ? [{}] : own;
  return alternatives.map((each) => ({ ...each, [serviceKeyName]: [] }));
}
