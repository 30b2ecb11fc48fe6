/** Writes values as elements of XML 1.0, in pieces. */

import { escapeMarkup } from '#base/text/escape-markup.js';

export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Declared on each element that is null, since no other element needs the prefix. */
const instanceNamespace = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

/** Characters that XML 1.0 cannot contain, or that parsers replace unless they are escaped. */
const unwritable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Size of the pieces of a text, in characters. */
const maxCharacters = 32 * 1024;

/** Writes an element in small pieces. `nouns` maps the name of a list to the name of its items. */
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
