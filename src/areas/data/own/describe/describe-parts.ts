/** The operations of collections and single resources of a caller, for their OpenAPI description. */

import { Type } from 'typebox';
import { patchBodies } from '../../patch/patch-bodies.js';
import { maxLimit, maxSearchLength } from '../../read/list-query.js';

export type Json = Readonly<Record<string, unknown>>;

interface SingleSchemas {
  readonly record: Json;
  readonly body: Json;
  readonly patch: Json;
}

interface Described {
  /** References to the schemas of a record, and of a body with an optional id. */
  readonly record: Json;
  readonly body: Json;
  /** The names of the filter parameters. */
  readonly filters: readonly string[];
}

const fault = {
  type: 'object',
  properties: { field: { type: 'string' }, message: { type: 'string' } },
  required: ['field', 'message'],
};

export const errorSchema = {
  type: 'object',
  properties: {
    status: { type: 'integer' },
    error: { type: 'string' },
    message: { type: 'string' },
    errors: { type: 'array', items: fault },
  },
  required: ['status', 'error', 'message'],
};

const text = { type: 'string' };
const query = (name: string, schema: Json) => ({ name, in: 'query', schema });
const header = (name: string, description: string) => ({
  ...{ name, in: 'header', description },
  schema: text,
});

const ofLists: Readonly<Record<string, Json>> = {
  limit: query('limit', { type: 'integer', minimum: 1, maximum: maxLimit }),
  page: query('page', { type: 'integer', minimum: 1 }),
  offset: query('offset', { type: 'integer', minimum: 0 }),
  sort: query('sort', text),
  order: query('order', { type: 'string', enum: ['asc', 'desc'] }),
  q: query('q', { type: 'string', maxLength: maxSearchLength }),
  fields: query('fields', text),
  embed: query('embed', text),
};

export const listParameters = Object.keys(ofLists);

export const parameters: Readonly<Record<string, Json>> = {
  ...ofLists,
  id: { name: 'id', in: 'path', required: true, schema: text },
  upsert: query('upsert', { type: 'boolean' }),
  since: query('since', text),
  wait: query('wait', { type: 'integer', minimum: 0 }),
  ifMatch: header('If-Match', 'An entity tag. The record must match it.'),
  ifNoneMatch: header('If-None-Match', 'An entity tag. 304 if the record matches it.'),
  prefer: header('Prefer', 'RFC 7240, such as return=minimal.'),
  idempotencyKey: header('Idempotency-Key', 'Performs a repeated request only once.'),
};

const integer = { type: 'integer' };

export const headers: Readonly<Record<string, Json>> = {
  'X-Total-Count': { schema: integer, description: 'Number of matching records.' },
  'X-Page': { schema: integer },
  'X-Per-Page': { schema: integer },
  'X-Total-Pages': { schema: integer },
  Link: { schema: text, description: 'The other pages (RFC 8288).' },
  ETag: { schema: text, description: 'An entity tag.' },
  'Last-Modified': { schema: text },
  Location: { schema: text, description: 'The URL of the record.' },
};

const content = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

const failures: Readonly<Record<number, string>> = {
  400: 'A parameter or a member of the body is invalid; errors names each.',
  404: 'The record does not exist.',
  409: 'The id is already used, or a limit is reached.',
  412: "The record does not meet the request's condition.",
  413: 'The body is too large.',
  415: 'The body has an unsupported type.',
};

export const responses: Readonly<Record<string, Json>> = Object.fromEntries(
  Object.entries(failures).map(([status, description]) => [
    `Error${status}`,
    { description, ...content(ref('schemas', 'Error')) },
  ]),
);

const rejected = (...statuses: readonly number[]) =>
  Object.fromEntries(statuses.map((status) => [status, ref('responses', `Error${status}`)]));

const named = (...names: readonly string[]) => names.map((name) => ref('parameters', name));
const withHeaders = (...names: readonly string[]) => ({
  headers: Object.fromEntries(names.map((name) => [name, ref('headers', name)])),
});

const response = (description: string, schema: unknown, ...names: readonly string[]) => ({
  description,
  ...(names.length > 0 && withHeaders(...names)),
  ...content(schema),
});

const state = ['ETag', 'Last-Modified'];
const body = (schema: unknown) => ({ requestBody: { required: true, ...content(schema) } });

function patchBody(mergePatch: Json): Json {
  const schemas = Object.entries(patchBodies(Type.Unsafe(mergePatch)));
  const byType = schemas.map(([type, schema]) => [type, { schema }] as const);
  return { requestBody: { required: true, content: Object.fromEntries(byType) } };
}

