/** Conditional requests: which precondition decides, in the order of RFC 9110 section 13.2.2. */

import { wholeSeconds } from '../../base/whole-seconds.js';
import type { Request } from '../exchange.js';
import { headerValues } from '../headers/header-values.js';
import { parseHttpDate } from '../headers/http-date.js';
import { matchesEntityTag, matchesStrongEntityTag } from './matches-entity-tag.js';

/** What there is; without either validator, none of its kind matches. */
export interface Validators {
  /** With its quotes, and `W/` in front of a weak one. */
  readonly entityTag?: string | undefined;
  /** Milliseconds since the Unix epoch; fractions of a second do not count. */
  readonly lastModifiedMs?: number | undefined;
}

/** The headers as they came; several of one kind are one list. */
export interface Preconditions {
  readonly method: string;
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly ifModifiedSince?: string | undefined;
  readonly ifUnmodifiedSince?: string | undefined;
}

export function preconditionsOf(request: Request): Preconditions {
  const list = (name: string) => {
    const values = headerValues(request, name);
    return values.length === 0 ? undefined : values.join(', ');
  };
  return {
    method: request.method,
    ifMatch: list('if-match'),
    ifNoneMatch: list('if-none-match'),
    ifModifiedSince: list('if-modified-since'),
    ifUnmodifiedSince: list('if-unmodified-since'),
  };
}

/**
 * What becomes of a request for something that exists: its method goes on, or it gets 304 or 412.
 * Range requests have a fifth step, If-Range, which is theirs.
 */
export function checkPreconditions(
  { method, ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince }: Preconditions,
  { entityTag, lastModifiedMs }: Validators,
): 'proceed' | 304 | 412 {
  const isReading = method === 'GET' || method === 'HEAD';
  if (ifMatch !== undefined) {
    if (!matchesStrongEntityTag(ifMatch, entityTag ?? '')) return 412;
  } else if (ifUnmodifiedSince !== undefined && lastModifiedMs !== undefined) {
    const sinceMs = parseHttpDate(ifUnmodifiedSince);
    if (sinceMs !== undefined && wholeSeconds(lastModifiedMs) > sinceMs) return 412;
  }
  if (ifNoneMatch !== undefined) {
    if (matchesEntityTag(ifNoneMatch, entityTag ?? '')) return isReading ? 304 : 412;
  } else if (isReading && ifModifiedSince !== undefined && lastModifiedMs !== undefined) {
    const sinceMs = parseHttpDate(ifModifiedSince);
    if (sinceMs !== undefined && wholeSeconds(lastModifiedMs) <= sinceMs) return 304;
  }
  return 'proceed';
}
