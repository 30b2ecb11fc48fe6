/** Parses application/x-www-form-urlencoded, in queries and forms (URL Standard sections 1.3 and 5.1). */

import { addValue } from '../add-value.js';
import { decodePercent } from './decode-percent.js';

/** Values by name; a repeated name has a list. */
export type UrlEncoded = Record<string, string | string[]>;

/** Never fails: a `%` without two hex digits stays, and bytes that are not UTF-8 become U+FFFD. */
export function parseUrlEncoded(text: string): UrlEncoded {
  const values: UrlEncoded = Object.create(null);
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('&', start);
    const end = next < 0 ? text.length : next;
    if (end > start) addPair(values, text.slice(start, end));
    start = end + 1;
  }
  return values;
}

function addPair(values: UrlEncoded, pair: string): void {
  const middle = pair.indexOf('=');
  if (middle < 0) addValue(values, decode(pair), '');
  else addValue(values, decode(pair.slice(0, middle)), decode(pair.slice(middle + 1)));
}

const escapes = /(?:%[\da-f]{2})+/gi;

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  return decodePercent(spaced) ?? spaced.replace(escapes, decodeEscapes);
}

const decodeEscapes = (run: string) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8');

const shownCharacters = 12;

/** Describes where and why a text is not the encoding of UTF-8. */
export function urlEncodedFault(text: string): string | undefined {
  if (!text.includes('%')) return undefined;
  for (const { 0: run, index } of text.matchAll(/(?:%[\da-f]{2})+|%/gi)) {
    if (decodePercent(run) !== undefined) continue;
    const piece = JSON.stringify(text.slice(index, index + shownCharacters));
    return `is malformed at character ${index + 1}, which begins ${piece}: each % must be followed by two hex digits, which together make UTF-8.`;
  }
  return undefined;
}
