/** Readers of JSON values: each checks a field and returns its value, or throws a mistake. */

import { isObject, type JsonObject } from '../../../../base/json-object.js';
import { cutText } from '../../../../base/text/cut-text.js';
import { didYouMean } from '../../../../base/text/did-you-mean.js';
import { type Field, invalid, missing, unsupported, wrongType } from './faults.js';

/** The value of an absent field is undefined. */
export type Reader<Value> = (field: Field) => Value;

export type ValueOf<Given> = Given extends Reader<infer Value> ? Value : never;

type Shape = Readonly<Record<string, Reader<unknown>>>;

export type ObjectOf<Given extends Shape> = {
  readonly [Name in keyof Given]: ValueOf<Given[Name]>;
};

const maxShown = 40;

export function optional<Value>(read: Reader<Value>): Reader<Value | undefined> {
  return (field) => (field.value === undefined ? undefined : read(field));
}

/** Null is the same as absent. */
export function nullable<Value>(read: Reader<Value>): Reader<Value | undefined> {
  return (field) => (field.value === undefined || field.value === null ? undefined : read(field));
}

/** Rejects a field that the real API has and this one has not. */
export function absent(instead: string): Reader<undefined> {
  return ({ path, value }) => {
    if (value !== undefined && value !== null) throw unsupported(path, instead);
    return undefined;
  };
}

export function mapped<Given, Value>(
  read: Reader<Given>,
  map: (value: Given, field: Field) => Value,
): Reader<Value> {
  return (field) => map(read(field), field);
}

export const anything: Reader<unknown> = ({ value }) => value;

export const boolean: Reader<boolean> = (field) => {
  if (field.value === undefined) throw missing(field.path);
  if (typeof field.value !== 'boolean') throw wrongType(field, 'a boolean');
  return field.value;
};

interface Range {
  readonly min: number;
  readonly max: number;
}

export function integer(range: Range): Reader<number> {
  return (field) => inRange(field, range, 'integer');
}

export function decimal(range: Range): Reader<number> {
  return (field) => inRange(field, range, 'decimal');
}

function inRange(field: Field, { min, max }: Range, kind: 'integer' | 'decimal'): number {
  const { path, value } = field;
  if (value === undefined) throw missing(path);
  const isRight = typeof value === 'number' && (kind === 'decimal' || Number.isInteger(value));
  if (!isRight) throw wrongType(field, kind === 'integer' ? 'an integer' : 'a number');
  if (value < min) {
    throw invalid(
      path,
      `${kind}_below_min_value`,
      `Invalid '${path}': it must be at least ${min}.`,
    );
  }
  if (value > max) {
    throw invalid(path, `${kind}_above_max_value`, `Invalid '${path}': it must be at most ${max}.`);
  }
  return value;
}

interface TextLimits {
  readonly max?: number;
  readonly isFilled?: true;
  readonly pattern?: RegExp;
}

export function text({ max, isFilled, pattern }: TextLimits = {}): Reader<string> {
  return (field) => {
    const { path, value } = field;
    if (value === undefined) throw missing(path);
    if (typeof value !== 'string') throw wrongType(field, 'a string');
    if (isFilled && value === '') {
      throw invalid(path, 'empty_string', `Invalid '${path}': it must not be empty.`);
    }
    if (max !== undefined && value.length > max) {
      const message = `Invalid '${path}': use at most ${max} characters.`;
      throw invalid(path, 'string_above_max_length', message);
    }
    if (pattern !== undefined && !pattern.test(value)) {
      throw invalid(path, 'invalid_value', `Invalid '${path}': it must match ${pattern.source}.`);
    }
    return value;
  };
}

export function choice<const Choice extends string>(choices: readonly Choice[]): Reader<Choice> {
  return (field) => {
    const { path, value } = field;
    if (value === undefined) throw missing(path);
    if (typeof value !== 'string') throw wrongType(field, 'a string');
    const found = choices.find((each) => each === value);
    if (found !== undefined) return found;
    const got = cutText(value, maxShown);
    throw invalid(
      path,
      'invalid_value',
      `Invalid value '${got}' for '${path}': use ${listed(choices)}.`,
    );
  };
}

function listed(choices: readonly string[]): string {
  return choices.map((each) => `'${each}'`).join(', ');
}

interface ArrayLimits {
  readonly min?: 0 | 1;
  readonly max: number;
}

export function array<Value>(
  read: Reader<Value>,
  { min = 0, max }: ArrayLimits,
): Reader<readonly Value[]> {
  return (field) => {
    const { path, value } = field;
    if (value === undefined) throw missing(path);
    if (!Array.isArray(value)) throw wrongType(field, 'an array');
    if (value.length < min) {
      throw invalid(path, 'empty_array', `Invalid '${path}': it needs at least one item.`);
    }
    if (value.length > max) {
      const message = `Invalid '${path}': use at most ${max} items.`;
      throw invalid(path, 'array_above_max_length', message);
    }
    return value.map((item, index) => read({ path: `${path}[${index}]`, value: item }));
  };
}

/** Reads any object. */
export const record: Reader<JsonObject> = (field) => {
  if (field.value === undefined) throw missing(field.path);
  if (!isObject(field.value)) throw wrongType(field, 'an object');
  return field.value;
};

/** Reads a member that may be absent. */
export function memberOf(
  { path, value }: { path: string; value: JsonObject },
  name: string,
): Field {
  return {
    path: path === '' ? name : `${path}.${name}`,
    value: Object.hasOwn(value, name) ? value[name] : undefined,
  };
}

/** Reads an object with these members, and rejects others. */
export function object<const Given extends Shape>(shape: Given): Reader<ObjectOf<Given>> {
  const names = Object.keys(shape);
  return (field) => {
    const value = record(field);
    const members = Object.entries(shape).map(([name, read]) => [
      name,
      read(memberOf({ path: field.path, value }, name)),
    ]);
    rejectOthers({ path: field.path, value }, names);
    return Object.fromEntries(members) as ObjectOf<Given>;
  };
}

function rejectOthers(object: { path: string; value: JsonObject }, known: readonly string[]): void {
  const other = Object.keys(object.value).find((name) => !known.includes(name));
  if (other === undefined) return;
  const { path } = memberOf(object, cutText(other, maxShown));
  const hint = didYouMean(other, known);
  throw invalid(path, 'unknown_parameter', `Unknown parameter: '${path}'.${hint}`);
}

/** Reads an object by the reader that one of its members names. */
export function byMember<const Readers extends Shape>(
  name: string,
  readers: Readers,
): Reader<ValueOf<Readers[keyof Readers]>> {
  const nameOf = choice(Object.keys(readers));
  return (field) => {
    const value = record(field);
    const chosen = nameOf(memberOf({ path: field.path, value }, name));
    return readers[chosen]?.(field) as ValueOf<Readers[keyof Readers]>;
  };
}
