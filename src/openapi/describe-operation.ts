/** One route and verb as an OpenAPI operation: what it takes, and everything it can answer. */

import { STATUS_CODES } from 'node:http';
import type { FastifySchema } from 'fastify';
import { Type } from 'typebox';
import type { HeaderSchemas, SecurityRequirement } from '../server/area.js';
import { errorSchema } from '../server/error-schema.js';
import { faultParameters } from '../server/fault-parameters.js';
import {
  commonHeaderNames,
  commonParameterNames,
  failureReference,
  headersByStatus,
  serviceKeyName,
} from './common-parts.js';
import type { ComponentSchemas } from './component-schemas.js';
import type { JsonObject, JsonValue } from './json.js';
import { nameOperation } from './name-operation.js';
import type { CataloguedRoute } from './route-catalogue.js';

export interface OperationContext {
  readonly schemas: ComponentSchemas;
  readonly isAccountRequired: boolean;
}

export function describeOperation(route: CataloguedRoute, context: OperationContext): JsonObject {
  const { area, method, url, schema, isOpen } = route;
  const { schemas } = context;
  const isKeyNeeded = context.isAccountRequired && !isOpen;
  const requestBody = describeRequestBody(schema, schemas);
  return {
    operationId: nameOperation(method, url),
    tags: [area.area.name],
    summary: schema.summary ?? '',
    ...(schema.description && { description: schema.description }),
    parameters: describeParameters(route, schemas),
    ...(requestBody && { requestBody }),
    responses: describeResponses(route, schemas, isKeyNeeded),
    security: describeSecurity(schema.security ?? [], isKeyNeeded),
  };
}

