/** Evaluates conditional requests: RFC 9110 sections 8.8.3.2 and 13. */

import { wholeSeconds } from '#base/whole-seconds.js';
import type { Request } from '../exchange.js';
import { headerValues } from '../headers/header-values.js';
import { parseHttpDate } from '../headers/http-date.js';

/** Without a validator, no condition of its kind matches. */
export interface Validators {
  /** With its quotes, and `W/` before a weak tag. */
  readonly entityTag?: string | undefined;
  /** Unix milliseconds; fractions of a second are ignored. */
  readonly lastModifiedMs?: number | undefined;
}

/** Headers as sent; repeated ones are one list. */
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
 * Evaluates a request for an existing resource, in the order of section 13.2.2, without If-Range.
 */
export function checkPreconditions(
  { method, ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince }: Preconditions,
  { entityTag = '', lastModifiedMs }: Validators,
): 'proceed' | 304 | 412 {
  const isReading = method === 'GET' || method === 'HEAD';
  const isModifiedSince = (date: string | undefined): boolean | undefined => {
    const sinceMs = date === undefined ? undefined : parseHttpDate(date);
    if (sinceMs === undefined || lastModifiedMs === undefined) return undefined;
    return wholeSeconds(lastModifiedMs) > sinceMs;
  };
  if (ifMatch !== undefined) {
    if (!matchesStrongEntityTag(ifMatch, entityTag)) return 412;
  } else if (isModifiedSince(ifUnmodifiedSince) === true) return 412;
  if (ifNoneMatch !== undefined) {
    if (matchesEntityTag(ifNoneMatch, entityTag)) return isReading ? 304 : 412;
  } else if (isReading && isModifiedSince(ifModifiedSince) === false) return 304;
  return 'proceed';
}

/** Returns whether the list of an If-None-Match header holds `tag` or is `*`, by the weak comparison. */
export function matchesEntityTag(header: string | undefined, tag: string): boolean {
  return isInList(header, (listed) => opaque(listed) === opaque(tag));
}

/** Returns whether the list of an If-Match header holds `tag` or is `*`, by the strong comparison. */
export function matchesStrongEntityTag(header: string | undefined, tag: string): boolean {
  return isInList(header, (listed) => listed === tag && !tag.startsWith('W/'));
}

const entityTags = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

function isInList(header: string | undefined, isSame: (tag: string) => boolean): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || (header.match(entityTags) ?? []).some(isSame);
}

const opaque = (tag: string) => (tag.startsWith('W/') ? tag.slice(2) : tag);
