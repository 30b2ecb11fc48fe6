/** Converts the schemas of routes to OpenAPI 3.1; a schema with a title becomes a component. */

import { isObject } from '#base/json-object.js';
import type { JsonObject, JsonValue } from './json.js';

export class ComponentSchemas {
  readonly #components = new Map<string, string>();

  /** Returns the schema, or a reference to the component of its title. */
  refer(schema: object): JsonObject {
    return this.#convert(schema) as JsonObject;
  }

  /** Returns every component that has references, in alphabetical order. */
  all(): JsonObject {
    const entries = [...this.#components].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([name, text]) => [name, JSON.parse(text)]));
  }

  #convert(value: unknown): JsonValue {
    if (Array.isArray(value)) return value.map((each) => this.#convert(each));
    if (typeof value !== 'object' || value === null) return value as JsonValue;
    const converted: Record<string, JsonValue> = {};
    for (const [key, member] of Object.entries(value)) {
      if (member === undefined) continue;
      converted[key] = key === 'properties' ? this.#members(member) : this.#convert(member);
    }
    const { title } = converted;
    // A field may also have the name "title".
    if (typeof title !== 'string') return converted;
    const text = JSON.stringify(converted);
    const known = this.#components.get(title);
    if (known !== undefined && known !== text) {
      throw new Error(`Two different schemas have the title ${title}.`);
    }
    this.#components.set(title, text);
    return { $ref: `#/components/schemas/${title}` };
  }

  #members(properties: object): JsonObject {
    const entries = Object.entries(properties).map(([name, schema]) => [
      name,
      this.#convert(withDefaultInWords(schema)),
    ]);
    return Object.fromEntries(entries);
  }
}

/** Moves the default of a member to its description: generators of types require members that have one. */
function withDefaultInWords(schema: unknown): unknown {
  if (!isObject(schema) || schema.default === undefined) return schema;
  const { default: usual, description, ...others } = schema;
  const text = `Default: ${JSON.stringify(usual)}.`;
  return { ...others, description: description === undefined ? text : `${description} ${text}` };
}
