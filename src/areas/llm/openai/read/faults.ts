/** Mistakes in a field of a request, with the codes of the OpenAI API. */

import { cutText } from '#base/text/cut-text.js';
import { didYouMean } from '#base/text/did-you-mean.js';
import type { HttpError } from '#http/http-error.js';
import type { Fault, Field, Protocol } from '#kit/input/fields/reader.js';
import { mistake, pathsOf, typeNames } from '../../messages/mistake.js';

/** Longer paths are cut, because they have names that the caller chose. */
const maxPath = 200;
const maxShown = 40;

export function invalid(path: string, code: string | null, message: string): HttpError {
  return mistake(400, message, { param: cutText(path, maxPath), code });
}

export function missing(path: string): HttpError {
  return invalid(path, 'missing_required_parameter', `Parameter '${path}' is required.`);
}

export function wrongType({ path, value }: Pick<Field, 'path' | 'value'>, expected: string) {
  const message = `Invalid type for '${path}': use ${expected} instead of ${typeOf(value)}.`;
  return invalid(path, 'invalid_type', message);
}

export function unsupported(path: string, instead: string): HttpError {
  return invalid(path, 'unsupported_parameter', `Unsupported parameter: '${path}'. ${instead}`);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal';
  return typeof value === 'string' ? 'a string' : 'a boolean';
}

const kindOf = ({ schema: { type } }: Fault) => (type === 'integer' ? 'integer' : 'decimal');

const is = (code: string, { path }: Fault, rest: string) =>
  invalid(path, code, `Invalid '${path}': ${rest}.`);

const faults: Readonly<Record<Fault['keyword'], (fault: Fault) => HttpError>> = {
  required: ({ path }) => missing(path),
  type: (fault) =>
    wrongType(fault, fault.words.expected ?? typeNames[String(fault.schema.type)] ?? ''),
  enum({ path, value, schema }) {
    const got = cutText(String(value), maxShown);
    const choices = (schema.enum as readonly string[]).map((each) => `'${each}'`).join(', ');
    return invalid(path, 'invalid_value', `Invalid value '${got}' for '${path}': use ${choices}.`);
  },
  minimum: (fault) =>
    is(`${kindOf(fault)}_below_min_value`, fault, `it must be at least ${fault.schema.minimum}`),
  maximum: (fault) =>
    is(`${kindOf(fault)}_above_max_value`, fault, `it must be at most ${fault.schema.maximum}`),
  minLength: (fault) => is('empty_string', fault, 'it must not be empty'),
  maxLength: (fault) =>
    is('string_above_max_length', fault, `use at most ${fault.schema.maxLength} characters`),
  pattern: (fault) => is('invalid_value', fault, `it must match ${fault.schema.pattern}`),
  minItems: (fault) => is('empty_array', fault, 'it needs at least one item'),
  maxItems: (fault) =>
    is('array_above_max_length', fault, `use at most ${fault.schema.maxItems} items`),
  additionalProperties({ path, unknown = '', known = [] }) {
    const hint = didYouMean(unknown, known);
    return invalid(path, 'unknown_parameter', `Unknown parameter: '${path}'.${hint}`);
  },
  unsupported: ({ path, words }) => unsupported(path, words.expected ?? ''),
};

const protocol: Protocol = {
  pathTo: pathsOf(maxShown),
  fault: (fault) => faults[fault.keyword](fault),
  rejectsUnknownFirst: false,
};

/** Returns a body, or the members of a query, as the field that a reader reads. */
export const fieldOf = (value: unknown): Field => ({ path: '', value, protocol });
