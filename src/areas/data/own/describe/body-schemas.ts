/** Schemas of bodies in the description of a caller's data, derived from the schema of a record. */

import { isObject } from '#base/json-object.js';
import type { Json } from './describe-parts.js';

/**
 * Returns the schema of a new record or a replacement. An inferred schema requires nothing, because the service does not:
 * it accepts any member, even where all records have one.
 */
export function bodySchema(record: Json, isInferred: boolean, ...assigned: string[]): Json {
  return withoutRequired(isInferred ? optionalMembers(record) : record, assigned);
}

/** Makes members optional that the service fills in: the id, or the id of a parent. */
export function withoutRequired(schema: Json, names: readonly string[]): Json {
  const { required = [], ...others } = schema as { readonly required?: readonly string[] };
  const left = required.filter((name) => !names.includes(name));
  return left.length === 0 ? others : { ...others, required: left };
}

/** A merge patch changes some members; null removes one. */
export function patchSchema(record: Json, isInferred: boolean): Json {
  const { properties, required: _required, ...others } = record;
  if (!isObject(properties)) return { type: 'object' };
  const { type = 'object' } = others;
  const members = mapMembers(properties, (schema) => {
    const partial = isObject(schema) && isObject(schema.properties);
    const changed = partial ? patchSchema(schema as Json, isInferred) : schema;
    const each = isInferred && isObject(changed) ? optionalMembers(changed as Json) : changed;
    return { anyOf: [each, { type: 'null' }] };
  });
  return { type, properties: members };
}

/** An inferred schema without required members, where a member that was always null can be anything. */
function optionalMembers({ required: _required, ...schema }: Json): Json {
  const { type, properties, items, ...others } = schema;
  return {
    ...(type !== 'null' && type !== undefined && { type }),
    ...others,
    ...(isObject(properties) && {
      properties: mapMembers(properties, (each) => optionalMembers(each as Json)),
    }),
    ...(isObject(items) && { items: optionalMembers(items as Json) }),
  };
}

function mapMembers(properties: object, map: (schema: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, map(each)]));
}
