/** What the query of a write asks for: how it is done, and how long it takes when it becomes a job. */

import type { FieldFault } from '../../../http/http-error.js';
import { maxJobSeconds, usualJobSeconds } from '../jobs/job.js';
import { faultyFields, parameterFault, type Query, unknownParameters } from '../source/faults.js';

export interface WriteOptions {
  readonly isKeyRequired: boolean;
  readonly isUpsert: boolean;
  readonly isPurge: boolean;
  readonly jobSeconds: number;
  readonly jobFails: boolean;
}

/** The options of a write without a query. */
export const usualOptions: WriteOptions = {
  isKeyRequired: false,
  isUpsert: false,
  isPurge: false,
  jobSeconds: usualJobSeconds,
  jobFails: false,
};

const seconds = /^\d{1,4}(?:\.\d{1,3})?$/;

/** Throws 400 for invalid values, and where a client is strict for parameters that mean nothing here. */
export function readWriteOptions(
  query: Query,
  accepted: readonly string[],
  isStrict: boolean,
): WriteOptions {
  const faults: FieldFault[] = [];
  const given = (name: string) => (accepted.includes(name) ? query[name] : undefined);
  const isTrue = (name: string): boolean => {
    const value = given(name);
    if (value !== undefined && value !== 'true' && value !== 'false') {
      faults.push(parameterFault(name, 'must be true or false', value));
    }
    return value === 'true';
  };
  const options = {
    isKeyRequired: isTrue('requireIdempotency'),
    isUpsert: isTrue('upsert'),
    isPurge: isTrue('purge'),
    jobSeconds: readSeconds(given('jobSeconds'), faults),
    jobFails: isTrue('jobFails'),
  };
  if (isStrict) faults.push(...unknownParameters(query, accepted));
  if (faults.length > 0) throw faultyFields(faults);
  return options;
}

function readSeconds(value: Query[string] | undefined, faults: FieldFault[]): number {
  if (value === undefined) return usualJobSeconds;
  const number = typeof value === 'string' && seconds.test(value) ? Number(value) : Number.NaN;
  if (number <= maxJobSeconds) return number;
  faults.push(parameterFault('jobSeconds', `must be seconds from 0 to ${maxJobSeconds}`, value));
  return usualJobSeconds;
}
