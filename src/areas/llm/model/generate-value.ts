/** Generates the same valid value for the same schema. */

import { isObject, type JsonObject } from '#base/json-object.js';
import { CheckBudget, ChecksExceeded } from '#json-schema/budget.js';
import { findFaults } from '#json-schema/find-faults.js';
import { targetOf } from '#json-schema/references.js';
import { generateText } from './generate-text.js';

/** Thrown for a schema that the generator finds no value for. */
export class NoValue extends Error {
  override readonly name = 'NoValue';
}

/** Thrown for a value that would contain a value of the same schema, and so on without an end. */
class Endless extends NoValue {}

/** References can repeat a schema, so the values are counted. */
const maxValues = 2000;
/** Members of the schemas that are merged. */
const maxMembers = 50_000;
const maxChecks = 400_000;
const maxItems = 100;

/** Returns a value that the schema accepts. Throws {@link NoValue} if it finds none. */
export function generateValue(schema: JsonObject): unknown {
  const generator = new Generator(schema);
  try {
    const value = generator.valueOf(schema, 'value');
    if (generator.accepts(schema, value)) return value;
  } catch (error) {
    if (!(error instanceof ChecksExceeded)) throw error;
  }
  throw new NoValue();
}

const endless = Symbol('endless');

class Generator {
  readonly #root: JsonObject;
  readonly #budget = new CheckBudget(maxChecks);
  readonly #known = new Map<JsonObject, JsonObject>();
  readonly #texts = new Map<string, string>();
  /** Schemas whose values are being made. */
  readonly #open = new Set<unknown>();
  #left = maxValues;
  #membersLeft = maxMembers;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** References are resolved in the whole schema. Throws {@link NoValue} after too many checks. */
  accepts(schema: JsonObject, value: unknown): boolean {
    const { isValid } = findFaults(this.#root, value, this.#budget, schema);
    if (isValid === undefined) throw new NoValue();
    return isValid;
  }

  /** `name` is the property that has the value. */
  valueOf(given: unknown, name: string): unknown {
    this.#left--;
    if (this.#left < 0) throw new NoValue();
    if (!isObject(given)) return name;
    const key = this.#targetOf(given);
    if (this.#open.has(key)) throw new Endless();
    this.#open.add(key);
    try {
      return this.#valueOfSchema(given, name);
    } finally {
      this.#open.delete(key);
    }
  }

  /** Follows references, which have an end in accepted schemas. */
  #targetOf(schema: JsonObject): unknown {
    let target: unknown = schema;
    while (isObject(target) && '$ref' in target) target = targetOf(this.#root, target);
    return target;
  }

  #valueOfSchema(given: JsonObject, name: string): unknown {
    const schema = this.#merged(given);
    for (const known of knownValues(schema)) {
      if (this.accepts(schema, known)) return known;
    }
    const choices = [schema.anyOf, schema.oneOf].find(Array.isArray);
    if (choices !== undefined) return this.#choose(schema, choices, name);
    return this.#byType(schema, name);
  }

  /** Returns the schema with what it refers to; each is merged once. */
  #merged(given: JsonObject): JsonObject {
    const known = this.#known.get(given);
    if (known !== undefined) return known;
    const { $ref: reference, allOf, ...own } = given;
    const target = reference === undefined ? undefined : targetOf(this.#root, given);
    const parts = [target, ...(Array.isArray(allOf) ? allOf : [])].filter(isObject);
    const merged = this.#merge([...parts.map((part) => this.#merged(part)), own]);
    this.#known.set(given, merged);
    return merged;
  }

  #merge(parts: readonly JsonObject[]): JsonObject {
    const properties = new Map<string, unknown>();
    const required = new Set<unknown>();
    for (const part of parts) {
      const ofPart = Object.entries(isObject(part.properties) ? part.properties : {});
      const names = Array.isArray(part.required) ? part.required : [];
      this.#membersLeft -= 1 + Object.keys(part).length + ofPart.length + names.length;
      if (this.#membersLeft < 0) throw new NoValue();
      for (const [name, schema] of ofPart) properties.set(name, schema);
      for (const name of names) required.add(name);
    }
    return {
      ...Object.assign({}, ...parts),
      ...(properties.size > 0 && { properties: Object.fromEntries(properties) }),
      ...(required.size > 0 && { required: [...required] }),
    };
  }

  #choose(schema: JsonObject, choices: readonly unknown[], name: string): unknown {
    const { anyOf: _any, oneOf: _one, ...own } = schema;
    let isEndless = false;
    for (const choice of choices.filter(isObject)) {
      const value = this.#tried(() => this.#choiceOf(own, choice, name));
      if (value === endless) isEndless = true;
      else if (this.accepts(schema, value)) return value;
    }
    throw isEndless ? new Endless() : new NoValue();
  }

  #choiceOf(own: JsonObject, choice: JsonObject, name: string): unknown {
    if (this.#open.has(this.#targetOf(choice))) throw new Endless();
    return this.valueOf(this.#merge([own, this.#merged(choice)]), name);
  }

  /** Returns {@link endless} if the value would have no end. */
  #tried(make: () => unknown): unknown {
    try {
      return make();
    } catch (error) {
      if (error instanceof Endless) return endless;
      throw error;
    }
  }

  #byType(schema: JsonObject, name: string): unknown {
    switch (typeOf(schema)) {
      case 'object':
        return this.#objectOf(schema);
      case 'array':
        return this.#arrayOf(schema, name);
      case 'integer':
      case 'number':
        return numberOf(schema);
      case 'boolean':
        return true;
      case 'null':
        return null;
      default:
        return this.#textOf(schema, name);
    }
  }

