/** JSON as httpbin writes it: ASCII only, in one of the two forms that Python's `json` module writes there. */

import { type JsonLayout, jsonPieces } from '../../http/json-pieces.js';

/** Quotes a text, and escapes all characters beyond ASCII. */
function quote(text: string): string {
  return JSON.stringify(text).replace(/[\x7f-\uffff]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Whole responses: members sorted by name, two spaces for each level; a line feed follows. */
export const wholeLayout: JsonLayout = {
  quote,
  comma: ',',
  colon: ': ',
  indent: 2,
  isSorted: true,
};

/** Lines of a stream: members in their order, a space after each comma and colon. */
const lineLayout: JsonLayout = { quote, comma: ', ', colon: ': ' };

export function writeJson(value: unknown): string {
  return `${join(value, wholeLayout)}\n`;
}

export function writeJsonLine(value: unknown): string {
  return `${join(value, lineLayout)}\n`;
}

function join(value: unknown, layout: JsonLayout): string {
  let text = '';
  for (const piece of jsonPieces(value, layout)) text += piece;
  return text;
}
