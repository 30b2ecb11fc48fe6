/** Makes validators of input from schemas. */

import { HttpError } from '#http/http-error.js';
import { CheckBudget, maxChecks } from '#json-schema/budget.js';
import { findFaults, type ValueFault } from '#json-schema/find-faults.js';

export const maxFaults = 1_000;

export type Validate = (value: unknown) => readonly ValueFault[] | undefined;

interface Schema {
  readonly type?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

type Members = Record<string, unknown>;

/** Makes the validator of a JSON body; it adds the defaults of the schema. */
export function bodyValidator(schema: object): Validate {
  const hasDefaults = JSON.stringify(schema).includes('"default":');
  return (value) => {
    if (hasDefaults) addDefaults(schema as Schema, value);
    return faultsOf(schema, value);
  };
}

/**
 * Makes the validator of an object of texts; it replaces them by parsed values and adds defaults.
 */
export function textValidator(schema: Schema): Validate {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.entries(properties);
  const integers = new Set(
    fields.filter(([, field]) => isPlainInteger(field)).map(([name]) => name),
  );
  return (value) => {
    const members = value as Members;
    const sent: Members = { ...members };
    // Most values are valid, so a fast check comes first.
    let areRight = true;
    for (const [name, field] of fields) {
      const text = members[name];
      if (text === undefined) {
        if (field.default !== undefined) members[name] = structuredClone(field.default);
        else if (required.includes(name)) areRight = false;
      } else if (integers.has(name) && typeof text === 'string' && shortInteger.test(text)) {
        const number = Number(text);
        members[name] = number;
        areRight &&= number >= (field.minimum ?? number) && number <= (field.maximum ?? number);
      } else {
        members[name] = parseText(field, text);
        areRight = false;
      }
    }
    if (areRight && additionalProperties === false) {
      for (const name in sent) areRight &&= Object.hasOwn(properties, name);
    }
    if (areRight) return undefined;
    // Faults quote the original text.
    return faultsOf(schema, value)?.map((fault) => {
      const name = fault.instancePath.slice(1);
      return Object.hasOwn(sent, name) ? { ...fault, data: sent[name] } : fault;
    });
  };
}

/** Keywords of an integer schema that {@link textValidator} checks directly. */
const integerKeywords = ['type', 'minimum', 'maximum', 'default', 'description', 'examples'];

function isPlainInteger(field: Schema): boolean {
  const keywords = Object.keys(field);
  return field.type === 'integer' && keywords.every((each) => integerKeywords.includes(each));
}

/** Without a minus sign, so that the result is never -0. */
const shortInteger = /^\d{1,15}$/;

function faultsOf(schema: object, value: unknown): readonly ValueFault[] | undefined {
  const found = findFaults(schema, value, new CheckBudget(maxChecks, maxFaults));
  if (found.isValid === undefined) throw new HttpError(400, 'The input needs too many checks.');
  return found.isValid ? undefined : found.faults;
}

function addDefaults({ properties, items }: Schema, value: unknown): void {
  if (Array.isArray(value)) {
    if (items !== undefined) for (const item of value) addDefaults(items, item);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, property] of Object.entries(properties ?? {})) {
      const members = value as Members;
      if (members[name] !== undefined) addDefaults(property, members[name]);
      else if (property.default !== undefined) members[name] = structuredClone(property.default);
    }
  }
}

const written: Readonly<Record<string, RegExp>> = {
  integer: /^-?\d+$/,
  number: /^-?(?:\d+|\d*\.\d+)$/,
  boolean: /^(?:true|false)$/,
};

/** Parses a text, or several, to the type of a schema; leaves other texts unchanged. */
function parseText({ type, items = {}, anyOf = [] }: Schema, value: unknown): unknown {
  if (type === 'array') return [value].flat().map((each) => parseText(items, each));
  const text = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (typeof text !== 'string') return text;
  const types = [type, ...anyOf.map((each) => each.type)];
  const wanted = types.find((each) => written[each ?? '']?.test(text));
  if (wanted === undefined) return text;
  if (wanted === 'boolean') return text === 'true';
  const number = Number(text);
  // Excludes -0 and infinity, which JSON cannot represent.
  return Number.isFinite(number) ? number + 0 : text;
}
