/** Set-Cookie (RFC 6265bis section 4.1): making one, and saying why a client must not keep it. */

import { optionalWhitespace, trimBothOf } from '../../base/text/trim-characters.js';
import { rejectFaults } from '../body/header-parameters.js';

export const sameSiteValues = ['Strict', 'Lax', 'None'] as const;

export interface CookieToSet {
  readonly name: string;
  readonly value: string;
  readonly path?: string;
  readonly domain?: string;
  readonly maxAge?: number;
  /** Milliseconds since the Unix epoch. */
  readonly expiresMs?: number;
  readonly secure?: boolean;
  readonly httpOnly?: boolean;
  readonly sameSite?: (typeof sameSiteValues)[number];
  readonly partitioned?: boolean;
}

/** Where the cookie is set. */
export interface CookieOrigin {
  /** A host name or address in lower case, without its port. */
  readonly host: string;
  readonly isHttps: boolean;
}

/** The value of the header. What is in it must have been checked: see {@link cookieFaults}. */
export function setCookieHeader(cookie: CookieToSet): string {
  const { name, value, path, domain, maxAge, expiresMs, sameSite } = cookie;
  return [
    `${name}=${value}`,
    path !== undefined && `Path=${path}`,
    domain !== undefined && `Domain=${domain}`,
    maxAge !== undefined && `Max-Age=${maxAge}`,
    expiresMs !== undefined && `Expires=${new Date(expiresMs).toUTCString()}`,
    cookie.secure && 'Secure',
    cookie.httpOnly && 'HttpOnly',
    sameSite !== undefined && `SameSite=${sameSite}`,
    cookie.partitioned && 'Partitioned',
  ]
    .filter(Boolean)
    .join('; ');
}

/** A token of RFC 9110 section 5.6.2. */
const token = /^[\w!#$%&'*+.^`|~-]+$/;
/** Whatever could not be told from the next attribute, or from the next header. */
const printable = /^[\x20-\x3a\x3c-\x7e]*$/;

/** What cannot stand in the header at all, by member. */
export function cookieFaults(cookie: CookieToSet): { field: string; message: string }[] {
  const faults: { field: string; message: string }[] = [];
  if (!token.test(cookie.name)) {
    const message = `The name of a cookie is a token: letters, digits and !#$%&'*+-.^_\`|~ (RFC 6265bis section 4.1.1).`;
    faults.push({ field: 'name', message });
  }
  for (const field of ['value', 'path', 'domain'] as const) {
    if (printable.test(cookie[field] ?? '')) continue;
    const message = `${field} must be printable ASCII without a semicolon. Escape other characters, as in %3B.`;
    faults.push({ field, message });
  }
  return faults;
}

/** Throws 400 that names every cookie which cannot be set. */
export function rejectCookies(cookies: readonly CookieToSet[]): void {
  const faults = cookies.flatMap((cookie) =>
    cookieFaults(cookie).map(({ message }) => ({ field: cookie.name, message })),
  );
  rejectFaults(faults);
}

const maxPairBytes = 4096;
const maxAttributeBytes = 1024;
const maxLifeSeconds = 400 * 24 * 60 * 60;
const cookieOctets =
  /^(?:[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*|"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*")$/;

/** Why a client must drop the cookie, or does not do with it what it says; the rules of RFC 6265bis section 5.7. */
export function cookieWarnings(cookie: CookieToSet, origin: CookieOrigin): string[] {
  return [...prefixWarnings(cookie), ...attributeWarnings(cookie, origin)];
}

/** The prefixes count in any letter case (section 5.4). */
function prefixWarnings({ name, secure, httpOnly, path, domain }: CookieToSet): string[] {
  const [, prefix] = /^(__secure-|__host-http-|__host-|__http-)/i.exec(name) ?? [];
  if (prefix === undefined) return [];
  const lower = prefix.toLowerCase();
  const warnings: string[] = [];
  const demand = (what: string) =>
    warnings.push(`A client must drop it: ${prefix} demands ${what}.`);
  if (!secure) demand('Secure');
  if (lower.endsWith('http-') && !httpOnly) demand('HttpOnly');
  if (lower.startsWith('__host-') && path !== '/') demand('Path=/');
  if (lower.startsWith('__host-') && domain !== undefined) demand('no Domain');
  return warnings;
}

function attributeWarnings(cookie: CookieToSet, { host, isHttps }: CookieOrigin): string[] {
  const { name, value, path, domain, maxAge, secure, sameSite, partitioned } = cookie;
  const warnings: string[] = [];
  if (sameSite === 'None' && !secure) {
    warnings.push('A client must drop it: SameSite=None demands Secure.');
  }
  if (partitioned && !secure) warnings.push('A client must drop it: Partitioned demands Secure.');
  if (secure && !isHttps) {
    warnings.push(
      'A client must drop it: Secure over http. Some accept it from localhost, which they trust.',
    );
  }
  if (domain !== undefined && !coversHost(domain, host)) {
    warnings.push(`A client must drop it: Domain=${domain} does not cover ${host}.`);
  }
  if (path !== undefined && !path.startsWith('/')) {
    warnings.push(
      'A client ignores a Path that does not begin with a slash, and uses the default.',
    );
  }
  if (Buffer.byteLength(name + value) > maxPairBytes) {
    warnings.push(`A client must drop it: name and value have more than ${maxPairBytes} bytes.`);
  }
  for (const [attribute, text = ''] of [
    ['Path', path],
    ['Domain', domain],
  ] as const) {
    if (text.length <= maxAttributeBytes) continue;
    warnings.push(`A client ignores ${attribute}: it has more than ${maxAttributeBytes} bytes.`);
  }
  if (maxAge !== undefined && maxAge > maxLifeSeconds) {
    warnings.push('A client keeps it for 400 days at most.');
  }
  if (!cookieOctets.test(value)) {
    warnings.push(
      'A server should not send spaces, commas, backslashes or inner quotes in a value; clients read them in different ways.',
    );
  }
  return warnings;
}

/** Whether a cookie for a domain goes to a host (RFC 6265bis section 5.1.3); a leading dot is ignored. */
export function coversHost(domain: string, host: string): boolean {
  const wanted = domain.replace(/^\./, '').toLowerCase();
  if (wanted === '' || wanted === host) return true;
  const isAddress = /^[\d.]+$|:/.test(host);
  return !isAddress && host.endsWith(`.${wanted}`);
}

/** Whether a cookie's path covers the path of a request (RFC 6265bis section 5.1.4). */
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
 * The pairs of Cookie headers as they came, repeated ones in order. What has no equals sign is a value without a
 * name.
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
