/**
 * Turns repeated schemas into components: texts with the same limits, lists of the same objects.
 */

import type { JsonObject, JsonValue } from './json.js';

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const ofOne = new Set(['additionalProperties', 'contains', 'items', 'not', 'schema']);
const ofList = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const ofNames = new Set(['patternProperties', 'properties', 'schemas']);

/** Keywords whose values are not schemas. */
const values = new Set(['const', 'default', 'enum', 'example', 'examples']);

type Visit = (schema: JsonObject, name: string) => JsonObject;

/**
 * Returns the description with references to repeated schemas. Components with a title are kept.
 */
export function shareSchemas(description: JsonObject): JsonObject {
  const uses = new Map<string, number>();
  const names = new Map<string, string>();
  const { components } = description as { components: JsonObject & { schemas: JsonObject } };
  const shared: Record<string, JsonValue> = {};
  const isTaken = (name: string) =>
    Object.hasOwn(components.schemas, name) || Object.hasOwn(shared, name);

  visitSchemas(description, (schema) => {
    const text = JSON.stringify(schema);
    uses.set(text, (uses.get(text) ?? 0) + 1);
    return schema;
  });
  const share: Visit = (schema, name) => {
    const text = JSON.stringify(schema);
    if (!isWorthwhile(text, uses.get(text) ?? 0)) return schema;
    const known = names.get(text) ?? freeName(nameOf(schema, name), isTaken);
    if (!names.has(text)) {
      names.set(text, known);
      shared[known] = true;
      shared[known] = visitSchemas(schema, share);
    }
    return { $ref: `#/components/schemas/${known}` };
  };
  const whole = visitSchemas(description, share) as typeof description & {
    components: JsonObject & { schemas: JsonObject };
  };
  const schemas = sorted({ ...withoutTitles(whole.components.schemas), ...shared });
  return withoutUnused({ ...whole, components: { ...whole.components, schemas } });
}

const typicalReference = '{"$ref":"#/components/schemas/Name123"}'.length;

function isWorthwhile(text: string, uses: number): boolean {
  return uses * typicalReference + text.length + typicalReference < uses * text.length;
}

function nameOf({ type, pattern, maxLength, anyOf, items }: JsonObject, name: string): string {
  const ofItems = (items as JsonObject | undefined)?.$ref;
  if (ofItems !== undefined) return `${String(ofItems).split('/').at(-1)}List`;
  const alternatives = (anyOf ?? []) as readonly JsonObject[];
  const named = alternatives.map(({ $ref }) =>
    String($ref ?? '')
      .split('/')
      .at(-1),
  );
  if (named.length > 0 && named.every(Boolean)) return named.join('Or');
  const isText = type === 'string' && pattern !== undefined;
  if (isText) return maxLength === undefined ? 'Text' : `Text${maxLength}`;
  const words = name.split(/[^a-z0-9]+/i).filter(Boolean);
  // Without a suffix, the name would clash with global types of many languages.
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Value`;
}

function freeName(base: string, isTaken: (name: string) => boolean): string {
  let name = base;
  for (let number = 2; isTaken(name); number++) name = `${base}_${number}`;
  return name;
}

/** Removes schemas without references, such as schemas of omitted formats. */
function withoutUnused(description: JsonObject & { readonly components: JsonObject }): JsonObject {
  const { schemas, ...components } = description.components;
  const others = JSON.stringify({ ...description, components });
  const used = new Map<string, JsonValue>();
  const waiting = [others];
  for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/([\w.-]+)"/g)) {
      const schema = (schemas as JsonObject)[name];
      if (used.has(name) || schema === undefined) continue;
      used.set(name, schema);
      waiting.push(JSON.stringify(schema));
    }
  }
  const kept = Object.entries(schemas as JsonObject).filter(([name]) => used.has(name));
  return { ...description, components: { ...components, schemas: Object.fromEntries(kept) } };
}

/** Removes titles, because each component has its title as its name. */
function withoutTitles(schemas: JsonObject): JsonObject {
  const entries = Object.entries(schemas).map(([name, schema]) => {
    const { title, ...rest } = schema as JsonObject;
    return [name, title === name ? rest : schema];
  });
  return Object.fromEntries(entries);
}

function sorted(schemas: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Visits the schemas inside of a part, and inside of schemas that a visit leaves unchanged. */
function visitSchemas(part: JsonValue, visit: Visit): JsonValue {
  if (Array.isArray(part)) return part.map((each) => visitSchemas(each, visit));
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part as JsonObject).map(([key, value]) => [
    key,
    values.has(key) ? value : visitMember(key, value, visit),
  ]);
  return Object.fromEntries(entries);
}

function visitMember(key: string, value: JsonValue, visit: Visit): JsonValue {
  if (ofOne.has(key)) return visitOne(value, key, visit);
  if (ofList.has(key) && Array.isArray(value)) {
    return value.map((each) => visitOne(each, key, visit));
  }
  if (ofNames.has(key) && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const isComponents = key === 'schemas';
    const entries = Object.entries(value).map(([name, each]) => [
      name,
      // Other schemas refer to a component, so it is kept.
      isComponents ? visitSchemas(each, visit) : visitOne(each, name, visit),
    ]);
    return Object.fromEntries(entries);
  }
  return visitSchemas(value, visit);
}

function visitOne(value: JsonValue, name: string, visit: Visit): JsonValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const visited = visit(value as JsonObject, name);
  return visited === value ? visitSchemas(value, visit) : visited;
}
