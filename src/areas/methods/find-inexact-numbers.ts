/** Numbers that a JSON text holds and a double does not: RFC 8259 section 6. */

import { isExactNumber } from '../../server/is-exact-number.js';

const maxWarnings = 20;

/** What could be inexact: sixteen digits, or an exponent. Most texts have neither and are not read. */
const suspicion = /[\d.]{16}|\d[eE]/;

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

/**
 * A sentence for each number of a well-formed JSON text whose value changes by being parsed, up to
 * twenty, with the line and column for people to look at, both from 1.
 */
export function findInexactNumbers(text: string): string[] {
  if (!suspicion.test(text)) return [];
  const warnings: string[] = [];
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token.startsWith('"') || isExactNumber(token)) continue;
    if (warnings.length === maxWarnings) {
      warnings.push('There are more such numbers.');
      break;
    }
    const before = text.slice(0, index);
    const line = before.split('\n').length;
    const column = index - before.lastIndexOf('\n');
    const shown = JSON.stringify(Number(token));
    warnings.push(
      `The number ${shorten(token)} at line ${line}, column ${column} is not one that programs hold exactly: json shows ${shown}, body what was sent.`,
    );
  }
  return warnings;
}

function shorten(token: string): string {
  return token.length > 40 ? `${token.slice(0, 40)}…` : token;
}
