/** Set-Cookie and Cookie: RFC 6265bis sections 4.1 and 5. */

import { optionalWhitespace, trimBothOf } from '../../base/text/trim-characters.js';

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

interface CookieOrigin {
  /** A host name or address in lower case, without its port. */
  readonly host: string;
  readonly isHttps: boolean;
}

/** Returns the value of the header, of a cookie that has no {@link cookieFaults}. */
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
/** Other characters could begin another attribute or header. */
const printable = /^[\x20-\x3a\x3c-\x7e]*$/;

/** Returns what cannot be sent in the header at all, by member. */
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

const maxPairBytes = 4096;
const maxAttributeBytes = 1024;
const maxLifeSeconds = 400 * 24 * 60 * 60;
const cookieOctets =
  /^(?:[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*|"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*")$/;

/** Says why a client must drop the cookie, or ignores a part of it: RFC 6265bis section 5.7. */
export function cookieWarnings(cookie: CookieToSet, { host, isHttps }: CookieOrigin): string[] {
  const { name, value, path = '/', domain = '', maxAge = 0, secure, sameSite } = cookie;
  const drops = (isDropped: boolean | undefined, why: string) =>
    [isDropped, `A client must drop it: ${why}`] as const;
  const ignores = (attribute: string, text: string) =>
    [
      text.length > maxAttributeBytes,
      `A client ignores ${attribute}: it has more than ${maxAttributeBytes} bytes.`,
    ] as const;
  const rules = [
    ...prefixDemands(cookie).map((demand) => drops(true, demand)),
    drops(sameSite === 'None' && !secure, 'SameSite=None demands Secure.'),
    drops(cookie.partitioned && !secure, 'Partitioned demands Secure.'),
    drops(secure && !isHttps, 'Secure over http. Some accept it from localhost, which they trust.'),
    drops(!coversHost(domain, host), `Domain=${domain} does not cover ${host}.`),
    [
      !path.startsWith('/'),
      'A client ignores a Path that does not begin with a slash, and uses the default.',
    ],
    drops(
      Buffer.byteLength(name + value) > maxPairBytes,
      `name and value have more than ${maxPairBytes} bytes.`,
    ),
    ignores('Path', path),
    ignores('Domain', domain),
    [maxAge > maxLifeSeconds, 'A client keeps it for 400 days at most.'],
    [
      !cookieOctets.test(value),
      'A server should not send spaces, commas, backslashes or inner quotes in a value; clients read them in different ways.',
    ],
  ] as const;
  return rules.flatMap(([isBroken, warning]) => (isBroken ? [warning] : []));
}

/** Returns what the prefix of the name demands and the cookie lacks, in any letter case (section 5.4). */
function prefixDemands({ name, secure, httpOnly, path, domain }: CookieToSet): string[] {
  const [, prefix = ''] = /^(__secure-|__host-http-|__host-|__http-)/i.exec(name) ?? [];
  const lower = prefix.toLowerCase();
  const isHost = lower.startsWith('__host-');
  const demands = [
    [prefix !== '' && !secure, 'Secure'],
    [lower.endsWith('http-') && !httpOnly, 'HttpOnly'],
    [isHost && path !== '/', 'Path=/'],
    [isHost && domain !== undefined, 'no Domain'],
  ] as const;
  return demands.flatMap(([isMissing, what]) => (isMissing ? [`${prefix} demands ${what}.`] : []));
}

/** Returns whether a cookie for a domain is sent to a host (section 5.1.3); a leading dot is ignored. */
export function coversHost(domain: string, host: string): boolean {
  const wanted = domain.replace(/^\./, '').toLowerCase();
  if (wanted === '' || wanted === host) return true;
  const isAddress = /^[\d.]+$|:/.test(host);
  return !isAddress && host.endsWith(`.${wanted}`);
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

/** Returns the pairs of Cookie headers as sent, repeated ones in order. Without an equals sign a pair has no name. */
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