function operation(name: string, action: string, summary: string, rest: Json): Json {
  return { operationId: `${action}_${name.replace(/\W/g, '_')}`, summary, tags: [name], ...rest };
}

function listing({ record, filters }: Described): Json {
  const paging = ['X-Total-Count', 'Link', 'X-Page', 'X-Per-Page', 'X-Total-Pages'];
  return {
    parameters: named(...listParameters, ...filters),
    responses: {
      200: response('Records.', { type: 'array', items: record }, ...paging),
      ...rejected(400, 404),
    },
  };
}

function creating(described: Described): Json {
  return {
    parameters: named('prefer', 'idempotencyKey'),
    ...body(described.body),
    responses: {
      201: response('The record.', described.record, 'Location', ...state),
      ...rejected(400, 404, 409, 413, 415),
    },
  };
}

export function collectionPaths(
  path: string,
  name: string,
  described: Described & { readonly patch: Json },
): Record<string, Json> {
  const { record, body: whole, patch, filters } = described;
  const shown = response('The record.', record, ...state);
  const of = (action: string, what: string, rest: Json) =>
    operation(name, action, `${what} of ${name}`, rest);
  const conditional = named('ifMatch', 'ifNoneMatch', 'prefer');
  const failing = rejected(400, 404, 409, 412, 413, 415);
  return {
    [path]: {
      get: operation(name, 'list', `List ${name}`, listing(described)),
      post: of('create', 'Create a record', creating(described)),
    },
    [`${path}/count`]: {
      get: operation(name, 'count', `Count ${name}`, {
        parameters: named('q', ...filters),
        responses: { 200: response('The count.', countSchema), ...rejected(400, 404) },
      }),
    },
    [`${path}/changes`]: {
      get: of('changes', 'List changes', {
        parameters: named('since', 'wait'),
        responses: { 200: response('The changes.', changesSchema), ...rejected(400, 404) },
      }),
    },
    [`${path}/{id}`]: {
      parameters: named('id'),
      get: of('get', 'Get a record', {
        parameters: named('fields', 'embed', 'ifNoneMatch'),
        responses: {
          200: shown,
          304: { description: 'Not modified.' },
          ...rejected(400, 404, 412),
        },
      }),
      put: of('replace', 'Replace a record', {
        parameters: [...conditional, ...named('upsert')],
        ...body(whole),
        responses: {
          200: shown,
          201: response('The created record.', record, 'Location', ...state),
          ...failing,
        },
      }),
      patch: of('change', 'Change a record', {
        parameters: [...conditional, ...named('idempotencyKey')],
        ...patchBody(patch),
        responses: { 200: shown, ...failing },
      }),
      delete: of('delete', 'Delete a record', {
        parameters: conditional,
        responses: { 204: { description: 'The record was deleted.' }, ...rejected(400, 404, 412) },
      }),
    },
  };
}

const countSchema = { type: 'object', properties: { count: integer }, required: ['count'] };
const changesSchema = {
  type: 'object',
  properties: { changes: { type: 'array', items: { type: 'object' } }, token: text },
  required: ['changes', 'token'],
};

export function childPath(children: string, parents: string, described: Described): Json {
  const suffix = `of_${parents.replace(/\W/g, '_')}`;
  const of = (action: string, what: string, rest: Json) => {
    const { operationId, ...others } = operation(children, action, what, rest);
    return { operationId: `${operationId}_${suffix}`, ...others };
  };
  return {
    parameters: named('id'),
    get: of('list', `List ${children} of a record of ${parents}`, listing(described)),
    post: of(
      'create',
      `Create a record of ${children} below a record of ${parents}`,
      creating(described),
    ),
  };
}

export function singlePath(name: string, { record, body: whole, patch }: SingleSchemas): Json {
  const shown = { 200: response('The resource.', record, ...state) };
  const conditional = named('ifMatch', 'ifNoneMatch', 'prefer');
  const failing = rejected(400, 404, 412, 413, 415);
  return {
    get: operation(name, 'get', `Get ${name}`, {
      parameters: named('ifNoneMatch'),
      responses: { ...shown, 304: { description: 'Not modified.' }, ...rejected(400, 404, 412) },
    }),
    put: operation(name, 'replace', `Replace ${name}`, {
      parameters: conditional,
      ...body(whole),
      responses: { ...shown, ...failing },
    }),
    patch: operation(name, 'change', `Change ${name}`, {
      parameters: conditional,
      ...patchBody(patch),
      responses: { ...shown, ...failing },
    }),
  };
}
