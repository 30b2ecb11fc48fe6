/** Returns why a client must drop a cookie, or ignores a part of it: RFC 6265bis section 5. */

import { parseCookieDate } from '#http/cookies/parse-cookie-date.js';
import type { CookieToSet } from '#http/cookies/set-cookie.js';

interface CookieOrigin {
  /** A host name or address in lower case, without its port. */
  readonly host: string;
  readonly isHttps: boolean;
}

const maxPairBytes = 4096;
const maxAttributeBytes = 1024;
const maxLifeSeconds = 400 * 24 * 60 * 60;
const cookieOctets =
  /^(?:[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*|"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*")$/;

export function cookieWarnings(cookie: CookieToSet, { host, isHttps }: CookieOrigin): string[] {
  const { name, value, path = '/', domain = '', maxAge = 0, expires, secure, sameSite } = cookie;
  const drops = (isDropped: boolean | undefined, why: string) =>
    [isDropped, `A client must drop it: ${why}`] as const;
  const ignores = (attribute: string, text: string) =>
    [
      text.length > maxAttributeBytes,
      `A client ignores ${attribute}: it has more than ${maxAttributeBytes} bytes.`,
    ] as const;
  const rules = [
    ...prefixDemands(cookie).map((demand) => drops(true, demand)),
    drops(sameSite === 'None' && !secure, 'SameSite=None requires Secure.'),
    drops(cookie.partitioned && !secure, 'Partitioned requires Secure.'),
    drops(
      secure && !isHttps,
      'Secure over http. Some clients accept it from localhost, which they trust.',
    ),
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
    [
      isText(expires) && parseCookieDate(expires) === undefined,
      'A client ignores Expires: it is not a date (RFC 6265bis section 5.1.1).',
    ],
    [maxAge > maxLifeSeconds, 'A client keeps it for at most 400 days.'],
    [
      !cookieOctets.test(value),
      'A server should not send spaces, commas, backslashes or inner quotes in a value; clients parse them differently.',
    ],
  ] as const;
  return rules.flatMap(([isBroken, warning]) => (isBroken ? [warning] : []));
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Returns what the prefix of the name requires and the cookie lacks, in any letter case (section 5.4). */
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
  return demands.flatMap(([isMissing, what]) => (isMissing ? [`${prefix} requires ${what}.`] : []));
}

/** Whether a cookie with a Domain is sent to a host (section 5.1.3). Ignores a leading dot. */
export function coversHost(domain: string, host: string): boolean {
  const wanted = domain.replace(/^\./, '').toLowerCase();
  if (wanted === '' || wanted === host) return true;
  const isAddress = /^[\d.]+$|:/.test(host);
  return !isAddress && host.endsWith(`.${wanted}`);
}
