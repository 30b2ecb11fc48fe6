/**
 * Readers of the fields of a JSON body. A reader checks a value, and describes the values that it
 * accepts as JSON Schema. The protocol of the body words the faults.
 */

import type { JsonObject } from '#base/json-object.js';

/** A value of a body, and its path. The value of an absent field is undefined. */
export interface Field {
  /** Empty for the body. */
  readonly path: string;
  readonly value: unknown;
  readonly protocol: Protocol;
  /** Members of the same object that are already read. */
  readonly siblings?: JsonObject;
}

export interface Protocol {
  /** Returns the path of a member or an item. */
  readonly pathTo: (path: string, step: string | number) => string;
  readonly fault: (fault: Fault) => Error;
  /** Whether unknown members are reported before wrong ones. */
  readonly rejectsUnknownFirst: boolean;
  /** Whether paths name the kind of an object whose kinds differ, such as `content.0.text.text`. */
  readonly hasTags?: true;
}

/** A value that breaks a keyword of its schema. */
export interface Fault extends Field {
  readonly keyword:
    | 'required'
    | 'type'
    | 'enum'
    | 'minimum'
    | 'maximum'
    | 'minLength'
    | 'maxLength'
    | 'pattern'
    | 'minItems'
    | 'maxItems'
    | 'additionalProperties'
    | 'unsupported';
  readonly schema: JsonObject;
  readonly words: Words;
  /** Names of the members of the object, if one of its names is unknown. */
  readonly known?: readonly string[];
  readonly unknown?: string;
}

/** Words of messages, where those that follow from the schema are not enough. */
export interface Words {
  /** The accepted values, such as `a URL`. */
  readonly expected?: string;
  /** The whole message. */
  readonly message?: string;
}

export interface Reader<Value> {
  (field: Field): Value;
  readonly schema: JsonObject;
  /** Whether a member may be absent. */
  readonly isOptional: boolean;
}

export type ValueOf<Given> = Given extends Reader<infer Value> ? Value : never;

export function reader<Value>(
  schema: JsonObject,
  read: (field: Field) => Value,
  isOptional = false,
): Reader<Value> {
  return Object.assign((field: Field) => read(field), { schema, isOptional });
}

/** Reads the same values, and describes them in another way. */
export function described<Value>(read: Reader<Value>, schema: JsonObject): Reader<Value> {
  return reader(schema, read, read.isOptional);
}

export function optional<Value>(read: Reader<Value>): Reader<Value | undefined> {
  return reader(
    read.schema,
    (field) => (field.value === undefined ? undefined : read(field)),
    true,
  );
}

/** Null is the same as absent. */
export function nullable<Value>(read: Reader<Value>): Reader<Value | undefined> {
  return reader(
    withNull(read.schema),
    (field) => (field.value === undefined || field.value === null ? undefined : read(field)),
    true,
  );
}

/** Null is the same as absent, and not described. */
export const maybe = <Value>(read: Reader<Value>): Reader<Value | undefined> =>
  described(nullable(read), read.schema);

/** Null is a value, so the member must be present. */
export function orNull<Value>(read: Reader<Value>): Reader<Value | null> {
  return reader(withNull(read.schema), (field) => (field.value === null ? null : read(field)));
}

function withNull(schema: JsonObject): JsonObject {
  const { type, enum: values, anyOf, title } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  if (typeof type !== 'string' || title !== undefined || type === 'object') {
    return type === undefined ? schema : { anyOf: [schema, { type: 'null' }] };
  }
  const choices = Array.isArray(values) && { enum: [...values, null] };
  return { ...schema, type: [type, 'null'], ...choices };
}

/** Returns another value for an accepted one. `map` may throw further faults. */
export function mapped<Given, Value>(
  read: Reader<Given>,
  map: (value: Given, field: Field) => Value,
): Reader<Value> {
  return reader(read.schema, (field) => map(read(field), field), read.isOptional);
}

/** Checks an accepted value. `check` may throw further faults. */
export const checked = <Value>(
  read: Reader<Value>,
  check: (value: Value, field: Field) => void,
): Reader<Value> =>
  mapped(read, (value, field) => {
    check(value, field);
    return value;
  });

/** Accepts one of several kinds of values, which `read` tells apart. */
export function either<Value>(
  readers: readonly Pick<Reader<unknown>, 'schema'>[],
  read: (field: Field) => Value,
): Reader<Value> {
  return reader(anyOf(readers.map(({ schema }) => schema)), read);
}

/** Joins alternatives, without a level for those that are alternatives themselves. */
export function anyOf(schemas: readonly JsonObject[]): JsonObject {
  const alternatives = schemas.flatMap(alternativesOf);
  return alternatives.length === 1 ? (alternatives[0] ?? {}) : { anyOf: alternatives };
}

export function alternativesOf(schema: JsonObject): readonly JsonObject[] {
  return Array.isArray(schema.anyOf) ? schema.anyOf : [schema];
}

/** Describes a value as a named component. */
export const titled = <Value>(title: string, read: Reader<Value>): Reader<Value> =>
  described(read, { title, ...read.schema });

/** A member that is left out of the description. */
const undescribed: JsonObject = { deprecated: true };

export const isDescribed = ({ schema }: Reader<unknown>): boolean => schema !== undescribed;

/** Rejects a member that the real API has and this one has not. */
export function absent(expected = ''): Reader<undefined> {
  return reader(
    undescribed,
    (field) => {
      const { value } = field;
      if (value !== undefined && value !== null) {
        throw fault(field, 'unsupported', undescribed, { expected });
      }
      return undefined;
    },
    true,
  );
}

export function fault(
  field: Field,
  keyword: Fault['keyword'],
  schema: JsonObject,
  words: Words = {},
): Error {
  return field.protocol.fault({ ...field, keyword, schema, words });
}

/** Throws the fault of an absent value, or of one with another type. */
export function requireType(field: Field, isRight: boolean, schema: JsonObject, words?: Words) {
  if (field.value === undefined) throw fault(field, 'required', schema, words);
  if (!isRight) throw fault(field, 'type', schema, words);
}
