/**
 * Describes one route and method as an OpenAPI operation: its input, and every possible response.
 */

import { STATUS_CODES } from 'node:http';
import { Type } from 'typebox';
import { parametersIn } from '#http/address/route-path.js';
import type { Fields } from '#http/exchange.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import { optional, vary } from '#http/schemas/header-schemas.js';
import { partAt } from '#kit/describe/area-part.js';
import { faultParameters } from '#kit/describe/fault-parameters.js';
import { nameOperation } from '#kit/describe/name-operation.js';
import { type AnySpec, isDetail, type SecurityRequirement } from '#kit/endpoint.js';
import type { CataloguedRoute } from '#kit/route-catalogue.js';
import { serviceKeyName } from '#kit/service-key.js';
import {
  commonHeaderNames,
  commonParameterNames,
  failureReference,
  faultlessHeaderNames,
  headersByStatus,
} from './common-parts.js';
import type { ComponentSchemas } from './component-schemas.js';
import { parameterExample, requestExamples, responseExamples } from './describe-examples.js';
import { describeHeaders } from './describe-headers.js';
import {
  type Formats,
  headersForBrowsers,
  withJsonOnly,
  withoutSchemas,
  withRequestExample,
  withShortExample,
} from './formats.js';
import type { JsonObject, JsonValue } from './json.js';
import type { RecordedCall, RecordedCalls } from './recorded-calls.js';

export interface OperationContext {
  readonly schemas: ComponentSchemas;
  readonly isAccountRequired: boolean;
  readonly recordedCalls: RecordedCalls;
  readonly formats: Formats;
  readonly baseUrl: string;
}

export function describeOperation(route: CataloguedRoute, context: OperationContext): JsonObject {
  const { area, method, url, spec, isOpen } = route;
  const { schemas, formats } = context;
  const operationId = nameOperation(method, url);
  const calls = context.recordedCalls[operationId] ?? [];
  const isKeyNeeded = context.isAccountRequired && !isOpen;
  const requestBody = describeRequestBody(method, spec, schemas, calls);
  const responses = describeResponses(route, schemas, calls, isKeyNeeded);
  const guide = partAt(area.area, url)?.guide ?? area.area.guide;
  const description = describeMethods(route);
  const security = describeSecurity(spec.security ?? [], isKeyNeeded);
  return {
    operationId,
    tags: [area.area.name],
    summary: spec.summary ?? '',
    ...(description && { description }),
    ...(route.methods.length > 1 && { 'x-methods': route.methods }),
    ...(spec.deprecated && { deprecated: true }),
    // Its tag already links to the guide of the area.
    ...((formats === 'all' || guide !== area.area.guide) && describeGuide(guide, context.baseUrl)),
    parameters: describeParameters(route, context, calls),
    ...(requestBody && { requestBody: formats === 'json' ? shortBody(requestBody) : requestBody }),
    responses: formats === 'json' ? shortResponses(responses) : responses,
    ...(formats === 'json' && security.length === 0 ? {} : { security }),
  };
}

function describeMethods({ method, methods, spec: { description } }: CataloguedRoute) {
  if (methods.length === 1) return description;
  const others = `Any method works; ${method} represents the methods that this path does not describe.`;
  return description === undefined ? others : `${description} ${others}`;
}

function shortBody(body: JsonObject): JsonObject {
  const content = withJsonOnly(body.content as JsonObject, 'requests');
  return { ...body, content: withRequestExample(content) };
}

/** Describes failures once where many operations share them. */
export function shortResponses(responses: JsonObject): JsonObject {
  // Clients need each status of an operation; failures that any request can have are described
  // once. Tools reject an operation without a success, such as a redirect.
  const hasSuccess = Object.keys(responses).some((status) => status.startsWith('2'));
  const shown = Object.entries(responses as Readonly<Record<string, JsonObject>>).filter(
    ([, { $ref }]) => !hasSuccess || $ref !== failureReference.$ref,
  );
  return Object.fromEntries(shown.map(([status, response]) => [status, shortResponse(response)]));
}

