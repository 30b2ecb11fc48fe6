/** The rejection of fields or parameters whose faults are known. */

import { type FieldFault, HttpError } from '../../../http/http-error.js';

export function faultyFields(errors: readonly FieldFault[]): HttpError {
  const message = errors.map((fault) => fault.message).join(' ');
  return new HttpError(400, message, { body: { errors } });
}
