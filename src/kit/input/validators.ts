/** Validators of the input of endpoints by their schemas. */

import { HttpError } from '../../http/http-error.js';
import { CheckBudget, maxChecks } from '../../json-schema/budget.js';
import { findFaults, type ValueFault } from '../../json-schema/find-faults.js';

/** More faults than that are not described. */
export const maxFaults = 1_000;

/** Returns what is wrong with a value; `undefined` for nothing. */
export type Validate = (value: unknown) => readonly ValueFault[] | undefined;

interface Schema {
  readonly type?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

type Members = Record<string, unknown>;

/** Makes the validator of a JSON body, which gets the defaults of the schema. */
export function bodyValidator(schema: object): Validate {
  const hasDefaults = JSON.stringify(schema).includes('"default":');
  return (value) => {
    if (hasDefaults) addDefaults(schema as Schema, value);
    return faultsOf(schema, value);
  };
}

/** Makes the validator of an object of texts, which puts parsed values and defaults into it. */
export function textValidator(schema: object): Validate {
  const properties = Object.entries((schema as Schema).properties ?? {});
  return (value) => {
    const members = value as Members;
    const sent: Members = { ...members };
    for (const [name, property] of properties) {
      if (members[name] !== undefined) members[name] = parseText(property, members[name]);
      else if (property.default !== undefined) members[name] = structuredClone(property.default);
    }
    const faults = faultsOf(schema, value);
    // The faults quote what came, not what was made of it.
    return faults?.map((fault) => {
      const name = fault.instancePath.slice(1);
      return Object.hasOwn(sent, name) ? { ...fault, data: sent[name] } : fault;
    });
  };
}

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

/** Parses a text, or several, into what a schema wants; what is not written so stays as it is. */
function parseText({ type, items = {}, anyOf }: Schema, value: unknown): unknown {
  if (type === 'array') return [value].flat().map((each) => parseText(items, each));
  if (Array.isArray(value) && value.length === 1)
    return parseText({ type, anyOf } as Schema, value[0]);
  const types = [type, ...(anyOf ?? []).map((each) => each.type)];
  const wanted = types.find(
    (each) => typeof value === 'string' && written[each ?? '']?.test(value),
  );
  return wanted === undefined ? value : JSON.parse(normalizeNumber(value as string));
}

/** `007` and `.5` are written numbers in a URL, and none in JSON. */
function normalizeNumber(text: string): string {
  return /^-?[\d.]/.test(text) ? String(Number(text)) : text;
}
