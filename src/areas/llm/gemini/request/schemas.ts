/** Schemas of a request: the ones of Google, which are a part of OpenAPI, and JSON Schemas. */

import type { JsonObject } from '#base/json-object.js';
import { array, record } from '#kit/input/fields/parts.js';
import {
  described,
  type Field,
  mapped,
  maybe,
  type Reader,
  reader,
  requireType,
} from '#kit/input/fields/reader.js';
import { anything, boolean, decimal, integer, text } from '#kit/input/fields/values.js';
import { reject } from '../../messages/mistake.js';
import { admitAt, jsonSchema } from '../../messages/schemas.js';
import { numeric, object, pathTo } from '../faults.js';

const types = ['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL'];
const maxDepth = 32;

const ofType = { type: 'string', enum: types };
const typeName = reader(ofType, (field): string => {
  requireType(field, typeof field.value === 'string', ofType);
  const name = String(field.value).toUpperCase();
  if (types.includes(name)) return name;
  throw field.protocol.fault({ ...field, keyword: 'enum', schema: ofType, words: {} });
});

const texts = array(text());
const count = maybe(numeric(integer({ min: 0 })));
const anyNumber = maybe(numeric(decimal({ min: -Number.MAX_VALUE })));

/** Reads schemas inside a schema, which are nested at most so deep. */
const inner = (depth: number): Reader<JsonObject> =>
  reader(record.schema, (field) => {
    if (depth > maxDepth) reject(field.path, `must not be nested deeper than ${maxDepth} levels.`);
    return schemaAt(depth)(field);
  });

const namedAt = (depth: number): Reader<JsonObject> =>
  mapped(record, (given, field) =>
    Object.fromEntries(
      Object.entries(given).map(([name, value], index) => {
        const path = `${pathTo(field.path, index)}.value`;
        return [name, inner(depth + 1)({ ...field, path, value })];
      }),
    ),
  );

const readers: Reader<JsonObject>[] = [];

const schemaAt = (depth: number): Reader<JsonObject> => {
  readers[depth] ??= mapped(
    object({
      type: maybe(typeName),
      format: maybe(text()),
      title: maybe(text()),
      description: maybe(text()),
      nullable: maybe(boolean),
      enum: maybe(texts),
      maxItems: count,
      minItems: count,
      properties: maybe(namedAt(depth)),
      required: maybe(texts),
      minProperties: count,
      maxProperties: count,
      minLength: count,
      maxLength: count,
      pattern: maybe(text()),
      example: anything,
      anyOf: maybe(array(inner(depth + 1))),
      propertyOrdering: maybe(texts),
      default: anything,
      items: maybe(inner(depth + 1)),
      minimum: anyNumber,
      maximum: anyNumber,
    }),
    toJsonSchema,
  );
  return readers[depth];
};

interface Given {
  readonly type?: string | undefined;
  readonly format?: string | undefined;
  readonly nullable?: boolean | undefined;
  readonly enum?: readonly string[] | undefined;
  readonly properties?: JsonObject | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: JsonObject | undefined;
  readonly example?: unknown;
}

const textFormats = ['enum', 'date-time'];

function toJsonSchema(given: Given & JsonObject, { path }: Field): JsonObject {
  checkMeaning(given, path);
  const { type, format, nullable, example, propertyOrdering: _, enum: choices, ...others } = given;
  const lower = type?.toLowerCase();
  const isOpen = nullable === true && lower !== undefined;
  return Object.fromEntries(
    Object.entries({
      type: isOpen ? [lower, 'null'] : lower,
      ...(format === 'date-time' && { format }),
      ...(choices && { enum: isOpen ? [...choices, null] : choices }),
      ...(example !== undefined && { examples: [example] }),
      ...others,
    }).filter(([, value]) => value !== undefined),
  );
}

function checkMeaning(given: Given, path: string): void {
  const { type, format, enum: choices, properties, required = [], items } = given;
  if (choices !== undefined && type !== 'STRING') {
    reject(pathTo(path, 'enum'), 'is for the type STRING only.');
  }
  if (type === 'STRING' && format && !textFormats.includes(format)) {
    reject(pathTo(path, 'format'), 'must be enum or date-time for the type STRING.');
  }
  if (type === 'ARRAY' && items === undefined) reject(pathTo(path, 'items'), 'is required.');
  if (type === 'OBJECT' && properties && Object.keys(properties).length === 0) {
    reject(pathTo(path, 'properties'), 'must not be empty for the type OBJECT.');
  }
  const missing = required.findIndex((name) => !Object.hasOwn(properties ?? {}, name));
  if (missing >= 0) {
    reject(pathTo(pathTo(path, 'required'), missing), 'must be the name of a property.');
  }
}

const example = { type: 'OBJECT', properties: { city: { type: 'STRING' } } };

export const googleSchema = described(schemaAt(0), {
  ...{ ...jsonSchema.schema, properties: { type: { type: 'string' } } },
  examples: [example],
});

export const admit = admitAt(pathTo);
