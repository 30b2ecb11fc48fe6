/** Parses how a write is performed: with which key, as a job, or for a missing or deleted record. */

import type { Request } from '#http/exchange.js';
import { headerValues } from '#http/headers/header-values.js';
import { parseIdempotencyKey } from '#http/headers/parse-idempotency-key.js';
import { type FieldFault, HttpError } from '#http/http-error.js';
import { maxJobSeconds, usualJobSeconds } from '../jobs/job.js';
import { parameterFault, type Query, readFlag, rejectFaults } from '../source/faults.js';
import type { CommandKind } from '../write/read-command.js';

export interface WriteOptions {
  readonly isKeyRequired: boolean;
  readonly isUpsert: boolean;
  readonly isPurge: boolean;
  readonly jobSeconds: number;
  readonly jobFails: boolean;
}

/** Whether it can be repeated with an Idempotency-Key. */
export function isRepeatable(kind: CommandKind): boolean {
  return kind !== 'replace' && kind !== 'remove';
}

export function readWriteOptions(query: Query, kind: CommandKind): WriteOptions {
  const faults: FieldFault[] = [];
  const isTrue = (name: string) => readFlag(query, name, faults);
  const options = {
    isKeyRequired: isRepeatable(kind) && isTrue('requireIdempotency'),
    isUpsert: kind === 'replace' && isTrue('upsert'),
    isPurge: kind === 'remove' && isTrue('purge'),
    jobSeconds: readSeconds(query.jobSeconds, faults),
    jobFails: isTrue('jobFails'),
  };
  rejectFaults(faults);
  return options;
}

const seconds = /^\d{1,4}(?:\.\d{1,3})?$/;

function readSeconds(value: Query[string] | undefined, faults: FieldFault[]): number {
  if (value === undefined) return usualJobSeconds;
  const number = typeof value === 'string' && seconds.test(value) ? Number(value) : Number.NaN;
  if (number <= maxJobSeconds) return number;
  faults.push(parameterFault('jobSeconds', `must be seconds from 0 to ${maxJobSeconds}`, value));
  return usualJobSeconds;
}

/** Returns the Idempotency-Key. Throws 400 for an invalid one, or if it is required and missing. */
export function keyOf(request: Request, { isKeyRequired }: WriteOptions): string | undefined {
  const key = parseIdempotencyKey(headerValues(request, 'idempotency-key'));
  if (key !== undefined || !isKeyRequired) return key;
  const message =
    'The header Idempotency-Key is missing, which ?requireIdempotency=true requires. Send a new key for each operation.';
  throw new HttpError(400, message);
}
