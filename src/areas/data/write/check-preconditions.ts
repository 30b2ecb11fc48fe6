/** Conditional requests: RFC 9110 section 13. */

import { wholeSeconds } from '../../../base/whole-seconds.js';
import { matchesEntityTag, matchesStrongEntityTag } from '../../../http/caching/conditional.js';
import { parseHttpDate } from '../../../http/headers/http-date.js';
import { HttpError } from '../../../http/http-error.js';

/** The headers of a request that make it conditional. */
export interface Preconditions {
  readonly 'if-match'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
  readonly 'if-modified-since'?: string | undefined;
  readonly 'if-unmodified-since'?: string | undefined;
}

/** Those that decide about a write. */
export type WriteConditions = Omit<Preconditions, 'if-modified-since'>;

const none: WriteConditions = {};

/** Those of the headers that decide about a write, and no others. */
export function writeConditionsOf(headers: Preconditions): WriteConditions {
  if (!hasCondition(headers)) return none;
  const {
    'if-match': ifMatch,
    'if-none-match': ifNoneMatch,
    'if-unmodified-since': ifUnmodifiedSince,
  } = headers;
  return {
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
    ...(ifUnmodifiedSince !== undefined && { 'if-unmodified-since': ifUnmodifiedSince }),
  };
}

export function hasCondition(conditions: WriteConditions): boolean {
  return (
    conditions['if-match'] !== undefined ||
    conditions['if-none-match'] !== undefined ||
    conditions['if-unmodified-since'] !== undefined
  );
}

/** Of a collection whose records must be read before they are changed; throws 428 (RFC 6585 section 3). */
export function demandCondition(conditions: WriteConditions): void {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = conditions;
  if (ifMatch !== undefined || ifNoneMatch !== undefined) return;
  if (dateIn(conditions['if-unmodified-since']) !== undefined) return;
  throw new HttpError(
    428,
    'This collection accepts no write without a condition. Read the record, and send its ETag in If-Match, or its Last-Modified in If-Unmodified-Since.',
  );
}

/**
 * Throws 412 when the record with that tag, which is asked for if it matters, must not be
 * changed. The tags of its other formats are as good.
 */
export function checkWrite(
  conditions: WriteConditions,
  etagOf: () => string,
  lastModifiedMs: () => number,
): void {
  if (!hasCondition(conditions)) return;
  const etag = etagOf();
  const ifMatch = ofAnyFormat(conditions['if-match']);
  checkMatch({ ...conditions, 'if-match': ifMatch }, etag, lastModifiedMs);
  if (matchesEntityTag(ofAnyFormat(conditions['if-none-match']), etag)) {
    throw failed(`If-None-Match names ${etag}, which is the record as it is now.`, etag);
  }
}

/** Throws 412 for a write to a record that is to be there and is not. */
export function checkAbsence(conditions: WriteConditions): void {
  if (conditions['if-match'] === undefined) return;
  throw new HttpError(412, 'There is no such record, and so none that If-Match names.');
}

/** Whether a reader has the record with that tag already; throws 412 when it asks for another one. */
export function isNotModified(
  headers: Preconditions,
  etag: string,
  lastModifiedMs: () => number,
): boolean {
  checkMatch(headers, etag, lastModifiedMs);
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined) return matchesEntityTag(ifNoneMatch, etag);
  const sinceMs = dateIn(headers['if-modified-since']);
  return sinceMs !== undefined && wholeSeconds(lastModifiedMs()) <= sinceMs;
}

/** A client that read a record in another format has seen the same state of it, which its tag begins with. */
function ofAnyFormat(tags: string | undefined): string | undefined {
  return tags?.replace(/"([\w-]{22})\.[\w.-]{1,40}"/g, '"$1"');
}

function checkMatch(headers: Preconditions, etag: string, lastModifiedMs: () => number): void {
  const wanted = headers['if-match'];
  if (wanted === undefined) {
    const sinceMs = dateIn(headers['if-unmodified-since']);
    if (sinceMs === undefined || wholeSeconds(lastModifiedMs()) <= sinceMs) return;
    const lastModified = new Date(lastModifiedMs()).toUTCString();
    throw failed(`The record was modified after If-Unmodified-Since: ${lastModified}.`, etag);
  }
  if (matchesStrongEntityTag(wanted, etag)) return;
  const hint = wanted.includes('"') ? '' : ' Entity tags are written with their double quotes.';
  throw failed(`The record is not as If-Match says: its entity tag is ${etag} now.${hint}`, etag);
}

/** A condition with an invalid date is ignored (section 13.1.4). */
function dateIn(header: string | undefined): number | undefined {
  return header === undefined ? undefined : parseHttpDate(header);
}

function failed(message: string, etag: string): HttpError {
  return new HttpError(412, message, { headers: { etag } });
}
