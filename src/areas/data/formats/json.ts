/** JSON (RFC 8259), and a line of it for each record. */

import { jsonContentType } from '../../../http/http-error.js';
import type { DataRecord } from '../source/fields.js';
import { renderingOf } from '../source/rendering.js';
import { type Format, type FormatContext, isPlain, shownRecord } from './format.js';

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
