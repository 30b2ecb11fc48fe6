/** An OpenAPI 3.1 description of a caller's data, from its schemas or its records. */

import { isObject } from '#base/json-object.js';
import { ownPath } from '../initial-data.js';
import { type Shape, schemaOf } from '../load/infer-shape.js';
import type { OwnModel } from '../load/own-model.js';
import type { OwnRelation } from '../load/own-relations.js';
import { ownFields } from '../query/own-fields.js';
import { bodySchema, patchSchema, withoutRequired } from './body-schemas.js';
import * as parts from './describe-parts.js';

type Json = parts.Json;

/** The current data. */
export interface OwnView {
  readonly model: OwnModel;
  readonly shapeOf: (name: string) => Shape;
  readonly relations: readonly OwnRelation[];
}

/** Limit of fields of a collection that are described as filters. */
const maxFilters = 20;

export function describeOwn({ model, shapeOf, relations }: OwnView, baseUrl: string): Json {
  const { members, names } = model.data;
  const component = componentNames([...members.keys()]);
  const schemas: Record<string, unknown> = { Error: parts.errorSchema };
  const parameters: Record<string, Json> = { ...parts.parameters };
  const paths: Record<string, Json> = {};
  for (const [name, { isSingle }] of members) {
    const key = component.get(name) ?? name;
    const isInferred = !isObject(model.schemaOf(name));
    const record = recordSchema(model, name, shapeOf(name), key);
    const ofCollection = isSingle ? record : withId(record, names.id, shapeOf(name));
    schemas[key] = ofCollection;
    const ref = { $ref: `#/components/schemas/${key}` };
    if (isSingle) {
      const body = bodySchema(record, isInferred);
      const patch = patchSchema(record, isInferred);
      paths[ownPath(name)] = parts.singlePath(name, { record: ref, body, patch });
      continue;
    }
    schemas[`${key}_new`] = bodySchema(ofCollection, isInferred, names.id);
    const filters = filterParameters(shapeOf(name), names.id, key);
    Object.assign(parameters, filters);
    Object.assign(
      paths,
      parts.collectionPaths(ownPath(name), name, {
        record: ref,
        body: { $ref: `${ref.$ref}_new` },
        patch: patchSchema(ofCollection, isInferred),
        filters: Object.keys(filters),
      }),
    );
  }
  for (const { children, field, parents } of uniquePairs(relations)) {
    const key = component.get(children) ?? children;
    const ref = { $ref: `#/components/schemas/${key}` };
    const filters = Object.keys(parameters).filter((each) => each.startsWith(`${key}.`));
    const path = `${ownPath(parents)}/{id}/${encodeURIComponent(children)}`;
    const body = bodyBelow(schemas, `${key}_new`, field);
    paths[path] = parts.childPath(children, parents, { record: ref, body, filters });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Your own data',
      version: '1',
      description:
        'Collections of a sandbox. Types without a schema are inferred from the records.',
    },
    servers: [{ url: baseUrl }],
    tags: [...members.keys()].map((name) => ({ name })),
    paths,
    components: { schemas, parameters, headers: parts.headers, responses: parts.responses },
  };
}

/** The service fills in the field with the id of the parent. */
function bodyBelow(schemas: Readonly<Record<string, unknown>>, key: string, field: string): Json {
  const schema = schemas[key] as Json;
  const { required = [] } = schema as { readonly required?: readonly string[] };
  if (required.includes(field)) return withoutRequired(schema, [field]);
  return { $ref: `#/components/schemas/${key}` };
}

function uniquePairs(relations: readonly OwnRelation[]): readonly OwnRelation[] {
  return [...new Map(relations.map((each) => [`${each.parents}/${each.children}`, each])).values()];
}

function recordSchema(model: OwnModel, name: string, shape: Shape, key: string): Json {
  const schema = model.schemaOf(name);
  if (isObject(schema)) return withPointers(schema, `#/components/schemas/${key}`) as Json;
  return { type: shape.types.has('array') ? 'array' : 'object', ...schemaOf(shape) };
}

/** Adds the id, which every record has, even if the schema does not mention it. */
function withId(schema: Json, idName: string, shape: Shape): Json {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Json;
    readonly required?: readonly string[];
  };
  const id = shape.properties.get(idName);
  const inferred = id === undefined ? { type: ['integer', 'string'] } : schemaOf(id);
  return {
    ...schema,
    properties: { [idName]: inferred, ...properties },
    required: [...new Set([idName, ...required])],
  };
}

const ordered = ['_gte', '_lte', '_gt', '_lt'];

/** Returns the filter parameters of a field. A field with a reserved name uses `_eq`. */
function filterParameters(shape: Shape, idName: string, key: string): Record<string, Json> {
  const fields = ownFields(shape, idName).slice(0, maxFilters);
  const described = fields.flatMap(({ name, kind }) => {
    const plain = parts.listParameters.includes(name) ? `${name}_eq` : name;
    const operators = kind === 'texts' || kind === 'boolean' ? [] : ordered;
    return [plain, `${name}_ne`, `${name}_in`, ...operators.map((each) => name + each)];
  });
  const entries = described.map((name) => [
    `${key}.${name.replace(/[^\w.-]/g, '_')}`,
    { name, in: 'query', schema: { type: 'string' } },
  ]);
  return Object.fromEntries(entries);
}

function componentNames(names: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set(['Error']);
  return new Map(
    names.map((name, index) => {
      const plain = name.replace(/[^\w.-]/g, '_');
      const own = taken.has(plain) || taken.has(`${plain}_new`) ? `${plain}_${index + 1}` : plain;
      taken.add(own).add(`${own}_new`);
      return [name, own];
    }),
  );
}

/** Moves internal references of a schema to its place in the description. */
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
