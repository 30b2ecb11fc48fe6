/** The record in each format, with its media types, the registered one first. */

import { encode as encodeCbor } from 'cborg';
import { requireLazily } from '../../../base/require-lazily.js';
import { escapeMarkup } from '../../../base/text/escape-markup.js';
import type { Charset } from './charsets.js';
import { type FormatRecord, recordIn } from './record.js';

const csv = requireLazily<typeof import('csv-stringify/sync')>('csv-stringify/sync');
const messagePack = requireLazily<typeof import('@msgpack/msgpack')>('@msgpack/msgpack');
const yaml = requireLazily<typeof import('yaml')>('yaml');

interface Named {
  readonly types: readonly [string, ...string[]];
}

export interface TextFormat extends Named {
  /** `charset` is what the text says of itself, where the format has a place for it. */
  readonly write: (record: FormatRecord, charset: Charset) => string;
}

export interface BinaryFormat extends Named {
  readonly encode: (record: FormatRecord) => Uint8Array;
}

function writeXml({ tags, note: _null, ...record }: FormatRecord, charset: Charset): string {
  const fields = Object.entries(record).map(
    ([name, value]) => `  <${name}>${escapeMarkup(value)}</${name}>\n`,
  );
  const listed = tags.map((tag) => `    <tag>${escapeMarkup(tag)}</tag>\n`);
  // RFC 7303 section 3: a declaration names the byte order of UTF-16 by the mark alone.
  const encoding = charset.startsWith('utf-16') ? 'utf-16' : charset;
  return [
    `<?xml version="1.0" encoding="${encoding}"?>\n<record>\n`,
    ...fields,
    `  <tags>\n${listed.join('')}  </tags>\n`,
    '  <note xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>\n</record>\n',
  ].join('');
}

function writeHtml(record: FormatRecord, charset: Charset): string {
  const rows = Object.entries(record).map(
    ([name, value]) => `<dt>${name}</dt><dd>${escapeMarkup(value ?? '')}</dd>\n`,
  );
  return `<!doctype html>\n<html lang="en">\n<meta charset="${charset}">\n<title>${escapeMarkup(record.title)}</title>\n<dl>\n${rows.join('')}</dl>\n</html>\n`;
}

function flat(record: FormatRecord) {
  return { ...record, tags: record.tags.join(' '), note: '' };
}

export const textFormats: Readonly<Record<string, TextFormat>> = {
  json: { types: ['application/json'], write: (record) => JSON.stringify(record) },
  xml: { types: ['application/xml', 'text/xml'], write: writeXml },
  // RFC 4180: lines end in CR LF, and the first one has the names.
  csv: {
    types: ['text/csv'],
    write: (record) =>
      csv().stringify([flat(record)], {
        header: true,
        record_delimiter: 'windows',
        cast: { boolean: String },
      }),
  },
  yaml: {
    types: ['application/yaml', 'application/x-yaml', 'text/yaml'],
    write: (record) => yaml().stringify(record),
  },
  ndjson: {
    types: ['application/x-ndjson', 'application/jsonl'],
    write: (record) => `${JSON.stringify(record)}\n`,
  },
  html: { types: ['text/html'], write: writeHtml },
  text: {
    types: ['text/plain'],
    write: (record) =>
      Object.entries(flat(record))
        .map(([name, value]) => `${name}: ${value}\n`)
        .join(''),
  },
};

export const binaryFormats: Readonly<Record<string, BinaryFormat>> = {
  msgpack: {
    types: ['application/vnd.msgpack', 'application/msgpack', 'application/x-msgpack'],
    encode: (record) => messagePack().encode(record),
  },
  cbor: { types: ['application/cbor'], encode: (record) => encodeCbor(record) },
};

/** In the order in which they are preferred between equals. */
export const formatNames = [
  'json',
  'xml',
  'csv',
  'yaml',
  'ndjson',
  'msgpack',
  'cbor',
  'html',
  'text',
] as const;
export type FormatName = (typeof formatNames)[number];

export interface WrittenFormat {
  readonly bytes: Buffer | string;
  /** Whether it is text, which has a charset. */
  readonly isText: boolean;
}

/** The record as text, or as bytes where the format has no text. */
export function writeFormat(name: FormatName, charset: Charset): WrittenFormat {
  const record = recordIn(charset);
  const text = textFormats[name];
  if (text !== undefined) return { bytes: text.write(record, charset), isText: true };
  return { bytes: Buffer.from(binaryFormats[name]?.encode(record) ?? []), isText: false };
}

/** The media types of a format, the registered one first. */
export function typesOf(name: FormatName): readonly string[] {
  return (textFormats[name] ?? binaryFormats[name])?.types ?? [];
}
