/** An OpenAPI 3.1 description of a caller's data: by its schemas, or else as its records are. */

import { ownPath } from './initial-data.js';
import { schemaOf } from './load/infer-shape.js';
import type { OwnModel } from './load/own-model.js';

type Json = Readonly<Record<string, unknown>>;

export function describeOwn(model: OwnModel, baseUrl: string): Json {
  const { members } = model.data;
  const component = componentNames([...members.keys()]);
  const refOf = (name: string) => ({ $ref: `#/components/schemas/${component.get(name)}` });
  const components: Record<string, unknown> = { Error: errorSchema };
  const paths: Record<string, Json> = {};
  for (const [name, { isSingle }] of members) {
    const record = refOf(name);
    const schema = model.schemaOf(name);
    components[component.get(name) ?? name] =
      schema === undefined ? schemaOf(model.shapeOf(name)) : withPointers(schema, record.$ref);
    const pathsOf = isSingle ? singlePaths : collectionPaths;
    Object.assign(paths, pathsOf(ownPath(name), name, record));
  }
  for (const { children, parents } of model.relations()) {
    const path = `${ownPath(parents)}/{id}/${encodeURIComponent(children)}`;
    const id = `list_${children}_of_${parents}`;
    const summary = `List ${children} of a record of ${parents}`;
    const get = operation(children, id, summary, listing(refOf(children)));
    paths[path] = { parameters: [idParameter], get };
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
    tags: [...members.keys()].map((name) => ({ name })),
    paths,
    components: { schemas: components },
  };
}

const fault = {
  type: 'object',
  properties: { field: { type: 'string' }, message: { type: 'string' } },
};

const errorSchema = {
  type: 'object',
  properties: {
    status: { type: 'integer' },
    error: { type: 'string' },
    message: { type: 'string' },
    errors: { type: 'array', items: fault },
  },
  required: ['status', 'error', 'message'],
};

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
const rejected = { '4XX': response('What was wrong.', { $ref: '#/components/schemas/Error' }) };
const body = (schema: unknown) => ({ requestBody: { required: true, ...json(schema) } });
const idParameter = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const anyObject = { type: 'object', additionalProperties: true };

const listParameters = [
  { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
  { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1 } },
  { name: 'offset', in: 'query', schema: { type: 'integer', minimum: 0 } },
  { name: 'sort', in: 'query', schema: { type: 'string' } },
  { name: 'order', in: 'query', schema: { type: 'string', enum: ['asc', 'desc'] } },
  { name: 'q', in: 'query', schema: { type: 'string' } },
];

function listing(record: Json): Json {
  const records = response('Records.', { type: 'array', items: record });
  return { parameters: listParameters, responses: { 200: records, ...rejected } };
}

function operation(name: string, id: string, summary: string, rest: Json): Json {
  const operationId = `${id}_${name.replace(/\W/g, '_')}`;
  return { operationId, summary, tags: [name], ...rest };
}

function collectionPaths(path: string, name: string, record: Json): Record<string, Json> {
  const shown = response('The record.', record);
  const gone = { description: 'It is gone.' };
  const of = (id: string, what: string, rest: Json, responses: Json = { 200: shown }) =>
    operation(name, id, `${what} of ${name}`, {
      ...rest,
      responses: { ...responses, ...rejected },
    });
  return {
    [path]: {
      get: operation(name, 'list', `List ${name}`, listing(record)),
      post: of('create', 'Create a record', body(record), { 201: shown }),
    },
    [`${path}/{id}`]: {
      parameters: [idParameter],
      get: of('get', 'Get a record', {}),
      put: of('replace', 'Replace a record', body(record)),
      patch: of('change', 'Change a record', body(anyObject)),
      delete: of('delete', 'Delete a record', {}, { 204: gone }),
    },
  };
}

function singlePaths(path: string, name: string, record: Json): Record<string, Json> {
  const responses = { 200: response('The resource.', record), ...rejected };
  return {
    [path]: {
      get: operation(name, 'get', `Get ${name}`, { responses }),
      put: operation(name, 'replace', `Replace ${name}`, { ...body(record), responses }),
      patch: operation(name, 'change', `Change ${name}`, { ...body(anyObject), responses }),
    },
  };
}
