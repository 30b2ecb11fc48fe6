/** Writes JSON like httpbin: only ASCII, in one of the two layouts of Python's `json` module. */

import type { Reply } from '#http/exchange.js';
import { type JsonLayout, jsonPieces } from '#http/json/json-pieces.js';

/** For complete responses: members sorted by name, two spaces for each level, a line feed at the end. */
export const indented: JsonLayout = {
  isAscii: true,
  comma: ',',
  colon: ': ',
  indent: 2,
  isSorted: true,
};

/** For complete responses that indentation would make too long: 500 MB for a deeply nested body of 1 MiB. */
export const onOneLine: JsonLayout = { isAscii: true, comma: ', ', colon: ': ', isSorted: true };

/** For lines of a stream: members in their original order, a space after each comma and colon. */
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

/** Sends a value with httpbin's Content-Type, which has no charset. */
export function sendJson(reply: Reply, value: unknown): Reply {
  return reply.header('content-type', 'application/json').serializer(writeJson).send(value);
}
