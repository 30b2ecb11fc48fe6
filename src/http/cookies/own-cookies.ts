/**
 * Restricts cookies that callers let the service set. The service is shared, so each cookie stays
 * below the caller's path.
 */

import { type GivenHeaders, headerPairs } from '../headers/settable-headers.js';
import type { FieldFault } from '../http-error.js';
import { coversPath } from './set-cookie.js';

export function strayCookieFaults(
  headers: GivenHeaders,
  field: string,
  ownPath: string,
): FieldFault[] {
  const faults: FieldFault[] = [];
  for (const [header, cookie] of headerPairs(headers)) {
    if (header.toLowerCase() !== 'set-cookie') continue;
    const attributes = attributesOf(cookie);
    if (attributes.some(([name]) => name === 'domain')) {
      const message =
        'A scripted cookie must have no Domain, because other hosts would get it. POST /api/http/cookies sets any attribute.';
      faults.push({ field, message });
    }
    if (attributes.some(([name, path]) => name === 'path' && !coversPath(ownPath, path))) {
      const message = `The Path of a scripted cookie must be ${ownPath} or below it. That is also the default.`;
      faults.push({ field, message });
    }
  }
  return faults;
}

/** Adds the required path to cookies without one. */
export function ownHeaders(headers: GivenHeaders, ownPath: string): GivenHeaders {
  return headerPairs(headers).map(([name, value]) => {
    const isWhole =
      name.toLowerCase() !== 'set-cookie' ||
      attributesOf(value).some(([attribute]) => attribute === 'path');
    return [name, isWhole ? value : `${value}; Path=${ownPath}`] as const;
  });
}

/** Parses attributes as clients do (RFC 6265bis section 5.6), with names in lower case. */
function attributesOf(cookie: string): (readonly [name: string, value: string])[] {
  return cookie
    .split(';')
    .slice(1)
    .map((attribute) => {
      const [name = '', ...value] = attribute.split('=');
      return [name.trim().toLowerCase(), value.join('=').trim()] as const;
    });
}
