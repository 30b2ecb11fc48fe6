/** Finds numbers in JSON text that a double cannot hold exactly: RFC 8259 section 6. */

import { cutText } from '#base/text/cut-text.js';
import { isExactNumber } from '#base/text/is-exact-number.js';

const maxWarnings = 20;

/** Only numbers with sixteen digits or an exponent can be inexact. Most texts have neither and are not scanned. */
const suspicion = /[\d.]{16}|\d[eE]/;

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

/**
 * Returns a sentence for each number of valid JSON that changes when parsed, up to twenty. Line and column count from
 * 1.
 */
export function findInexactNumbers(text: string): string[] {
  if (!suspicion.test(text)) return [];
  const warnings: string[] = [];
  const placeOf = countLinesOf(text);
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token.startsWith('"') || isExactNumber(token)) continue;
    if (warnings.length === maxWarnings) {
      warnings.push('There are more such numbers.');
      break;
    }
    const { line, column } = placeOf(index);
    const shown = JSON.stringify(Number(token));
    warnings.push(
      `The number ${cutText(token, 40)} at line ${line}, column ${column} has no exact double: json shows ${shown}, body what was sent.`,
    );
  }
  return warnings;
}

/** Counts lines up to increasing offsets, and reads each line only once. */
function countLinesOf(text: string): (offset: number) => { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  return (offset) => {
    let lineEnd = text.indexOf('\n', lineStart);
    while (lineEnd >= 0 && lineEnd < offset) {
      line++;
      lineStart = lineEnd + 1;
      lineEnd = text.indexOf('\n', lineStart);
    }
    return { line, column: offset - lineStart + 1 };
  };
}
