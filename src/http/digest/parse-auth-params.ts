/**
 * Parses the parameters after a scheme (RFC 9110 section 11.2): `name=token` or `name="text"`,
 * separated by commas.
 */

import type { Fault } from '../credentials/fault.js';

const name = /[\w!#$%&'*+.^`|~-]+/y;
const equals = /[ \t]*=[ \t]*/y;
const token = /[\w!#$%&'*+.^`|~-]+/y;
const quotedString = /"((?:[^"\\]|\\.)*)"/y;
const separator = /[ \t]*(?:,[ \t]*)+/y;

/**
 * Returns values without quotes and escapes, by name in lower case. Linear in the length of `text`.
 */
export function parseAuthParams(text: string): ReadonlyMap<string, string> | Fault {
  const params = new Map<string, string>();
  let at = take(separator, text, 0)?.end ?? 0;
  while (at < text.length) {
    const key = take(name, text, at);
    const sign = key && take(equals, text, key.end);
    if (!sign) return { fault: `${place(at)} a parameter of the form name=value is expected` };
    const quoted = take(quotedString, text, sign.end);
    const value = quoted ?? take(token, text, sign.end);
    if (!value) {
      return { fault: `${place(sign.end)} a value is expected, in closed quotes or a plain word` };
    }
    const lowerCase = key.text.toLowerCase();
    if (params.has(lowerCase)) return { fault: `the parameter ${lowerCase} is repeated` };
    params.set(lowerCase, quoted ? quoted.text.replace(/\\(.)/g, '$1') : value.text);
    const comma = take(separator, text, value.end);
    if (!comma && value.end < text.length)
      return { fault: `${place(value.end)} a comma is expected` };
    at = comma?.end ?? value.end;
  }
  return params;
}

/** Returns the match of a sticky pattern at a position: its group, or else all of it. */
function take(pattern: RegExp, text: string, at: number) {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match ? { text: match[1] ?? match[0], end: pattern.lastIndex } : undefined;
}

function place(index: number): string {
  return `at character ${index + 1} after the scheme`;
}
