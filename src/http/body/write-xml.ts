/** Writes values as elements of XML 1.0, in pieces. */

import { escapeMarkup } from '../../base/text/escape-markup.js';

export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Bound where something is null, which no prefix is needed for elsewhere. */
const instanceNamespace = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

/** What XML 1.0 has no way to write, and what parsers make another character of unless it is escaped. */
const unwritable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** A text is cut into pieces of so many characters. */
const maxCharacters = 32 * 1024;

/** Writes an element in small pieces. `nouns` has what one of several is called, by the name of the list. */
export function* writeXml(
  name: string,
  value: unknown,
  nouns: ReadonlyMap<string, string>,
): Generator<string> {
  if (value === null) {
    yield `<${name} ${instanceNamespace} xsi:nil="true"/>`;
    return;
  }
  if (typeof value !== 'object') {
    yield `<${name}>`;
    for (const piece of textPieces(String(value))) yield writeText(piece);
    yield `</${name}>`;
    return;
  }
  const one = nouns.get(name) ?? singularOf(name);
  const members = Array.isArray(value) ? value.map((each) => [one, each]) : Object.entries(value);
  yield `<${name}>`;
  for (const [inner, each] of members) yield* writeXml(inner, each, nouns);
  yield `</${name}>`;
}

function writeText(text: string): string {
  return escapeMarkup(text).replace(unwritable, '\ufffd').replaceAll('\r', '&#13;');
}

function singularOf(name: string): string {
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  return name.endsWith('s') && !name.endsWith('ss') ? name.slice(0, -1) : 'item';
}

export function* textPieces(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + maxCharacters, text.length);
    const isHighSurrogate = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
    if (isHighSurrogate && end < text.length) end++;
    yield text.slice(start, end);
    start = end;
  }
}
