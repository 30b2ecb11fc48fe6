/** Conditions on one exchange, from which challenges are composed. They compare parsed values, never patterns of text. */

import { mediaType } from '#http/body/request-body.js';
import { matchesEntityTag } from '#http/caching/conditional.js';
import { sentCookies } from '#http/cookies/set-cookie.js';
import { parseAuthorization } from '#http/credentials/parse-authorization.js';
import { parseHttpDate } from '#http/headers/http-date.js';
import { readPreferences, weightOf } from '#http/negotiation/read-preferences.js';
import type { Exchange } from '#kit/recording/exchange-record.js';
import type { Check, Memo } from './challenge.js';

type Test = (exchange: Exchange, memo: Memo) => boolean;

export const when = (holds: Test, otherwise: string): Check => [holds, otherwise];

/** Returns a request header; an absent one is empty. */
export function sent({ headers }: Exchange, name: string): string {
  // Validation replaces texts by parsed values, such as numbers.
  const value: unknown = headers[name.toLowerCase()];
  return value === undefined ? '' : String(value).trim();
}

export function received({ responseHeaders }: Exchange, name: string): string {
  const value = responseHeaders[name.toLowerCase()];
  return value === undefined ? '' : String(value);
}

/** Returns the media type of the response, without parameters. */
export const typeReceived = (exchange: Exchange): string =>
  mediaType(received(exchange, 'content-type'));

/** Returns the part of the path that has this name in the route. */
export function part({ route, path }: Exchange, name: string): string {
  const index = route.split('/').indexOf(`:${name}`);
  return index < 0 ? '' : (path.split('/')[index] ?? '');
}

type Members = Readonly<Record<string, unknown>>;

/** Returns the JSON of the request; an empty object if it is no JSON object. */
export const jsonSent = ({ parsed }: Exchange): Members => membersOf(parsed.json);

export function jsonReceived({ responseBody }: Exchange): Members {
  try {
    return membersOf(JSON.parse(responseBody));
  } catch {
    return {};
  }
}

/** Returns the members of an object, and none of anything else. */
export const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {};

/** Returns a text of a message, and nothing for a value of another type. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns a parameter of the form in the body; an absent one is empty. */
export const formSent = ({ parsed }: Exchange, name: string): string =>
  parsed.form?.get(name) ?? '';

/** Returns the weight of a type or coding in Accept or Accept-Encoding; 0 if it is not accepted. */
export const weightIn = (
  exchange: Exchange,
  header: string,
  ...names: [string, ...string[]]
): number => weightOf(readPreferences(sent(exchange, header)), ...names);

export const cookiesSent = (exchange: Exchange) => sentCookies([sent(exchange, 'cookie')]);

/** Returns the value of a cookie that is sent once; empty otherwise. */
export function cookieSent(exchange: Exchange, name: string): string {
  const [only, ...more] = cookiesSent(exchange).filter((each) => each.name === name);
  return only === undefined || more.length > 0 ? '' : only.value;
}

export const schemeOf = (exchange: Exchange): string =>
  parseAuthorization(sent(exchange, 'authorization')).scheme;

export function bearerOf(exchange: Exchange): string {
  const { scheme, credentials } = parseAuthorization(sent(exchange, 'authorization'));
  return scheme === 'bearer' ? credentials : '';
}

/** Returns whether a list of entity tags has the kept one; a star is no tag. */
export const hasTag = (exchange: Exchange, header: string, { etag = '' }: Memo): boolean =>
  etag !== '' && sent(exchange, header) !== '*' && matchesEntityTag(sent(exchange, header), etag);

/** Returns whether a date of the request is the kept one of Last-Modified. */
export function hasDate(exchange: Exchange, header: string, { modified = '' }: Memo): boolean {
  const date = parseHttpDate(sent(exchange, header));
  return date !== undefined && date === parseHttpDate(modified);
}

/** Returns the path and query of Location, without the prefix of a sandbox. */
export function locationOf(exchange: Exchange): string {
  const { pathname, search } = locationUrl(exchange);
  const path = pathname.replace(/^\/s\/[^/]+/, '');
  const query = new URLSearchParams(search).toString();
  return query === '' ? path : `${path}?${query}`;
}

