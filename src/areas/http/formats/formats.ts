/** Serializes the record in each format. The registered media type is the first. */

import { encode as encodeCbor } from 'cborg';
import { requireLazily } from '#base/require-lazily.js';
import { escapeMarkup } from '#base/text/escape-markup.js';
import type { Charset, FormatRecord } from './charsets.js';

const csv = requireLazily<typeof import('csv-stringify/sync')>('csv-stringify/sync');
const messagePack = requireLazily<typeof import('@msgpack/msgpack')>('@msgpack/msgpack');
const yaml = requireLazily<typeof import('yaml')>('yaml');

function writeXml({ tags, note: _null, ...record }: FormatRecord, charset: Charset): string {
  const fields = Object.entries(record).map(
    ([name, value]) => `  <${name}>${escapeMarkup(value)}</${name}>\n`,
  );
  const listed = tags.map((tag) => `    <tag>${escapeMarkup(tag)}</tag>\n`);
  // RFC 7303 section 3: an XML declaration does not name the byte order of UTF-16; the mark does.
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

interface Format {
  /** The registered media type is the first. */
  readonly types: readonly [string, ...string[]];
  /** Returns text, or bytes for a binary format. `charset` is the charset that the text declares. */
  readonly write: (record: FormatRecord, charset: Charset) => string | Uint8Array;
}

/** In order of preference for equal weights. */
const all = {
  json: { types: ['application/json'], write: (record) => JSON.stringify(record) },
  xml: { types: ['application/xml', 'text/xml'], write: writeXml },
  // RFC 4180: lines end with CR LF, and the first has the names.
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
  msgpack: {
    types: ['application/vnd.msgpack', 'application/msgpack', 'application/x-msgpack'],
    write: (record) => messagePack().encode(record),
  },
  cbor: { types: ['application/cbor'], write: (record) => encodeCbor(record) },
  html: { types: ['text/html'], write: writeHtml },
  text: {
    types: ['text/plain'],
    write: (record) =>
      Object.entries(flat(record))
        .map(([name, value]) => `${name}: ${value}\n`)
        .join(''),
  },
} satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof all;
export const formats: Readonly<Record<FormatName, Format>> = all;
export const formatNames = Object.keys(all) as FormatName[];
export const offers = formatNames.map((name) => ({ name, types: formats[name].types }));
