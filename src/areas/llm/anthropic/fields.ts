/** Readers of a request's fields, whose errors begin with dotted paths. */

import { isObject, type JsonObject } from '../../../base/json-object.js';
import { cutText } from '../../../base/text/cut-text.js';
import { type MistakeOptions, mistake } from '../messages/mistake.js';

/** A JSON object of a request. */
export interface Part {
  readonly object: JsonObject;
  /** Empty for the body. */
  readonly path: string;
}

/** Values that a field accepts. */
export interface Kind<Value> {
  /** Follows "must be". */
  readonly expected: string;
  readonly accepts: (value: unknown) => value is Value;
}

const maxNameLength = 64;

export function pathTo(path: string, name: string | number): string {
  const step = typeof name === 'number' ? String(name) : cutText(name, maxNameLength);
  return path === '' ? step : `${path}.${step}`;
}

export function reject(param: string, message: string, options?: MistakeOptions): never {
  throw mistake(400, message, { ...options, param });
}

/** Reads an object that has known fields only. */
export function readPart(value: unknown, path: string, known: readonly string[]): Part {
  if (!isObject(value)) reject(path, 'This must be an object.');
  const part = { object: value, path };
  rejectUnknown(part, known);
  return part;
}

function rejectUnknown({ object, path }: Part, known: readonly string[]): void {
  const names = new Set(known);
  const unknown = Object.keys(object).find((name) => !names.has(name));
  if (unknown !== undefined) reject(pathTo(path, unknown), 'This field is unknown; remove it.');
}

/** Returns a field, or `undefined` if it is absent or null. */
export function fieldOf({ object }: Part, name: string): unknown {
  return Object.hasOwn(object, name) ? (object[name] ?? undefined) : undefined;
}

export function optional<Value>(part: Part, name: string, kind: Kind<Value>): Value | undefined {
  if (!Object.hasOwn(part.object, name)) return undefined;
  const value = part.object[name];
  if (!kind.accepts(value)) reject(pathTo(part.path, name), `This must be ${kind.expected}.`);
  return value;
}

export function required<Value>(part: Part, name: string, kind: Kind<Value>): Value {
  const value = optional(part, name, kind);
  if (value !== undefined) return value;
  reject(pathTo(part.path, name), `This field is required; it must be ${kind.expected}.`);
}

/** Reads a field that may also be null, which means the same as an absent field. */
export function nullable<Value>(part: Part, name: string, kind: Kind<Value>): Value | undefined {
  return fieldOf(part, name) === undefined ? undefined : optional(part, name, kind);
}

export const text: Kind<string> = {
  expected: 'a string',
  accepts: (value) => typeof value === 'string',
};

export const filledText: Kind<string> = {
  expected: 'a string that is not empty',
  accepts: (value): value is string => typeof value === 'string' && value !== '',
};

export const truth: Kind<boolean> = {
  expected: 'true or false',
  accepts: (value) => typeof value === 'boolean',
};

export const list: Kind<readonly unknown[]> = {
  expected: 'an array',
  accepts: (value): value is readonly unknown[] => Array.isArray(value),
};

export const anyObject: Kind<JsonObject> = { expected: 'an object', accepts: isObject };

export function integer(min: number, max = Number.MAX_SAFE_INTEGER): Kind<number> {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return {
    expected: `an integer ${range}`,
    accepts: (value): value is number =>
      Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max,
  };
}

export function decimal(min: number, max: number): Kind<number> {
  return {
    expected: `a number from ${min} to ${max}`,
    accepts: (value): value is number => typeof value === 'number' && value >= min && value <= max,
  };
}

export function oneOf<const Value extends string>(values: readonly Value[]): Kind<Value> {
  const names = values.map((value) => `"${value}"`);
  return {
    expected: names.length === 1 ? `${names}` : `one of ${names.join(', ')}`,
    accepts: (value): value is Value => values.some((each) => each === value),
  };
}
