/** Faulty parameters and fields, and records that cannot be found. */

import { gotParameter } from '../../../base/text/got-value.js';
import { type FieldFault, HttpError } from '../../../http/http-error.js';
import { isFaultParameter } from '../../../kit/describe/fault-parameters.js';
import type { DataRecord, RecordId } from './fields.js';
import type { Query, Source } from './source.js';

export function faultyFields(errors: readonly FieldFault[]): HttpError {
  const message = errors.map((fault) => fault.message).join(' ');
  return new HttpError(400, message, { body: { errors } });
}

export function rejectFaults(faults: readonly FieldFault[]): void {
  if (faults.length > 0) throw faultyFields(faults);
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

/** Returns 404, or 410 for a record in the trash. */
export function absence({ noun, path }: Source, id: RecordId, trashed?: DataRecord): HttpError {
  if (trashed === undefined) {
    return new HttpError(404, `There is no ${noun} ${id}. GET ${path} lists those there are.`);
  }
  return new HttpError(
    410,
    `The ${noun} ${trashed.id} is in the trash since ${trashed.deletedAt}. POST ${path}/${trashed.id}/restore brings it back.`,
  );
}
