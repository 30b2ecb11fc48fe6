/** An OpenAPI 3.1 description of collections of one's own: by their schemas, or else as their records are. */

import { schemaOf } from './load/infer-shape.js';
import type { OwnModel } from './load/own-model.js';

type Json = Readonly<Record<string, unknown>>;

export function describeOwn(
  { data, shapeOf, schemaOf: knownSchemaOf, relations }: OwnModel,
  baseUrl: string,
): Json {
  const { names, collections } = data;
  const component = componentNames(names);
  const components: Record<string, unknown> = { Error: errorSchema };
  const paths: Record<string, unknown> = {};
  for (const name of names) {
    const known = component.get(name) ?? name;
    const pointer = `#/components/schemas/${known}`;
    const schema = knownSchemaOf(name);
    components[known] =
      schema === undefined ? schemaOf(shapeOf(name)) : withPointers(schema, pointer);
    const record = { $ref: pointer };
    const path = `/my/${encodeURIComponent(name)}`;
    if (collections.has(name)) {
      paths[path] = collectionPath(name, record);
      paths[`${path}/{id}`] = recordPath(name, record);
    } else paths[path] = singlePath(name, record);
  }
  for (const { children, parents } of relations()) {
    const path = `/my/${encodeURIComponent(parents)}/{id}/${encodeURIComponent(children)}`;
    const known = component.get(children) ?? children;
    paths[path] = nestedPath(children, parents, { $ref: `#/components/schemas/${known}` });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Your own data',
      version: '1',
      description:
        'Collections of a sandbox. Types that no schema says are inferred from the records.',
    },
    servers: [{ url: baseUrl }],
    tags: names.map((name) => ({ name })),
    paths,
    components: { schemas: components },
  };
}

const errorSchema = {
  type: 'object',
  properties: {
    status: { type: 'integer' },
    error: { type: 'string' },
    message: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { field: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
  required: ['status', 'error', 'message'],
};

/** Names that a component can have, each its own. */
function componentNames(names: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set(['Error']);
  return new Map(
    names.map((name, place) => {
      const plain = name.replace(/[^\w.-]/g, '_');
      const own = taken.has(plain) ? `${plain}_${place + 1}` : plain;
      taken.add(own);
      return [name, own];
    }),
  );
}

/** What a schema refers to inside itself is further inside the description. */
function withPointers(value: unknown, pointer: string): unknown {
  if (Array.isArray(value)) return value.map((each) => withPointers(each, pointer));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) =>
      name === '$ref' && typeof each === 'string'
        ? [name, pointer + each.slice(1)]
        : [name, withPointers(each, pointer)],
    ),
  );
}

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const response = (description: string, schema: unknown) => ({ description, ...json(schema) });
const rejected = response('What was wrong.', { $ref: '#/components/schemas/Error' });
const body = (schema: unknown) => ({ required: true, ...json(schema) });
const idParameter = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

const listParameters = [
  { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
  { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1 } },
  { name: 'offset', in: 'query', schema: { type: 'integer', minimum: 0 } },
  { name: 'sort', in: 'query', schema: { type: 'string' } },
  { name: 'order', in: 'query', schema: { type: 'string', enum: ['asc', 'desc'] } },
  { name: 'q', in: 'query', schema: { type: 'string' } },
];

function operation(name: string, method: string, summary: string, rest: Json): Json {
  const operationId = `${method}_${name.replace(/\W/g, '_')}`;
  return { operationId, summary, tags: [name], ...rest };
}

function collectionPath(name: string, record: Json): Json {
  return {
    get: operation(name, 'list', `List ${name}`, {
      parameters: listParameters,
      responses: { 200: response('Records.', { type: 'array', items: record }), '4XX': rejected },
    }),
    post: operation(name, 'create', `Create a record of ${name}`, {
      requestBody: body(record),
      responses: { 201: response('The record.', record), '4XX': rejected },
    }),
  };
}

function recordPath(name: string, record: Json): Json {
  const responses = { 200: response('The record.', record), '4XX': rejected };
  const patch = { type: 'object', additionalProperties: true };
  return {
    parameters: [idParameter],
    get: operation(name, 'get', `Get a record of ${name}`, { responses }),
    put: operation(name, 'replace', `Replace a record of ${name}`, {
      requestBody: body(record),
      responses,
    }),
    patch: operation(name, 'change', `Change a record of ${name}`, {
      requestBody: body(patch),
      responses,
    }),
    delete: operation(name, 'delete', `Delete a record of ${name}`, {
      responses: { 204: { description: 'It is gone.' }, '4XX': rejected },
    }),
  };
}

function nestedPath(children: string, parents: string, record: Json): Json {
  const name = `${children}_of_${parents}`;
  return {
    parameters: [idParameter],
    get: operation(children, `list_${name}`, `List ${children} of a record of ${parents}`, {
      parameters: listParameters,
      responses: { 200: response('Records.', { type: 'array', items: record }), '4XX': rejected },
    }),
  };
}

function singlePath(name: string, record: Json): Json {
  const responses = { 200: response('The resource.', record), '4XX': rejected };
  const patch = { type: 'object', additionalProperties: true };
  return {
    get: operation(name, 'get', `Get ${name}`, { responses }),
    put: operation(name, 'replace', `Replace ${name}`, { requestBody: body(record), responses }),
    patch: operation(name, 'change', `Change ${name}`, { requestBody: body(patch), responses }),
  };
}