function shortResponse({ content, headers, ...response }: JsonObject): JsonObject {
  if (response.$ref !== undefined) return response;
  const own = Object.entries((headers ?? {}) as Readonly<Record<string, JsonObject>>)
    .filter(([name]) => !commonHeaderNames.includes(name) && !headersForBrowsers.includes(name))
    .map(([name, { example: _, ...header }]) => [name, header]);
  const json = content && withJsonOnly(content as JsonObject, 'responses');
  return {
    ...response,
    ...(own.length > 0 && { headers: Object.fromEntries(own) }),
    ...(json && { content: withShortExample(json, withoutSchemas) }),
  };
}

/** Links a tag or an operation to its guide. */
export function describeGuide(guide: string | undefined, baseUrl: string): JsonObject {
  return guide === undefined ? {} : { externalDocs: { url: `${baseUrl}/guides/${guide}` } };
}

function describeParameters(
  { area, url, spec }: CataloguedRoute,
  { schemas, formats }: OperationContext,
  calls: readonly RecordedCall[],
): JsonValue {
  const inPath = parametersIn(url);
  const path = {
    ...Object.fromEntries(inPath.map((name) => [name, spec.params?.[name] ?? Type.String()])),
    ...(url.endsWith('*') && { subPath: Type.String({ description: subPathMeaning }) }),
  };
  const { delay, error, ...refinements } = faultParameters;
  const known = { delay, error, ...(formats === 'all' && refinements) };
  const faults = area.isInfrastructure || spec.queryFaults === 'none' ? {} : known;
  // Parameters of the operation come first, and override the common ones.
  const whole: Fields = { ...spec.query, ...faults, ...spec.query };
  const query: Fields =
    formats === 'all'
      ? whole
      : Object.fromEntries(Object.entries(whole).filter(([, each]) => !isDetail(each)));
  const common = area.isInfrastructure ? commonParameterNames.slice(-1) : commonParameterNames;
  return [
    ...parametersOf('path', schemas, calls, path),
    ...parametersOf('query', schemas, calls, query),
    ...parametersOf('header', schemas, calls, spec.headers),
    ...parametersOf('cookie', schemas, calls, spec.cookies),
    // Every operation has them, and clients can send them without a description.
    ...(formats === 'all' ? common : []).map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
  ];
}

const subPathMeaning =
  'The rest of the path. It may contain slashes, which OpenAPI cannot express.';

function parametersOf(
  place: 'path' | 'query' | 'header' | 'cookie',
  schemas: ComponentSchemas,
  calls: readonly RecordedCall[],
  fields: Fields = {},
): JsonObject[] {
  return Object.entries(fields).map(([key, property]) => {
    const { description, ...schema } = schemas.refer(property);
    const isRequired = !Type.IsOptional(property) && schema.default === undefined;
    const example = parameterExample(calls, place, key, schema);
    return {
      name: place === 'header' ? headerName(key) : key,
      in: place,
      ...(description !== undefined && { description }),
      ...((place === 'path' || isRequired) && { required: true }),
      // Repeat the name for each value: the default in OpenAPI, but not in every tool.
      ...(place === 'query' && schema.type === 'array' && { style: 'form', explode: true }),
      schema,
      ...(example !== undefined && { example }),
    };
  });
}

/** Writes a header name with capitals, such as `X-Client-Id`. */
function headerName(name: string): string {
  return name.replace(/(?<![a-z])[a-z]/gi, (letter) => letter.toUpperCase());
}

/** Tools reject bodies of these methods in a description: RFC 9110 section 9.3.1. */
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

/** Schemas of a response by media type, and its description. */
interface Contents {
  readonly description: string;
  readonly byType: Record<string, JsonObject[]>;
}

