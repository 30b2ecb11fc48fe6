/** Writes Set-Cookie and parses Cookie: RFC 6265bis sections 4.1 and 5. */

import { optionalWhitespace, trimBothOf } from '#base/text/trim-characters.js';
import { rejectFaults } from '../http-error.js';

export const sameSiteValues = ['Strict', 'Lax', 'None'] as const;

export interface CookieToSet {
  readonly name: string;
  readonly value: string;
  readonly path?: string;
  readonly domain?: string;
  readonly maxAge?: number | undefined;
  /** Unix milliseconds, or a text that is sent unchanged. */
  readonly expires?: number | string;
  readonly secure?: boolean;
  readonly httpOnly?: boolean;
  readonly sameSite?: (typeof sameSiteValues)[number];
  readonly partitioned?: boolean;
}

/** Returns the header value of a cookie without {@link cookieFaults}. */
export function setCookieHeader(cookie: CookieToSet): string {
  const { name, value, path, domain, maxAge, expires, sameSite } = cookie;
  return [
    `${name}=${value}`,
    path !== undefined && `Path=${path}`,
    domain !== undefined && `Domain=${domain}`,
    maxAge !== undefined && `Max-Age=${maxAge}`,
    expires !== undefined && `Expires=${dateOf(expires)}`,
    cookie.secure && 'Secure',
    cookie.httpOnly && 'HttpOnly',
    sameSite !== undefined && `SameSite=${sameSite}`,
    cookie.partitioned && 'Partitioned',
  ]
    .filter(Boolean)
    .join('; ');
}

function dateOf(expires: number | string): string {
  return typeof expires === 'string' ? expires : new Date(expires).toUTCString();
}

/** A token of RFC 9110 section 5.6.2. */
const token = /^[\w!#$%&'*+.^`|~-]+$/;
/** Other characters could begin another attribute or header. */
const printable = /^[\x20-\x3a\x3c-\x7e]*$/;

/** Returns the members that the header cannot contain. */
export function cookieFaults(cookie: CookieToSet): { field: string; message: string }[] {
  const faults: { field: string; message: string }[] = [];
  if (!token.test(cookie.name)) {
    const message = `The name of a cookie must be a token: letters, digits and !#$%&'*+-.^_\`|~ (RFC 6265bis section 4.1.1).`;
    faults.push({ field: 'name', message });
  }
  for (const field of ['value', 'path', 'domain', 'expires'] as const) {
    if (printable.test(String(cookie[field] ?? ''))) continue;
    const message = `${field} must be printable ASCII without a semicolon. Escape other characters, as in %3B.`;
    faults.push({ field, message });
  }
  return faults;
}

/** Throws 400 that names every invalid cookie. */
export function rejectCookies(cookies: readonly CookieToSet[]): void {
  const faults = cookies.flatMap((cookie) =>
    cookieFaults(cookie).map(({ message }) => ({ field: cookie.name, message })),
  );
  rejectFaults(faults);
}

/** Returns whether a cookie's path covers the path of a request (section 5.1.4). */
export function coversPath(cookiePath: string, path: string): boolean {
  if (cookiePath === path) return true;
  if (!path.startsWith(cookiePath)) return false;
  return cookiePath.endsWith('/') || path[cookiePath.length] === '/';
}

export interface SentCookie {
  readonly name: string;
  readonly value: string;
}

/**
 * Returns the pairs of Cookie headers in order, with repeated ones. A pair without an equals sign
 * has no name.
 */
export function sentCookies(headers: readonly string[]): SentCookie[] {
  return headers
    .flatMap((header) => header.split(';'))
    .map((pair) => trimBothOf(pair, optionalWhitespace))
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 0) return { name: '', value: pair };
      return { name: pair.slice(0, equals), value: pair.slice(equals + 1) };
    });
}