/** An object schema, as far as it is looked into here. */
interface ObjectSchema {
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

function describeParameters(
  { area, url, schema }: CataloguedRoute,
  schemas: ComponentSchemas,
): JsonValue {
  const { described = {} } = schema;
  const inPath = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const pathSchemas = (schema.params as ObjectSchema | undefined)?.properties ?? {};
  const path = {
    properties: {
      ...Object.fromEntries(inPath.map((name) => [name, pathSchemas[name] ?? Type.String()])),
      ...(url.endsWith('*') && { subPath: Type.String({ description: subPathMeaning }) }),
    },
  };
  const faults = area.isInfrastructure ? {} : faultParameters;
  const queries = [
    schema.querystring as ObjectSchema | undefined,
    objectOf(described.querystring),
    objectOf(faults),
  ];
  const headers = [schema.headers as ObjectSchema | undefined, objectOf(described.headers)];
  const common = area.isInfrastructure ? commonParameterNames.slice(-1) : commonParameterNames;
  return [
    ...parametersOf('path', [path], schemas),
    ...parametersOf('query', queries, schemas),
    ...parametersOf('header', headers, schemas),
    ...parametersOf('cookie', [objectOf(described.cookies)], schemas),
    ...common.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

const subPathMeaning =
  'Anything below the address; OpenAPI has no way to say that it may hold slashes.';

function objectOf(schemas: HeaderSchemas | undefined): ObjectSchema | undefined {
  return schemas && Type.Object({ ...schemas });
}

/** The first schema that has a parameter describes it. */
function parametersOf(
  place: 'path' | 'query' | 'header' | 'cookie',
  objects: readonly (ObjectSchema | undefined)[],
  schemas: ComponentSchemas,
): JsonObject[] {
  const parameters = new Map<string, JsonObject>();
  for (const { properties = {}, required = [] } of objects.filter((each) => each !== undefined)) {
    for (const [key, property] of Object.entries(properties)) {
      if (parameters.has(key)) continue;
      const { description, ...schema } = schemas.refer(property);
      parameters.set(key, {
        name: place === 'header' ? headerName(key) : key,
        in: place,
        ...(description !== undefined && { description }),
        ...((place === 'path' || required.includes(key)) && { required: true }),
        schema,
      });
    }
  }
  return [...parameters.values()];
}

/** As people write it: `X-Client-Id`. */
function headerName(name: string): string {
  return name.replace(/(?<![a-z])[a-z]/gi, (letter) => letter.toUpperCase());
}

function describeRequestBody(
  { body: parsedBody, described = {} }: FastifySchema,
  schemas: ComponentSchemas,
): JsonObject | undefined {
  const body = parsedBody as object | undefined;
  const isOptional = body === undefined ? described.isBodyOptional : Object.hasOwn(body, 'default');
  const byType = body === undefined ? described.body : { 'application/json': body };
  if (byType === undefined) return undefined;
  const content = Object.entries(byType).map(([type, schema]) => [
    type,
    { schema: schemas.refer(schema) },
  ]);
  return { ...(!isOptional && { required: true }), content: Object.fromEntries(content) };
}

/** Of an answer: its schemas by media type, and its headers. */
interface Answer {
  description: string;
  readonly content: Map<string, JsonObject[]>;
  readonly headers: HeaderSchemas;
}

function describeResponses(
  { area, method, schema }: CataloguedRoute,
  schemas: ComponentSchemas,
  isKeyNeeded: boolean,
): JsonObject {
  const answers = new Map<number, Answer>();
  function answer(status: number, description?: string): Answer {
    const known = answers.get(status);
    if (known !== undefined) return known;
    const made = {
      description: description ?? STATUS_CODES[status] ?? 'An answer',
      content: new Map(),
      headers: {
        ...area.area.answerHeaders,
        ...headersByStatus[status],
        ...schema.responseHeaders?.[status],
      },
    };
    answers.set(status, made);
    return made;
  }
  function add(to: Answer, mediaType: string, body: object) {
    const known = to.content.get(mediaType) ?? [];
    const referred = schemas.refer(body);
    const isKnown = known.some((each) => JSON.stringify(each) === JSON.stringify(referred));
    if (!isKnown) to.content.set(mediaType, [...known, referred]);
  }

  for (const [status, response] of Object.entries((schema.response ?? {}) as RouteResponses)) {
    const { description, content, ...body } = response;
    const described = answer(Number(status), description);
    if (content !== undefined) {
      for (const [type, each] of Object.entries(content)) add(described, type, each.schema);
    } else if (body.type !== 'null') add(described, 'application/json', response);
  }
  if (!area.isInfrastructure) add(answer(400), 'application/json', errorSchema);
  if (isKeyNeeded) {
    for (const status of [401, 429]) add(answer(status), 'application/json', errorSchema);
  }

  const common = area.isInfrastructure ? commonHeaderNames.slice(0, 1) : commonHeaderNames;
  const entries = [...answers].sort(([a], [b]) => a - b);
  return {
    ...Object.fromEntries(
      entries.map(([status, { description, content, headers }]) => [
        String(status),
        {
          description,
          headers: { ...referencesTo(common), ...describeHeaders(headers, schemas) },
          ...(method !== 'HEAD' && content.size > 0 && { content: describeContent(content) }),
        },
      ]),
    ),
    default: failureReference,
  };
}

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

function describeContent(content: ReadonlyMap<string, readonly JsonObject[]>): JsonObject {
  const entries = [...content].map(([type, [first = {}, ...others]]) => [
    type,
    { schema: others.length === 0 ? first : { anyOf: [first, ...others] } },
  ]);
  return Object.fromEntries(entries);
}

function referencesTo(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export function describeHeaders(headers: HeaderSchemas, schemas: ComponentSchemas): JsonObject {
  const { properties = {}, required = [] } = objectOf(headers) ?? {};
  const entries = Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = schemas.refer(property);
    const isRequired = required.includes(name);
    const header = {
      ...(description !== undefined && { description }),
      ...(isRequired && { required: true }),
      schema,
    };
    return [name, header];
  });
  return Object.fromEntries(entries);
}

function describeSecurity(own: readonly SecurityRequirement[], isKeyNeeded: boolean): JsonValue {
  if (!isKeyNeeded) return own as JsonValue;
  const alternatives = own.length === 0 ? [{}] : own;
  return alternatives.map((each) => ({ ...each, [serviceKeyName]: [] }));
}
