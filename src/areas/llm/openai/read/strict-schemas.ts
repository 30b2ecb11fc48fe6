/** Finds the parts of a schema that the guide to structured outputs does not support. */

import { isObject, type JsonObject } from '#base/json-object.js';
import { isAnnotation } from '../../messages/schemas.js';

const unsupported = [
  ...['oneOf', 'allOf', 'not', 'if', 'then', 'else'],
  ...['dependentRequired', 'dependentSchemas', 'dependencies'],
  ...['patternProperties', 'propertyNames', 'uniqueItems'],
];

const formats: readonly unknown[] = [
  ...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
];

/** One of them says which values are allowed. */
const kinds = ['type', 'anyOf', '$ref', 'enum', 'const'];

/** Deeper schemas are rejected. */
export const maxDepth = 100;

/** Returns the first fault of a schema, or of a part of it. */
export function strictFault(schema: unknown, place = '', depth = 0): string | undefined {
  if (depth > maxDepth || !isObject(schema)) return undefined;
  const where = place === '' ? '' : ` at ${place}`;
  return (
    objectFault(schema, where) ??
    keywordFault(schema, where) ??
    partsFault(schema, place, depth + 1)
  );
}

function objectFault(schema: JsonObject, where: string): string | undefined {
  const isOfObjects = schema.type === 'object' || isObject(schema.properties);
  if (!isOfObjects) return undefined;
  if (schema.additionalProperties !== false) {
    return `strict schemas need additionalProperties false${where}`;
  }
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const names = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  const optional = names.find((name) => !required.has(name));
  return optional && `strict schemas require every property${where}; add '${optional}' to required`;
}

function keywordFault(schema: JsonObject, where: string): string | undefined {
  const has = (name: string) => Object.hasOwn(schema, name);
  const name = unsupported.find(has) ?? Object.keys(schema).find(isAnnotation);
  if (name !== undefined) return `strict schemas do not support ${name}${where}`;
  const { type, format } = schema;
  if (has('format') && !formats.includes(format)) {
    return `strict schemas do not support this format${where}; use ${formats.join(', ')}`;
  }
  if (has('$ref') && Object.keys(schema).length > 1) {
    return `strict schemas allow nothing beside $ref${where}`;
  }
  if (!kinds.some(has)) return `strict schemas need a type${where}`;
  const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'));
  if (isArray && !has('items')) return `strict schemas need items of an array${where}`;
  return undefined;
}

const inside: ReadonlySet<string> = new Set(['items', 'anyOf', 'prefixItems']);
const named: ReadonlySet<string> = new Set(['properties', '$defs']);

function partsFault(schema: JsonObject, place: string, depth: number): string | undefined {
  for (const [keyword, value] of Object.entries(schema)) {
    const isNamed = named.has(keyword) && isObject(value);
    if (!isNamed && !inside.has(keyword)) continue;
    const isList = Array.isArray(value);
    const parts: readonly (readonly [string, unknown])[] =
      isNamed || isList ? Object.entries(value as object) : [['', value]];
    for (const [name, part] of parts) {
      const at = [place, keyword, name].filter((each) => each !== '').join('.');
      const fault = strictFault(part, at, depth);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}