  /** A pattern always gets the same text. */
  #textOf(schema: JsonObject, name: string): string {
    const { pattern } = schema;
    const known = typeof pattern === 'string' ? this.#texts.get(pattern) : undefined;
    const text = known ?? generateText(schema, name, this.#budget);
    if (typeof pattern === 'string') this.#texts.set(pattern, text);
    return text;
  }

  #objectOf(schema: JsonObject): JsonObject {
    const properties = isObject(schema.properties) ? schema.properties : {};
    const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
    const names = [...new Set([...Object.keys(properties), ...required])];
    const all = this.#membersOf(schema, properties, names);
    if (required.length === names.length || this.accepts(schema, all)) return all;
    return Object.fromEntries(Object.entries(all).filter(([each]) => required.includes(each)));
  }

  #membersOf(schema: JsonObject, properties: JsonObject, names: readonly string[]): JsonObject {
    const other = isObject(schema.additionalProperties) ? schema.additionalProperties : {};
    const required = Array.isArray(schema.required) ? schema.required : [];
    return Object.fromEntries(
      names.flatMap((each) => {
        const own = Object.hasOwn(properties, each) ? properties[each] : other;
        const value = this.#tried(() => this.valueOf(own, each));
        if (value !== endless) return [[each, value]];
        // The shortest value leaves it out.
        if (required.includes(each)) throw new Endless();
        return [];
      }),
    );
  }

  #arrayOf(schema: JsonObject, name: string): readonly unknown[] {
    const prefix = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
    const least = Math.max(Number(schema.minItems ?? 1), prefix.length);
    if (least > maxItems) throw new NoValue();
    const most = Math.min(least, Number(schema.maxItems ?? least));
    const items = this.#tried(() => this.#itemsOf(schema, prefix, most, name));
    if (items !== endless) return items as readonly unknown[];
    if (prefix.length > 0 || Number(schema.minItems ?? 0) > 0) throw new Endless();
    return [];
  }

  #itemsOf(
    schema: JsonObject,
    prefix: readonly unknown[],
    most: number,
    name: string,
  ): readonly unknown[] {
    return Array.from({ length: most }, (_, index) => {
      const value = this.valueOf(prefix[index] ?? schema.items ?? {}, name);
      return schema.uniqueItems === true ? distinct(value, index) : value;
    });
  }
}

function knownValues(schema: JsonObject): readonly unknown[] {
  const { examples, enum: choices } = schema;
  return [
    ...('const' in schema ? [schema.const] : []),
    ...('default' in schema ? [schema.default] : []),
    ...(Array.isArray(examples) ? examples.slice(0, 1) : []),
    ...(Array.isArray(choices) ? choices.slice(0, maxItems) : []),
  ];
}

function typeOf(schema: JsonObject): unknown {
  const types = [schema.type].flat();
  const named = types.find((each) => each !== 'null') ?? types[0];
  if (named !== undefined) return named;
  if ('properties' in schema || 'required' in schema) return 'object';
  if ('items' in schema || 'prefixItems' in schema) return 'array';
  if ('minimum' in schema || 'maximum' in schema || 'multipleOf' in schema) return 'number';
  return 'string';
}

/** Returns 1, or the number of the range that is next to it. */
function numberOf(schema: JsonObject): number {
  const isWhole = typeOf(schema) === 'integer';
  const lowest = boundOf(schema, 'minimum', 'exclusiveMinimum', isWhole ? 1 : 0.5);
  const highest = boundOf(schema, 'maximum', 'exclusiveMaximum', isWhole ? -1 : -0.5);
  const step = Number(schema.multipleOf ?? (isWhole ? 1 : 0)) || 0;
  const near = highest === undefined ? 1 : Math.min(1, highest);
  const wanted = lowest === undefined ? near : Math.max(lowest, near);
  if (step <= 0) return wanted;
  const up = Math.ceil(wanted / step) * step;
  return highest !== undefined && up > highest ? Math.floor(highest / step) * step : up;
}

function boundOf(schema: JsonObject, own: string, exclusive: string, step: number) {
  if (typeof schema[exclusive] === 'number') return schema[exclusive] + step;
  return typeof schema[own] === 'number' ? schema[own] : undefined;
}

function distinct(value: unknown, index: number): unknown {
  if (index === 0) return value;
  if (typeof value === 'string') return `${value}${index + 1}`;
  return typeof value === 'number' ? value + index : value;
}
