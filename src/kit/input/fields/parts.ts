/** Readers of objects and arrays. */

import { isObject, type JsonObject } from '#base/json-object.js';
import {
  alternativesOf,
  anyOf,
  type Field,
  fault,
  isDescribed,
  type Reader,
  reader,
  requireType,
  type ValueOf,
  type Words,
} from './reader.js';
import { choice } from './values.js';

export type Shape = Readonly<Record<string, Reader<unknown>>>;

export type ObjectOf<Given extends Shape> = {
  readonly [Name in keyof Given]: ValueOf<Given[Name]>;
};

const ofArray = { type: 'array' };
const ofRecord = { type: 'object' };
/** An object whose members are known. */
const ofObject = { type: 'object', properties: {} };

interface ArrayLimits extends Words {
  readonly min?: 0 | 1;
  readonly max?: number;
}

export function array<Value>(
  read: Reader<Value>,
  { min = 0, max = Number.POSITIVE_INFINITY, ...words }: ArrayLimits = {},
): Reader<readonly Value[]> {
  const schema = {
    ...ofArray,
    items: read.schema,
    ...(min > 0 && { minItems: min }),
    ...(max < Number.POSITIVE_INFINITY && { maxItems: max }),
  };
  return reader(schema, (field) => {
    const { value } = field;
    requireType(field, Array.isArray(value), schema);
    const items = value as readonly unknown[];
    if (items.length < min) throw fault(field, 'minItems', schema, words);
    if (items.length > max) throw fault(field, 'maxItems', schema, words);
    return items.map((_, index) => read(itemOf(field, index)));
  });
}

export function itemOf({ path, value, protocol }: Field, index: number): Field {
  const { [index]: item } = value as readonly unknown[];
  return { path: protocol.pathTo(path, index), value: item, protocol };
}

/** Reads any object. */
export const record: Reader<JsonObject> = reader(ofRecord, (field) => objectIn(field, ofRecord));

function objectIn(field: Field, schema: JsonObject): JsonObject {
  requireType(field, isObject(field.value), schema);
  return field.value as JsonObject;
}

/** Returns a member, which may be absent, of a field that is an object. */
export function memberOf(
  { path, value, protocol }: Field,
  name: string,
  siblings?: JsonObject,
): Field {
  const object = value as JsonObject;
  return {
    path: protocol.pathTo(path, name),
    value: Object.hasOwn(object, name) ? object[name] : undefined,
    protocol,
    ...(siblings && { siblings }),
  };
}

/** Reads an object with these members, and rejects others. */
export function object<const Given extends Shape>(shape: Given): Reader<ObjectOf<Given>> {
  const names = Object.keys(shape);
  return reader(objectSchema(shape), (field) => {
    objectIn(field, ofObject);
    const { rejectsUnknownFirst } = field.protocol;
    if (rejectsUnknownFirst) rejectUnknown(field, names);
    const members = readMembers(field, shape);
    if (!rejectsUnknownFirst) rejectUnknown(field, names);
    return members;
  });
}

/** Reads these members of an object, and ignores others. */
export function openObject<const Given extends Shape>(shape: Given): Reader<ObjectOf<Given>> {
  return reader({ ...objectSchema(shape), additionalProperties: true }, (field) => {
    objectIn(field, ofObject);
    return readMembers(field, shape);
  });
}

export function objectSchema(shape: Shape): JsonObject {
  const members = Object.entries(shape).filter(([, read]) => isDescribed(read));
  const required = members.flatMap(([name, { isOptional }]) => (isOptional ? [] : [name]));
  return {
    type: 'object',
    properties: Object.fromEntries(members.map(([name, { schema }]) => [name, schema])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** Reads these members of an object in their order; each can read those before it. */
export function readMembers<const Given extends Shape>(
  field: Field,
  shape: Given,
  before: JsonObject = {},
): ObjectOf<Given> {
  const members: Record<string, unknown> = {};
  const siblings: Record<string, unknown> = { ...before };
  for (const [name, read] of Object.entries(shape)) {
    members[name] = siblings[name] = read(memberOf(field, name, siblings));
  }
  return members as ObjectOf<Given>;
}

export function rejectUnknown(field: Field, known: readonly string[]): void {
  const unknown = Object.keys(field.value as JsonObject).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const { path, value } = memberOf(field, unknown);
  const { protocol } = field;
  const wrong = { path, value, protocol, keyword: 'additionalProperties', words: {} } as const;
  throw protocol.fault({ ...wrong, schema: ofObject, known, unknown });
}

/** Reads an object by the reader that one of its members names. */
export function byMember<const Readers extends Shape>(
  name: string,
  readers: Readers,
): Reader<ValueOf<Readers[keyof Readers]>> {
  const nameOf = choice(Object.keys(readers));
  return reader(schemaByMember(name, readers), (field) => {
    objectIn(field, ofObject);
    const { path, protocol } = field;
    const named = memberOf(field, name);
    if (!protocol.hasTags)
      return readers[nameOf(named)]?.(field) as ValueOf<Readers[keyof Readers]>;
    const chosen = nameOf({ ...named, path });
    return readers[chosen]?.({ ...field, path: protocol.pathTo(path, chosen) }) as ValueOf<
      Readers[keyof Readers]
    >;
  });
}

/** Values with the same other members are one alternative. */
function schemaByMember(name: string, readers: Shape): JsonObject {
  const values = new Map<string, string[]>();
  for (const [value, { schema }] of Object.entries(readers)) {
    for (const each of alternativesOf(schema)) {
      const text = JSON.stringify(each);
      values.set(text, [...(values.get(text) ?? []), value]);
    }
  }
  return anyOf([...values].map(([text, own]) => withValues(JSON.parse(text), name, own)));
}

/** Returns the schema of an object whose member has one of these values. */
function withValues(schema: JsonObject, name: string, values: readonly string[]): JsonObject {
  const { properties, required = [] } = schema as {
    readonly properties?: JsonObject;
    readonly required?: readonly string[];
  };
  return {
    ...schema,
    properties: { ...properties, [name]: { type: 'string', enum: values } },
    required: [...new Set([name, ...required])],
  };
}
