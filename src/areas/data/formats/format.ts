/** The interface of a response format, and the formats that need only records: JSON, JSON lines, YAML, XML. */

import { withPictureUrls } from '#data/picture-address.js';
import { writeXml, xmlDeclaration } from '#http/body/write-xml.js';
import { writeYaml } from '#http/body/write-yaml.js';
import { jsonContentType } from '#http/http-error.js';
import type { Offer } from '#http/negotiation/negotiate-type.js';
import type { DataRecord, FieldValue } from '../source/fields.js';
import { renderingOf } from '../source/rendering.js';
import type { Related, Relation, Source } from '../source/source.js';

export interface Format extends Offer {
  /** Part of entity tags. */
  readonly name: string;
  readonly contentTypeOf: (mediaType: string) => string;
  /** Writes a list, or without paging one record, in pieces that take a few milliseconds each. */
  readonly write: (
    context: FormatContext,
    records: readonly DataRecord[],
    paging?: Paging,
  ) => Iterable<string>;
}

export interface ResponseShape {
  readonly fields: ReadonlySet<string> | undefined;
  readonly embeds: readonly Relation[];
  /** Whether CSV marks texts that spreadsheets would run as formulas. */
  readonly escapesFormulas: boolean;
}

export const plainShape: ResponseShape = { fields: undefined, embeds: [], escapesFormulas: false };

export function isPlain({ fields, embeds, escapesFormulas }: ResponseShape): boolean {
  return fields === undefined && embeds.length === 0 && !escapesFormulas;
}

export interface FormatContext {
  readonly source: Source;
  readonly shape: ResponseShape;
  readonly related: ReadonlyMap<Relation, Related>;
  /** Base URL without a slash at the end. */
  readonly baseUrl: string;
  readonly self: string;
}

export interface Paging {
  readonly total: number;
  /** Complete URLs by relation: `next`. */
  readonly links: Readonly<Record<string, string>>;
}

export type ShownRecord = Readonly<Record<string, FieldValue>>;

/** Returns a record as sent: with complete URLs, the selected fields, and embedded records. */
export function shownRecord(context: FormatContext, record: DataRecord): ShownRecord {
  const { source, shape, related, baseUrl } = context;
  // A single resource may be a list of values.
  if (Array.isArray(record)) return record as object as ShownRecord;
  const chosen = Object.entries(record).filter(([name]) => shape.fields?.has(name) ?? true);
  const shown: Record<string, FieldValue> = {
    ...withUrls(Object.fromEntries(chosen), source, baseUrl),
  };
  for (const relation of shape.embeds) {
    const others = related.get(relation)?.(record) ?? null;
    shown[relation.name] = Array.isArray(others)
      ? others.map((other: DataRecord) => withUrls(other, relation.other, baseUrl))
      : others && withUrls(others as DataRecord, relation.other, baseUrl);
  }
  return shown;
}

export function withUrls(record: ShownRecord, { pictures }: Source, baseUrl: string): ShownRecord {
  return withPictureUrls(record, pictures, () => baseUrl);
}

function recordText(context: FormatContext, record: DataRecord): string {
  const { shape, source, baseUrl } = context;
  return isPlain(shape)
    ? renderingOf(record).withPictures(source.pictures, baseUrl)
    : JSON.stringify(shownRecord(context, record));
}

export const jsonFormat: Format = {
  name: 'json',
  types: ['application/json'],
  contentTypeOf: () => jsonContentType,
  *write(context, records, paging) {
    let before = paging === undefined ? '' : '[';
    for (const record of records) {
      yield before + recordText(context, record);
      before = ',';
    }
    if (paging !== undefined) yield records.length === 0 ? '[]' : ']';
  },
};

export const ndjsonFormat: Format = {
  name: 'ndjson',
  types: ['application/x-ndjson', 'application/jsonl'],
  contentTypeOf: (mediaType) => mediaType,
  *write(context, records) {
    for (const record of records) yield `${recordText(context, record)}\n`;
  },
};

/** Amortizes the cost of a call of the writer. */
const recordsPerPiece = 5;

export const yamlFormat: Format = {
  name: 'yaml',
  types: ['application/yaml', 'application/x-yaml', 'text/yaml'],
  contentTypeOf: (mediaType) =>
    mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType,
  *write(context, records, paging) {
    const shown = (record: DataRecord) => shownRecord(context, record);
    if (paging === undefined) for (const record of records) yield* writeYaml(shown(record));
    else if (records.length === 0) yield '[]\n';
    else {
      for (let start = 0; start < records.length; start += recordsPerPiece) {
        yield* writeYaml(records.slice(start, start + recordsPerPiece).map(shown));
      }
    }
  },
};

const joinedCharacters = 8 * 1024;

/** Element names are the noun for a record, and its plural for a list. */
function* recordXml(context: FormatContext, record: DataRecord): Generator<string> {
  const { source, shape } = context;
  const nouns = new Map(shape.embeds.map(({ name, other }) => [name, other.noun]));
  let text = '';
  for (const piece of writeXml(source.noun, shownRecord(context, record), nouns)) {
    text += piece;
    if (text.length < joinedCharacters) continue;
    yield text;
    text = '';
  }
  yield `${text}\n`;
}

export const xmlFormat: Format = {
  name: 'xml',
  types: ['application/xml', 'text/xml'],
  contentTypeOf: (mediaType) => `${mediaType}; charset=utf-8`,
  *write(context, records, paging) {
    const { name } = context.source;
    yield paging === undefined ? xmlDeclaration : `${xmlDeclaration}<${name}>\n`;
    for (const record of records) yield* recordXml(context, record);
    if (paging !== undefined) yield `</${name}>\n`;
  },
};
