/** Headers that a caller gives in a query, such as `?header=Retry-After:5`. */

import { checkSettableHeaders, type GivenHeaders } from '../headers/settable-headers.js';
import { type FieldFault, HttpError } from '../http-error.js';

/** Each text is a name and a value with a colon between. Throws 400 for what may not be set. */
export function parseHeaderParameters(texts: readonly string[], parameter: string): GivenHeaders {
  const faults: FieldFault[] = [];
  const pairs = texts.map((text, index) => {
    const colon = text.indexOf(':');
    if (colon < 1) {
      const message = `${JSON.stringify(text.slice(0, 100))} is no header. Write it as Name:value.`;
      faults.push({ field: `${parameter}.${index}`, message });
    }
    return [text.slice(0, colon), text.slice(colon + 1).trim()] as const;
  });
  if (faults.length === 0) faults.push(...checkSettableHeaders(pairs, parameter));
  rejectFaults(faults);
  return pairs;
}

/** Throws 400 that names every fault, unless there is none. */
export function rejectFaults(errors: readonly FieldFault[]): void {
  if (errors.length === 0) return;
  throw new HttpError(400, errors.map(({ message }) => message).join(' '), { body: { errors } });
}

export function rejectField(field: string, message: string): never {
  throw new HttpError(400, message, { body: { errors: [{ field, message }] } });
}
