/** Conditions on one exchange, from which challenges are composed. */

import type { Exchange } from '../../kit/recording/exchange-record.js';
import type { Check, Memo } from './challenge.js';

type Test = (exchange: Exchange, memo: Memo) => boolean;

export const when = (holds: Test, otherwise: string): Check => [holds, otherwise];

export function sent({ headers }: Exchange, name: string): string {
  // Validation replaces texts by parsed values, such as numbers.
  const value: unknown = headers[name.toLowerCase()];
  return value === undefined ? '' : String(value);
}

export function received({ responseHeaders }: Exchange, name: string): string {
  const value = responseHeaders[name.toLowerCase()];
  return value === undefined ? '' : String(value);
}

/** Returns an empty object if the body is no JSON object. */
export function jsonSent({ parsed }: Exchange): Readonly<Record<string, unknown>> {
  return membersOf(parsed.json);
}

export function jsonReceived({ responseBody }: Exchange): Readonly<Record<string, unknown>> {
  try {
    return membersOf(JSON.parse(responseBody));
  } catch {
    return {};
  }
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Returns a text of a message, and nothing for a value of another type. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns a parameter of the form in the body; an absent one is empty. */
export const formSent = ({ parsed }: Exchange, name: string): string =>
  parsed.form?.get(name) ?? '';

/** Checks a request header; an absent one is empty. */
export const header = (name: string, form: RegExp, otherwise: string): Check =>
  when((exchange) => form.test(sent(exchange, name)), otherwise);

export const noHeader = (name: string, otherwise: string): Check =>
  when(({ headers }) => headers[name.toLowerCase()] === undefined, otherwise);

export const status = (wanted: number, otherwise?: string): Check =>
  when(
    (exchange) => exchange.status === wanted,
    otherwise ?? `The response must have the status ${wanted}.`,
  );

export const query = (name: string, form: RegExp, otherwise: string): Check =>
  when((exchange) => form.test(exchange.query.get(name) ?? ''), otherwise);

export const member = (name: string, test: (value: unknown) => boolean, otherwise: string): Check =>
  when((exchange) => test(jsonSent(exchange)[name]), otherwise);

export const form = (name: string, pattern: RegExp, otherwise: string): Check =>
  when((exchange) => pattern.test(formSent(exchange, name)), otherwise);

export const keepHeader =
  (name: string, as: string) =>
  (exchange: Exchange, memo: Memo): Memo => ({ ...memo, [as]: received(exchange, name) });

/** Keeps marks of members of the response, such as tokens. */
export const keepMembers =
  (...names: readonly string[]) =>
  (exchange: Exchange, memo: Memo): Memo => {
    const json = jsonReceived(exchange);
    const kept = names.map((name) => [name, markOf(String(json[name] ?? ''))]);
    return { ...memo, ...Object.fromEntries(kept) };
  };

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

export function bearerOf(exchange: Exchange): string {
  const [scheme = '', token = '', ...more] = sent(exchange, 'authorization').split(/ +/, 3);
  return scheme.toLowerCase() === 'bearer' && more.length === 0 ? token : '';
}

/** Checks that an earlier step got the bearer token. */
export const ownBearer = (kept: string, otherwise: string): Check =>
  when((exchange, memo) => markOf(bearerOf(exchange)) === memo[kept], otherwise);