function locationUrl(exchange: Exchange): URL {
  const location = received(exchange, 'location');
  const base = `http://host${exchange.path}`;
  return new URL(URL.canParse(location, base) ? location : '', base);
}

/** Returns the path and query of the request in the form of {@link locationOf}. */
export function targetOf({ path, query }: Exchange): string {
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

export const isAt = (kept: string, otherwise: string): Check =>
  when((exchange, memo) => targetOf(exchange) === memo[kept], otherwise);

/** Checks which record a route with `:id` names; `wanted` begins with `$` if it was kept. */
export const record = (wanted: string, otherwise: string, name = 'id'): Check =>
  when((exchange, memo) => {
    const id = wanted.startsWith('$') ? memo[wanted.slice(1)] : wanted;
    return part(exchange, name) === id;
  }, otherwise);

/** Checks a parsed header of the request, or its absence by an empty text. */
export const header = (name: string, wanted: (value: string) => boolean, otherwise: string) =>
  when((exchange) => wanted(sent(exchange, name)), otherwise);

export const isThere = (value: string): boolean => value !== '';

export const isAbsent = (value: string): boolean => value === '';

export const status = (wanted: number, otherwise?: string): Check =>
  when(
    (exchange) => exchange.status === wanted,
    otherwise ?? `The response does not have the status ${wanted}.`,
  );

export const success = (otherwise: string): Check =>
  when(({ status: code }) => code >= 200 && code < 300, otherwise);

export const method = (wanted: string, otherwise: string): Check =>
  when((exchange) => exchange.method === wanted, otherwise);

export const query = (name: string, holds: (value: string) => boolean, otherwise: string): Check =>
  when((exchange) => holds(exchange.query.get(name) ?? ''), otherwise);

export const is =
  (wanted: string) =>
  (value: string): boolean =>
    value === wanted;

/** Checks that a parameter of the form is a kept secret. */
export const ownField = (name: string, kept: string, otherwise: string): Check =>
  when((exchange, memo) => markOf(formSent(exchange, name)) === memo[kept], otherwise);

export const form = (name: string, holds: (value: string) => boolean, otherwise: string): Check =>
  when((exchange) => holds(formSent(exchange, name)), otherwise);

/** Makes the function that keeps values of an exchange by these names. */
export const keep =
  (values: Readonly<Record<string, (exchange: Exchange, memo: Memo) => string>>) =>
  (exchange: Exchange, memo: Memo): Memo => ({
    ...memo,
    ...Object.fromEntries(
      Object.entries(values).map(([name, read]) => [name, read(exchange, memo)]),
    ),
  });

export const keepId = keep({ id: (exchange) => part(exchange, 'id') });

/** Keeps the validators of a record, and which record it is. */
export const keepValidators = keep({
  id: (exchange) => part(exchange, 'id'),
  etag: (exchange) => received(exchange, 'etag'),
  modified: (exchange) => received(exchange, 'last-modified'),
});

/** Keeps marks of members of the response, such as tokens. */
export const keepMembers = (...names: readonly string[]) =>
  keep(
    Object.fromEntries(
      names.map((name) => [
        name,
        (exchange: Exchange) => markOf(String(jsonReceived(exchange)[name] ?? '')),
      ]),
    ),
  );

/** Stands for a value, such as a token, that must not be stored. */
export function markOf(value: string): string {
  let [first, second] = [0x811c9dc5, 0x1b873593];
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index);
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second ^ code, 0x85ebca6b);
  }
  return `${value.length}:${(first >>> 0).toString(36)}${(second >>> 0).toString(36)}`;
}

/** Checks that an earlier step got the bearer token. */
export const ownBearer = (kept: string, otherwise: string): Check =>
  when((exchange, memo) => markOf(bearerOf(exchange)) === memo[kept], otherwise);

/** Checks that a request was sent after the response to the last kept one: no client reacts earlier. */
export const isLater = when(
  ({ atMs }, { endMs = '0' }) => atMs >= Number(endMs),
  'You sent this request before the response to the one before.',
);
