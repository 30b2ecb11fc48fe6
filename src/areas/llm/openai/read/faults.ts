/** Mistakes in a field of a request, with the codes of the OpenAI API. */

import { cutText } from '../../../../base/text/cut-text.js';
import type { HttpError } from '../../../../http/http-error.js';
import { mistake } from '../../messages/mistake.js';

/** A value of a request, and its path such as `messages[0].content`. */
export interface Field {
  readonly path: string;
  readonly value: unknown;
}

/** Longer paths are cut, because they have names that the caller chose. */
const maxPath = 200;

export function invalid(path: string, code: string | null, message: string): HttpError {
  return mistake(400, message, { param: cutText(path, maxPath), code });
}

export function missing(path: string): HttpError {
  return invalid(path, 'missing_required_parameter', `Parameter '${path}' is required.`);
}

export function wrongType({ path, value }: Field, expected: string): HttpError {
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
