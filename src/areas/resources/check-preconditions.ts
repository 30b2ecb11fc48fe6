/** Conditional requests: RFC 9110 section 13. */

import { HttpError } from '../../server/http-error.js';
import { matchesEntityTag, matchesStrongEntityTag } from '../../server/matches-entity-tag.js';

/** The headers of a request that make it conditional. */
export interface Preconditions {
  readonly 'if-match'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
}

/**
 * Throws 412 when the record with that tag, which is asked for if it matters, must not be
 * changed. The tags of its other formats are as good.
 */
export function checkWrite(headers: Preconditions, etagOf: () => string): void {
  if (headers['if-match'] === undefined && headers['if-none-match'] === undefined) return;
  const etag = etagOf();
  checkMatch({ 'if-match': ofAnyFormat(headers['if-match']) }, etag);
  if (matchesEntityTag(ofAnyFormat(headers['if-none-match']), etag)) {
    throw failed(`If-None-Match names ${etag}, which is the record as it is now.`, etag);
  }
}

/** Whether a reader has the record with that tag already; throws 412 when it asks for another one. */
export function isNotModified(headers: Preconditions, etag: string): boolean {
  checkMatch(headers, etag);
  return matchesEntityTag(headers['if-none-match'], etag);
}

/** Whoever read a record in another format has seen the same state of it, which its tag begins with. */
function ofAnyFormat(tags: string | undefined): string | undefined {
  return tags?.replace(/"([\w-]{22})\.[\w.-]{1,40}"/g, '"$1"');
}

function checkMatch(headers: Preconditions, etag: string): void {
  const wanted = headers['if-match'];
  if (wanted === undefined || matchesStrongEntityTag(wanted, etag)) return;
  const hint = wanted.includes('"') ? '' : ' Entity tags are written with their double quotes.';
  throw failed(`The record is not as If-Match says: its entity tag is ${etag} now.${hint}`, etag);
}

function failed(message: string, etag: string): HttpError {
  return new HttpError(412, message, { headers: { etag } });
}
