/** XML 1.0: the noun is the element of a record, its plural that of a list. */

import { escapeMarkup } from '../../../base/text/escape-markup.js';
import type { DataRecord, FieldValue } from '../source/source.js';
import { type Format, type FormatContext, type ShownRecord, shownRecord } from './format.js';
import { isLarge, joinShort, textPieces } from './large-values.js';

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
/** Bound where something is null, which no prefix is needed for elsewhere. */
const instanceNamespace = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

/** What XML 1.0 has no way to write, and what parsers make another character of unless it is escaped. */
const unwritable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function writeText(value: FieldValue): string {
  return escapeMarkup(value).replace(unwritable, '\ufffd').replaceAll('\r', '&#13;');
}

/** What one of several is called: `tag` of `tags`. */
export function singularOf(name: string): string {
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  return name.endsWith('s') && !name.endsWith('ss') ? name.slice(0, -1) : 'item';
}

function writeElement(name: string, value: FieldValue, nouns: ReadonlyMap<string, string>): string {
  if (value === null) return `<${name} ${instanceNamespace} xsi:nil="true"/>`;
  if (Array.isArray(value)) {
    const one = nouns.get(name) ?? singularOf(name);
    return `<${name}>${value.map((each: FieldValue) => writeElement(one, each, nouns)).join('')}</${name}>`;
  }
  if (typeof value === 'object') {
    return `<${name}>${writeMembers(value as ShownRecord, nouns)}</${name}>`;
  }
  return `<${name}>${writeText(value)}</${name}>`;
}

function writeMembers(members: ShownRecord, nouns: ReadonlyMap<string, string>): string {
  return Object.entries(members)
    .map(([name, value]) => writeElement(name, value, nouns))
    .join('');
}

/** An element in pieces where its value is large. */
export function* writeXml(
  name: string,
  value: FieldValue,
  nouns: ReadonlyMap<string, string>,
): Generator<string> {
  if (value === null || !isLarge(value)) {
    yield writeElement(name, value, nouns);
    return;
  }
  yield `<${name}>`;
  if (Array.isArray(value)) {
    const one = nouns.get(name) ?? singularOf(name);
    for (const each of value) yield* writeXml(one, each, nouns);
  } else if (typeof value === 'object') {
    for (const [inner, each] of Object.entries(value)) yield* writeXml(inner, each, nouns);
  } else {
    for (const piece of textPieces(String(value))) yield writeText(piece);
  }
  yield `</${name}>`;
}

/** What a record is called inside a list that is embedded. */
function nounsOf({ shape }: FormatContext): ReadonlyMap<string, string> {
  return new Map(shape.embeds.map(({ name, other }) => [name, other.noun]));
}

function* writeRecord(context: FormatContext, record: DataRecord): Generator<string> {
  const shown = shownRecord(context, record);
  yield* joinShort(writeXml(context.source.noun, shown, nounsOf(context)));
  yield '\n';
}

export const xmlFormat: Format = {
  name: 'xml',
  types: ['application/xml', 'text/xml'],
  contentTypeOf: (mediaType) => `${mediaType}; charset=utf-8`,
  *writeOne(context, record) {
    yield declaration;
    yield* writeRecord(context, record);
  },
  *writeList(context, records) {
    const { name } = context.source;
    yield `${declaration}<${name}>\n`;
    for (const record of records) yield* writeRecord(context, record);
    yield `</${name}>\n`;
  },
};
