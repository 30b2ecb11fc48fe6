/** Derives right values from a JSON Schema, and wrong ones with the path of their mistake. */

import { generateValue } from '../../../src/areas/llm/model/generate-value.js';
import { isObject, type JsonObject } from '../../../src/base/json-object.js';
import { CheckBudget } from '../../../src/json-schema/budget.js';
import { findFaults } from '../../../src/json-schema/find-faults.js';

type Path = readonly (string | number)[];

export interface Mistake {
  readonly value: unknown;
  readonly path: Path;
  readonly what: 'wrong type' | 'missing' | 'unknown member' | 'unknown choice';
}

const schemasOf = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export function isValid(schema: JsonObject, value: unknown): boolean {
  return findFaults(schema, value, new CheckBudget(1e6, 10)).isValid === true;
}

/** Yields values that use each alternative, choice and member at least once. */
export function* valuesOf(schema: JsonObject): Generator<unknown> {
  const { examples, enum: choices, anyOf, type } = schema;
  if (Array.isArray(examples)) yield* examples.slice(0, 1);
  else if (Array.isArray(choices)) yield* choices;
  else if (Array.isArray(anyOf)) for (const each of schemasOf(anyOf)) yield* valuesOf(each);
  else if (Array.isArray(type)) for (const each of type) yield* valuesOf({ ...schema, type: each });
  else if (type === 'object') yield* objectsOf(schema);
  else if (type === 'array') yield* arraysOf(schema);
  else if (type === 'boolean') yield* [true, false];
  else if (type === 'null') yield null;
  else yield generateValue(schema);
}

export const firstOf = (schema: JsonObject): unknown => valuesOf(schema).next().value;

function* objectsOf({ properties, required, additionalProperties }: JsonObject) {
  const members = Object.entries(objectOf(properties));
  const names = listOf(required);
  const least = Object.fromEntries(
    members.flatMap(([name, each]) =>
      names.includes(name) ? [[name, firstOf(objectOf(each))]] : [],
    ),
  );
  yield least;
  for (const [name, each] of members) {
    for (const value of valuesOf(objectOf(each))) yield { ...least, [name]: value };
  }
  if (isObject(additionalProperties)) {
    for (const value of valuesOf(additionalProperties)) yield { ...least, 1: value };
  }
}

function* arraysOf({ items, minItems, maxItems }: JsonObject) {
  if (minItems === undefined) yield [];
  if (maxItems !== 0) for (const value of valuesOf(objectOf(items))) yield [value];
}

/** Yields the right value with one mistake each. */
export function* mistakesIn(
  schema: JsonObject,
  right: unknown,
  path: Path = [],
): Generator<Mistake> {
  const others = [true, 5, 'x', [], {}].filter((value) => !typesOf(schema).has(typeName(value)));
  if (typesOf(schema).size > 0 && others.length > 0) {
    yield { value: others[0], path, what: 'wrong type' };
  }
  const alternatives = schemasOf(schema.anyOf);
  const alternative = alternatives.find((each) => isValid(each, right)) ?? schema;
  if (Array.isArray(alternative.enum) && typeof right === 'string') {
    yield { value: 'unheard-of', path, what: 'unknown choice' };
  }
  // Examples are values with further rules.
  if (alternative.examples !== undefined) return;
  if (isObject(right)) yield* mistakesInObject(alternative, right, path, alternatives);
  if (Array.isArray(right)) {
    for (const [index, item] of right.entries()) {
      for (const each of mistakesIn(objectOf(alternative.items), item, [...path, index])) {
        yield { ...each, value: right.with(index, each.value) };
      }
    }
  }
}

function* mistakesInObject(
  schema: JsonObject,
  right: JsonObject,
  path: Path,
  alternatives: readonly JsonObject[],
): Generator<Mistake> {
  const { properties, required, additionalProperties } = schema;
  if (additionalProperties === false) {
    const value = { ...right, unheard_of: 1 };
    yield { value, path: [...path, 'unheard_of'], what: 'unknown member' };
  }
  for (const name of listOf(required).map(String)) {
    // Without it, the object may be meant as another alternative.
    if (alternatives.some((each) => !listOf(each.required).includes(name) && each.properties)) {
      continue;
    }
    const { [name]: _, ...value } = right;
    yield { value, path: [...path, name], what: 'missing' };
  }
  for (const [name, value] of Object.entries(right)) {
    const own = objectOf(objectOf(properties)[name] ?? additionalProperties);
    for (const each of mistakesIn(own, value, [...path, name])) {
      yield { ...each, value: { ...right, [name]: each.value } };
    }
  }
}

/** Names of the accepted types; empty if all are. */
function typesOf({ type, anyOf }: JsonObject): ReadonlySet<unknown> {
  return new Set([
    ...(type === undefined ? [] : [type].flat()),
    ...schemasOf(anyOf).flatMap((each) => [...typesOf(each)]),
  ]);
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' ? 'integer' : typeof value;
}
