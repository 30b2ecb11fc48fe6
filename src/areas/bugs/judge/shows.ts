/** Compares what a report says with values of a replay, at the places where outcomes differ. */

import type { Statement } from './statement.js';

export const absent = Symbol('absent');

/** Returns the value at a path of {@link differencesOf}; {@link absent} if there is none. */
export function valueAt(value: unknown, names: readonly string[]): unknown {
  let found = value;
  for (const name of names) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return absent;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found === undefined ? absent : found;
}

export interface Place {
  /** Names from `status`, `headers` or `body` on. */
  readonly names: readonly string[];
  /** The value that the statement must name. */
  readonly value: unknown;
  /** The value of the other outcome. */
  readonly other: unknown;
  /** Whether few places differ, so that a value names its place. */
  readonly isOfFew: boolean;
  /** Whether no tester can know the value, such as a new entity tag: any other one counts. */
  readonly isOpaque: boolean;
}

/** Returns whether the statement names the value of this place. */
export function shows({ parts, text }: Statement, place: Place): boolean {
  const { names, value } = place;
  if (names[0] === 'status') return parts.status === value;
  if (text !== undefined) return textShows(text, place);
  if (names[0] === 'headers') return headerShows(parts.headers?.[names[1] ?? ''], place);
  return parts.body !== undefined && bodyShows(parts.body[0], place);
}

function headerShows(said: unknown, { value, other, isOpaque }: Place): boolean {
  if (said === undefined) return false;
  if (said === null) return value === absent;
  if (value === absent) return false;
  if (isOpaque) return String(said) !== String(other);
  return isSameText(String(said), String(value), other === absent ? '' : String(other));
}

/** A part of a value counts if the other value does not have it, such as the path of a URL. */
function isSameText(said: string, value: string, other: string): boolean {
  if (said === value || isNear(said, value, other)) return true;
  if (said.length < 4) return false;
  const isIn = value.includes(said) && !other.includes(said);
  return isIn || (value.endsWith(said) && !other.endsWith(said));
}

/** Seconds that are left have changed since the observation, but by little beside the difference. */
function isNear(said: string, value: string, other: string): boolean {
  const [one, two, three] = [said, value, other].map(Number) as [number, number, number];
  const gap = Math.abs(one - two);
  return gap <= Math.abs(two) / 20 && Math.abs(one - three) > gap * 10;
}

function bodyShows(body: unknown, { names, value, other, isOpaque }: Place): boolean {
  const inner = names.slice(1);
  const said = valueAt(body, inner);
  if (isOpaque && typeof said === 'number') return said !== other;
  if (said !== absent) return isAlike(said, value, other);
  if (value !== absent || inner.length === 0) return false;
  // An object without the member says that it is absent.
  const parent = valueAt(body, inner.slice(0, -1));
  return typeof parent === 'object' && parent !== null && Object.keys(parent).length > 0;
}

/** Members of lists may have ids and times, so only the lengths of lists count. */
function isAlike(said: unknown, value: unknown, other: unknown): boolean {
  if (value === absent) return said === null;
  if (Array.isArray(value)) return Array.isArray(said) && said.length === value.length;
  if (typeof value === 'object' && value !== null) {
    return typeof said === 'object' && said !== null && !Array.isArray(said);
  }
  if (typeof said === 'object' && said !== null) return false;
  if (String(value) === String(other)) return said === value;
  if (typeof value === 'string' && typeof said === 'string' && isLong(value)) {
    return said === value || tokensOf(value, other).some((token) => hasToken(said, token));
  }
  return String(said) === String(value);
}

/** Texts such as XML, of which a report quotes a part. */
const isLong = (value: string) => value.length > 60;

const absenceWords = /\b(?:no|not|without|missing|misses|absent|lacks?|none|null|undefined)\b/i;
const typeWords = {
  string: /\b(?:text|string)\b|"/i,
  number: /\b(?:number|integer)\b|(?<!["'\w])\d/i,
  boolean: /\bboolean\b|(?<!["'\w])(?:true|false)(?!["'\w])/i,
};

function textShows(text: string, place: Place): boolean {
  const { names, value, other, isOfFew } = place;
  const name = [...names].reverse().find((each) => !/^\d+$/.test(each)) ?? '';
  const isNamed = name !== 'body' && hasToken(text.toLowerCase(), name.toLowerCase());
  if (value === absent) return isNamed && absenceWords.test(text);
  if (place.isOpaque) return isNamed && !hasToken(text, String(other));
  if (String(value) === String(other)) {
    return isNamed && (typeWords[typeof value as keyof typeof typeWords]?.test(text) ?? false);
  }
  if (Array.isArray(value)) return hasToken(text, String(value.length));
  if (typeof value === 'object' && value !== null) {
    const words = text.split(/[\s"',;]+/).filter((word) => word.length >= 4 && word !== name);
    return isNamed && leavesOf(value).some((leaf) => words.some((word) => leaf.includes(word)));
  }
  if (isNamed && names[0] === 'headers') {
    const words = wordsOf(text).filter((word) => word.toLowerCase() !== name);
    const without = other === absent ? '' : String(other);
    if (words.some((word) => isSameText(word, String(value), without))) return true;
  }
  const tokens = typeof value === 'string' ? tokensOf(value, other) : [String(value)];
  const isWhole = hasToken(text, String(value));
  const isEnough = isNamed || isOfFew || String(value).length > 5;
  if (isNamed && numbersIn(text).some((said) => isNear(said, String(value), String(other)))) {
    return true;
  }
  if (isWhole) return isEnough;
  return isEnough && typeof value === 'string' && tokens.some((token) => hasToken(text, token));
}

const wordsOf = (text: string) =>
  text.split(/[\s"'<>]+/).map((word) => word.replace(/[.,;:!?]{1,9}$/, ''));

const numbersIn = (text: string) => text.match(/(?<![\w.])\d{1,15}(?:\.\d{1,9})?/g) ?? [];

function leavesOf(value: object): string[] {
  return Object.values(value)
    .flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : [each]))
    .map(String);
}

/** Returns the tokens that one text has and the other has not. */
function tokensOf(value: string, other: unknown): readonly string[] {
  const split = (text: string) => text.split(/[\s<>"'=,;()[\]{}]+/).filter((each) => each !== '');
  const others = new Set(typeof other === 'string' ? split(other) : []);
  const isEnough = (token: string) => typeof other === 'string' || token.length >= 4;
  return split(value).filter((token) => !others.has(token) && isEnough(token));
}

const isWordAt = (text: string, at: number) => /[\w]/.test(text[at] ?? '');

/** Returns whether a text has a token that is not part of a longer word or number. */
export function hasToken(text: string, token: string): boolean {
  if (token === '') return false;
  for (let at = text.indexOf(token); at >= 0; at = text.indexOf(token, at + 1)) {
    const end = at + token.length;
    const isBefore = isWordAt(text, at - 1) && isWordAt(token, 0);
    const isAfter = isWordAt(text, end) && isWordAt(token, token.length - 1);
    const isNegated = text[at - 1] === '-' && /^\d/.test(token);
    const isDecimal = /^[.]\d/.test(text.slice(end, end + 2)) && /\d$/.test(token);
    if (!isBefore && !isAfter && !isNegated && !isDecimal) return true;
  }
  return false;
}