function describeResponses(
  { area, url, method, spec }: CataloguedRoute,
  schemas: ComponentSchemas,
  calls: readonly RecordedCall[],
  isKeyNeeded: boolean,
): JsonObject {
  const responses = contentsOf(spec, schemas, isKeyNeeded);
  const { below = [], types = [] } = area.area.failures?.negotiated ?? {};
  const isShaped = below.some((start) => url.toLowerCase().startsWith(start));
  // A simulated failure has the common shape, even if other errors of the status have their own.
  for (const [status, { byType }] of area.isInfrastructure ? [] : responses) {
    if (status < '400' || byType['application/json'] === undefined) continue;
    addTo(byType, 'application/json', schemas.refer(errorSchema));
    for (const type of isShaped ? types : []) addTo(byType, type, schemas.refer(shapedError));
  }
  const common = area.isInfrastructure ? faultlessHeaderNames : commonHeaderNames;
  const commonHeaders = Object.fromEntries(
    common.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  const { caching = 'revalidate' } = area.area.defaults ?? {};
  const isVaried = caching !== 'revalidate';
  const entries = [...responses].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    default: failureReference,
    ...Object.fromEntries(
      entries.map(([status, { description, byType }]) => {
        const headers = {
          // Faults of any request are found before its route sets headers.
          ...(isVaried && (status === '400' ? optional(vary) : vary)),
          ...(status === '404' && !isVaried && optional(vary)),
          ...headersByStatus[Number(status)],
          ...spec.responseHeaders?.[Number(status)],
        };
        const hasContent = method !== 'HEAD' && Object.keys(byType).length > 0;
        const response = {
          description,
          headers: { ...commonHeaders, ...describeHeaders(headers, schemas, calls, status) },
          ...(hasContent && { content: describeContent(byType, calls, status) }),
        };
        return [status, response];
      }),
    ),
  };
}

/** Error shapes that a standard defines. */
const shapedError = Type.Object({}, { additionalProperties: true });

/** By status. */
function contentsOf(
  { responses = {}, body, security = [] }: AnySpec,
  schemas: ComponentSchemas,
  isKeyNeeded: boolean,
): Map<string, Contents> {
  const contents = new Map<string, Contents>();
  for (const [status, response] of Object.entries<RouteResponse | undefined>(responses)) {
    if (response === undefined) continue;
    const { description = STATUS_CODES[status] ?? 'Any other response', content, type } = response;
    const json = type === 'null' ? {} : { 'application/json': { schema: response } };
    const byType = Object.entries(content ?? json).map(([mediaType, { schema }]) => [
      mediaType,
      [schemas.refer(schema)],
    ]);
    contents.set(status, { description, byType: Object.fromEntries(byType) });
  }
  const ofInput = [...(body ? ['413', '415'] : []), ...(security.length > 0 ? ['401'] : [])];
  const derived = ofInput.filter((status) => !Object.hasOwn(responses, status));
  // A malformed X-Sandbox or Host is rejected everywhere.
  for (const status of [...derived, '400', ...(isKeyNeeded ? ['401', '429'] : [])]) {
    const { description = STATUS_CODES[status] ?? '', byType = {} } = contents.get(status) ?? {};
    addTo(byType, 'application/json', schemas.refer(errorSchema));
    contents.set(status, { description, byType });
  }
  return contents;
}

function addTo(byType: Contents['byType'], mediaType: string, schema: JsonObject): void {
  const known = byType[mediaType] ?? [];
  const isKnown = known.some((each) => JSON.stringify(each) === JSON.stringify(schema));
  if (!isKnown) byType[mediaType] = [...known, schema];
}

interface RouteResponse {
  readonly type?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

function describeContent(
  byType: Contents['byType'],
  calls: readonly RecordedCall[],
  status: string,
): JsonObject {
  const types = Object.keys(byType);
  const entries = Object.entries(byType).map(([type, [first = {}, ...others]]) => {
    const schema = others.length === 0 ? first : { anyOf: [first, ...others] };
    const examples = responseExamples(calls, status, type, types);
    return [type, { schema, ...(examples && { examples }) }];
  });
  return Object.fromEntries(entries);
}

function describeSecurity(
  own: readonly SecurityRequirement[],
  isKeyNeeded: boolean,
): readonly JsonObject[] {
  if (!isKeyNeeded) return own as readonly JsonObject[];
  const alternatives = own.length === 0 ? [{}] : own;
  return alternatives.map((each) => ({ ...each, [serviceKeyName]: [] }));
}
