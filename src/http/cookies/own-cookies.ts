/** Cookies that callers have the service set: this service is shared, so each stays below the caller's own path. */

import { type GivenHeaders, headerPairs, headersByName } from '../headers/settable-headers.js';
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
        'A scripted cookie has no Domain: it would go to other hosts. POST /api/http/cookies sets one with any attribute.';
      faults.push({ field, message });
    }
    if (attributes.some(([name, path]) => name === 'path' && !coversPath(ownPath, path))) {
      const message = `The Path of a scripted cookie is ${ownPath} or below, which is yours; that is also what it gets without one.`;
      faults.push({ field, message });
    }
  }
  return faults;
}

/** Headers as a reply takes them; cookies without a path get the one that they must have. */
export function ownHeaders(headers: GivenHeaders, ownPath: string) {
  const pairs = headerPairs(headers).map(([name, value]) => {
    const isWhole =
      name.toLowerCase() !== 'set-cookie' ||
      attributesOf(value).some(([attribute]) => attribute === 'path');
    return [name, isWhole ? value : `${value}; Path=${ownPath}`] as const;
  });
  return headersByName(pairs);
}

/** Reads attributes as clients do (RFC 6265bis section 5.6): names in lower case. */
function attributesOf(cookie: string): (readonly [name: string, value: string])[] {
  return cookie
    .split(';')
    .slice(1)
    .map((attribute) => {
      const [name = '', ...value] = attribute.split('=');
      return [name.trim().toLowerCase(), value.join('=').trim()] as const;
    });
}
