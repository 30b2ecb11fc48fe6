/** Schemas of routes as OpenAPI 3.1 takes them; those with a title become components, once. */

import type { JsonObject, JsonValue } from './json.js';

export class ComponentSchemas {
  readonly #components = new Map<string, string>();

  /** The schema, or a reference to the component that its title names. */
  refer(schema: object): JsonObject {
    return this.#convert(schema) as JsonObject;
  }

  /** Every component that was referred to, by name in alphabetical order. */
  all(): JsonObject {
    const entries = [...this.#components].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([name, text]) => [name, JSON.parse(text)]));
  }

  #convert(value: unknown): JsonValue {
    if (Array.isArray(value)) return value.map((each) => this.#convert(each));
    if (typeof value !== 'object' || value === null) return value as JsonValue;
    const converted: Record<string, JsonValue> = {};
    for (const [key, member] of Object.entries(value)) {
      if (member !== undefined) converted[key] = this.#convert(member);
    }
    const { title } = converted;
    // A field can be called title, too.
    if (typeof title !== 'string') return converted;
    const text = JSON.stringify(converted);
    const known = this.#components.get(title);
    if (known !== undefined && known !== text) {
      throw new Error(`Two schemas that differ have the title ${title}.`);
    }
    this.#components.set(title, text);
    return { $ref: `#/components/schemas/${title}` };
  }
}
