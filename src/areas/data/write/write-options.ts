/** What a query asks of a write: which of its ways, and how long it takes when it becomes a job. */

import type { FieldFault } from '../../../http/http-error.js';
import { isFaultParameter } from '../../../kit/describe/fault-parameters.js';
import { maxJobSeconds, usualJobSeconds } from '../jobs/job.js';
import { parameterFault, type Query } from '../read/read-list-query.js';
import { faultyFields } from '../source/faulty-fields.js';

export interface WriteOptions {
  readonly isKeyRequired: boolean;
  readonly isUpsert: boolean;
  readonly isPurge: boolean;
  readonly jobSeconds: number;
  readonly jobFails: boolean;
}

/** What a write is asked for that has no query. */
export const usualOptions: WriteOptions = {
  isKeyRequired: false,
  isUpsert: false,
  isPurge: false,
  jobSeconds: usualJobSeconds,
  jobFails: false,
};

const seconds = /^\d{1,4}(?:\.\d{1,3})?$/;

/** Throws 400 for values that are none, and where a client is strict for names that mean nothing here. */
export function readWriteOptions(
  query: Query,
  taken: readonly string[],
  isStrict: boolean,
): WriteOptions {
  const faults: FieldFault[] = [];
  const given = (name: string) => (taken.includes(name) ? query[name] : undefined);
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
  if (isStrict) faults.push(...strangeParameters(query, taken));
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

/** Parameters that change nothing, which only a strict client wants to hear of. */
export function strangeParameters(query: Query, taken: readonly string[]): FieldFault[] {
  const names = Object.keys(query).filter(
    (name) => !taken.includes(name) && !isFaultParameter(name, query),
  );
  const list = taken.length === 0 ? 'none' : taken.join(', ');
  return names.map((field) => ({
    field,
    message: `There is no query parameter ${field} here; it supports ${list}.`,
  }));
}
