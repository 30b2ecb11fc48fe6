/** What is wrong with data of one's own, and where. */

import { type FieldFault, HttpError } from '../../../../http/http-error.js';
import type { Place } from '../../../../http/json/locate-in-json.js';

export interface DataFault {
  /** Names and indexes by dots, such as `posts.3.id`; empty for the whole. */
  readonly field: string;
  /** To be read after the field: `must be an object`. */
  readonly what: string;
  /** None for data that is no text. */
  readonly place?: Place | undefined;
}

/** More faults than that are not looked for. */
export const maxDataFaults = 20;

export class OwnDataError extends Error {
  override readonly name = 'OwnDataError';
  readonly faults: readonly DataFault[];

  constructor(faults: readonly DataFault[]) {
    super(describeFirst(faults));
    this.faults = faults;
  }
}

/** One clear line. */
function describeFirst(faults: readonly DataFault[]): string {
  const [first] = faults;
  if (first === undefined) return 'the data cannot be used';
  const others = faults.length - 1;
  const more = others === 0 ? '' : ` (and ${others} more fault${others === 1 ? '' : 's'})`;
  return `${first.field || 'the data'} ${first.what}${placeWords(first)}${more}`;
}

function placeWords({ place }: DataFault): string {
  return place === undefined ? '' : `, at line ${place.line}, column ${place.column}`;
}

/** 400 that names every fault. */
export function dataRejected({ faults }: OwnDataError): HttpError {
  const errors = faults.map((fault): FieldFault => {
    const name = fault.field === '' ? 'The data' : fault.field;
    return { field: fault.field, message: `${name} ${fault.what}${placeWords(fault)}.` };
  });
  return new HttpError(400, errors.map(({ message }) => message).join(' '), { body: { errors } });
}
