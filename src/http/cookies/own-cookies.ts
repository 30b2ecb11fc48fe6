/** Cookies that callers have us set: each stays below the address of whoever set it. */

import type { FieldFault } from '../http-error.js';
import { type GivenHeaders, headerPairs, headersByName } from '../settable-headers.js';
import { coversPath } from './set-cookie.js';

/** A cookie must stay with whoever set it: this service is shared, and cookies know nothing of sandboxes. */
export function strayCookieFaults(
  headers: GivenHeaders,
  field: string,
  ownPath: string,
): FieldFault[] {
  return headerPairs(headers).flatMap(([name, value]) => {
    if (name.toLowerCase() !== 'set-cookie') return [];
    const attributes = attributesOf(value);
    const faults: FieldFault[] = [];
    if (attributes.some(([attribute]) => attribute === 'domain')) {
      const message =
        'A scripted cookie has no Domain: it would go to other hosts. POST /api/http/cookies sets one with any attribute.';
      faults.push({ field, message });
    }
    const isStray = ([attribute, path]: readonly [string, string]) =>
      attribute === 'path' && !coversPath(ownPath, path);
    if (attributes.some(isStray)) {
      const message = `The Path of a scripted cookie is ${ownPath} or below, which is yours; that is also what it gets without one.`;
      faults.push({ field, message });
    }
    return faults;
  });
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

/** As clients read them (RFC 6265bis section 5.6): names in lower case. */
function attributesOf(cookie: string): (readonly [name: string, value: string])[] {
  return cookie
    .split(';')
    .slice(1)
    .map((attribute) => {
      const [name = '', ...value] = attribute.split('=');
      return [name.trim().toLowerCase(), value.join('=').trim()] as const;
    });
}
