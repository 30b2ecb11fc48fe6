/** Errors in the data of a caller, with their places. */

import { HttpError } from '#http/http-error.js';
import type { Place } from '#http/json/locate-in-json.js';

export interface DataFault {
  /** Names and indexes joined by dots, such as `posts.3.id`; empty for the whole data. */
  readonly field: string;
  /** Follows the field in a message: `must be an object`. */
  readonly what: string;
  readonly place?: Place | undefined;
}

/** Limit of reported errors. */
export const maxDataFaults = 20;

export class OwnDataError extends Error {
  override readonly name = 'OwnDataError';
  readonly faults: readonly DataFault[];

  constructor(faults: readonly DataFault[]) {
    const [first = { field: '', what: 'cannot be used' }] = faults;
    const others = faults.length - 1;
    const more = others > 0 ? ` (and ${others} more fault${others === 1 ? '' : 's'})` : '';
    super(wordsOf(first, 'the data') + more);
    this.faults = faults;
  }
}

/** Returns an error as part of a sentence. */
export function wordsOf({ field, what, place }: DataFault, whole: string): string {
  const where = place === undefined ? '' : `, at line ${place.line}, column ${place.column}`;
  return `${field || whole} ${what}${where}`;
}

export function dataRejected({ faults }: OwnDataError): HttpError {
  const errors = faults.map((fault) => ({
    field: fault.field,
    message: `${wordsOf(fault, 'The data')}.`,
  }));
  return new HttpError(400, errors.map(({ message }) => message).join(' '), { body: { errors } });
}
