/** Faulty parameters and fields, and what a query holds. */

import { cutText } from '../../../base/text/cut-text.js';
import { gotParameter } from '../../../base/text/got-value.js';
import { type FieldFault, HttpError } from '../../../http/http-error.js';
import { isFaultParameter } from '../../../kit/describe/fault-parameters.js';

/** A decoded query string: repeated parameters are lists. */
export type Query = Readonly<Record<string, string | readonly string[]>>;

/** Rejects fields or parameters whose faults are known. */
export function faultyFields(errors: readonly FieldFault[]): HttpError {
  const message = errors.map((fault) => fault.message).join(' ');
  return new HttpError(400, message, { body: { errors } });
}

/** `what` is read after the name, such as `must be true or false`; `value` is what came. */
export function parameterFault(
  name: string,
  what: string,
  value?: Query[string] | undefined,
): FieldFault {
  return { field: name, message: `${name} ${what}${gotParameter(name, value)}.` };
}

/** Returns a fault for each parameter that changes nothing. */
export function unknownParameters(query: Query, accepted: readonly string[]): FieldFault[] {
  const names = Object.keys(query).filter(
    (name) => !accepted.includes(name) && !isFaultParameter(name, query),
  );
  const list = accepted.length === 0 ? 'none' : accepted.join(', ');
  return names.map((field) => ({
    field,
    message: `There is no query parameter ${field} here; it supports ${list}.`,
  }));
}

const maxNames = 100;
const maxNameLength = 100;

/** Joins names by commas; of many the first, and how many more there are. */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).map((name) => cutText(name, maxNameLength));
  const more = names.length - shown.length;
  return shown.join(', ') + (more === 0 ? '' : ` and ${more} more`);
}
