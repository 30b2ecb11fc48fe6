/** Parsers of settings. Each throws an `Error` that says what is accepted. */

import { isIP } from 'node:net';
import { parseRedisAddress, type RedisAddress } from './redis-address.js';

export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof logLevels)[number];

const mebibyte = 1024 * 1024;

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new Error('must be an integer from 0 to 65535');
  return port;
}

export function parseHost(text: string): string {
  if (!/^[A-Za-z0-9.:_-]+$/.test(text)) {
    throw new Error('must be a name or an address, such as localhost, 0.0.0.0 or ::1');
  }
  return text;
}

export function parseBaseUrl(text: string): string {
  const expected = 'must be an address such as https://api.example.com, without query or fragment';
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new Error(expected);
  }
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  if (!isWeb || url.search || url.hash || url.username || url.password) throw new Error(expected);
  return url.href.replace(/\/+$/, '');
}

export function parseLogLevel(text: string): LogLevel {
  const level = logLevels.find((known) => known === text.toLowerCase());
  if (level === undefined) throw new Error(`must be one of ${logLevels.join(', ')}`);
  return level;
}

export type Switch = 'on' | 'off';

export function parseSwitch(text: string): Switch {
  const setting = text.toLowerCase();
  if (setting !== 'on' && setting !== 'off') throw new Error('must be on or off');
  return setting;
}

/** Parses a flag without a value, or a word of the environment. */
export function parseFlag(text: string): boolean {
  const word = text.toLowerCase();
  if (['true', '1', 'on', 'yes', ''].includes(word)) return true;
  if (['false', '0', 'off', 'no'].includes(word)) return false;
  throw new Error('must be true or false');
}

export type AccountsMode = 'open' | 'required';

export function parseAccounts(text: string): AccountsMode {
  const mode = text.toLowerCase();
  if (mode !== 'open' && mode !== 'required') throw new Error('must be open or required');
  return mode;
}

/** RFC 9110 section 5.6.2. The star is a token character, and here stands for the rest of a name. */
const headerNames = /^[\w!#$%&'+.^`|~-]{1,100}\*?$/;

export function parseHeaderNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (!names.every((name) => headerNames.test(name))) {
    throw new Error(
      'must be names of headers separated by commas, such as X-Internal-*,X-Route, with * only at the end of a name',
    );
  }
  return names;
}

export function parseTrustProxy(text: string): boolean | readonly string[] {
  if (text === 'true' || text === 'false') return text === 'true';
  const proxies = text.split(',').map((proxy) => proxy.trim());
  if (!proxies.every(isAddressOrSubnet)) {
    throw new Error(
      'must be true, false, or addresses and subnets such as 10.0.0.0/8 separated by commas',
    );
  }
  return proxies;
}

/** The largest of all values needs a mebibyte. */
export function parseBytes(text: string): number {
  const bytes = Number(text);
  if (!/^\d+$/.test(text) || bytes < mebibyte || !Number.isSafeInteger(bytes)) {
    throw new Error(`must be an integer of bytes from ${mebibyte} (1 MiB) on`);
  }
  return bytes;
}

export function parseWhole(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d{1,15}$/.test(text) || number < min || number > max) {
      throw new Error(`must be an integer from ${min} to ${max}`);
    }
    return number;
  };
}

/** The message does not repeat the text, which may hold a password. */
export function parseStateUrl(text: string): RedisAddress {
  const address = parseRedisAddress(text);
  if (address !== undefined) return address;
  throw new Error(
    'must look like redis://name:password@host:6379/0, redis+cluster://host:6379,host:6379 or redis+sentinel://host:26379,host:26379/group/0, or rediss for redis where it is TLS',
  );
}

export function parseStateFile(
  text: string,
  { stateUrl }: Readonly<Record<string, unknown>>,
): string {
  if (stateUrl === undefined) return text;
  throw new Error(
    'with --state-url or STATE_URL the state is kept by the server. Choose one of both',
  );
}

export function parseStatePrefix(text: string): string {
  if (!/^[\w.:{}/-]{1,100}$/.test(text)) {
    throw new Error('must be 1 to 100 letters, digits and . _ - : / { }');
  }
  return text;
}

function isAddressOrSubnet(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return (
    prefix === undefined ||
    (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
  );
}

/** Ports by the names of practice APIs. */
export type Ports = Readonly<Record<string, number>>;

/** Parses `name=port`, separated by commas. */
export function parsePorts(text: string): Ports {
  const pairs = text.split(',').map((pair): [string, string] => {
    const [, name, port] = /^([a-z-]+)=(\d+)$/.exec(pair.trim()) ?? [];
    if (name === undefined || port === undefined)
      throw new Error('must be name=port, or several with commas');
    return [name, port];
  });
  const names = new Set(pairs.map(([name]) => name));
  if (names.size < pairs.length) throw new Error('must have each name once');
  return portsOf(Object.fromEntries(pairs));
}

export function portsOf(given: object): Ports {
  const entries = Object.entries(given).map(([name, port]) => [name, parsePort(String(port))]);
  return Object.fromEntries(entries);
}
