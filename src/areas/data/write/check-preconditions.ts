/** Conditional requests for records: RFC 9110 section 13. */

import { checkPreconditions } from '#http/caching/conditional.js';
import { parseHttpDate } from '#http/headers/http-date.js';
import { HttpError } from '#http/http-error.js';
import type { DataRecord } from '../source/fields.js';
import { modifiedTimeOf, renderingOf } from '../source/rendering.js';

export interface Preconditions {
  readonly 'if-match'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
  readonly 'if-modified-since'?: string | undefined;
  readonly 'if-unmodified-since'?: string | undefined;
}

export type WriteConditions = Omit<Preconditions, 'if-modified-since'>;

export function writeConditionsOf(headers: Preconditions): WriteConditions {
  return {
    'if-match': headers['if-match'],
    'if-none-match': headers['if-none-match'],
    'if-unmodified-since': headers['if-unmodified-since'],
  };
}

/** Throws 428 (RFC 6585 section 3) if a record must be read before it is changed. */
export function demandCondition(conditions: WriteConditions, isUpsert = false): void {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = conditions;
  if (ifMatch !== undefined || ifNoneMatch !== undefined) return;
  // A condition with an invalid date is ignored (RFC 9110 section 13.1.4).
  if (parseHttpDate(conditions['if-unmodified-since'] ?? '') !== undefined) return;
  const message =
    'This collection requires a condition for writes. Read the record, and send its ETag in If-Match, or its Last-Modified in If-Unmodified-Since.';
  const ofNew = isUpsert ? ' To create one with this id, send If-None-Match: *.' : '';
  throw new HttpError(428, message + ofNew);
}

/** Throws 412 if this version of a record must not be changed. */
export function checkFound(conditions: WriteConditions, found: DataRecord): void {
  if (Object.values(conditions).every((each) => each === undefined)) return;
  checkWrite(conditions, renderingOf(found).entityTag, modifiedTimeOf(found));
}

/** Throws 412 if the record with that tag must not be changed. Accepts the tags of its other formats, too. */
export function checkWrite(conditions: WriteConditions, etag: string, modifiedMs: number): void {
  const tags = {
    'if-match': ofAnyFormat(conditions['if-match']),
    'if-none-match': ofAnyFormat(conditions['if-none-match']),
  };
  check('PUT', { ...conditions, ...tags }, etag, modifiedMs);
}

export function checkAbsence(conditions: WriteConditions): void {
  if (conditions['if-match'] === undefined) return;
  throw new HttpError(412, 'The record does not exist, so it does not match If-Match.');
}

/** Whether the client already has the record with that tag. Throws 412 if it requests another version. */
export function isNotModified(headers: Preconditions, etag: string, modifiedMs: number): boolean {
  return check('GET', headers, etag, modifiedMs) === 304;
}

/** A tag's beginning identifies the record's state in every format. */
function ofAnyFormat(tags: string | undefined): string | undefined {
  return tags?.replace(/"([\w-]{22})\.[\w.-]{1,40}"/g, '"$1"');
}

function check(method: string, headers: Preconditions, etag: string, lastModifiedMs: number) {
  const ifMatch = headers['if-match'];
  const preconditions = { method, ifMatch, ifUnmodifiedSince: headers['if-unmodified-since'] };
  const validators = { entityTag: etag, lastModifiedMs };
  const failed = (message: string) => new HttpError(412, message, { headers: { etag } });
  if (checkPreconditions(preconditions, validators) === 412) {
    if (ifMatch === undefined) {
      const lastModified = new Date(lastModifiedMs).toUTCString();
      throw failed(`The record was modified after If-Unmodified-Since: ${lastModified}.`);
    }
    const hint = ifMatch.includes('"') ? '' : ' Write entity tags with their double quotes.';
    throw failed(`The record does not match If-Match: its entity tag is now ${etag}.${hint}`);
  }
  const ifNoneMatch = headers['if-none-match'];
  const ifModifiedSince = headers['if-modified-since'];
  const outcome = checkPreconditions({ method, ifNoneMatch, ifModifiedSince }, validators);
  if (outcome !== 412) return outcome;
  throw failed(`If-None-Match has ${etag}, which is the record's current entity tag.`);
}
