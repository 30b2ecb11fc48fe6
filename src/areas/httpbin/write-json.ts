/** JSON as httpbin writes it: ASCII only, in one of the two forms that Python's `json` module writes there. */

import type { Reply } from '../../http/exchange.js';
import { type JsonLayout, jsonPieces } from '../../http/json/json-pieces.js';

/** Whole responses: members sorted by name, two spaces for each level; a line feed follows. */
export const indented: JsonLayout = {
  isAscii: true,
  comma: ',',
  colon: ': ',
  indent: 2,
  isSorted: true,
};

/** Whole responses that indentation would make too long: 500 MB of a deeply nested body of 1 MiB. */
export const onOneLine: JsonLayout = { isAscii: true, comma: ', ', colon: ': ', isSorted: true };

/** Lines of a stream: members in their order, a space after each comma and colon. */
const lineLayout: JsonLayout = { isAscii: true, comma: ', ', colon: ': ' };

export function writeJson(value: unknown): string {
  return `${join(value, indented)}\n`;
}

export function writeJsonLine(value: unknown): string {
  return `${join(value, lineLayout)}\n`;
}

function join(value: unknown, layout: JsonLayout): string {
  let text = '';
  for (const piece of jsonPieces(value, layout)) text += piece;
  return text;
}

/** Sends a value with httpbin's Content-Type, which names no charset. */
export function sendJson(reply: Reply, value: unknown): Reply {
  return reply.header('content-type', 'application/json').send(Buffer.from(writeJson(value)));
}
