/** JSON (RFC 8259), and a line of it for each record. */

import { jsonContentType } from '../../../app/error-handler.js';
import { plainShape } from '../read/response-shape.js';
import type { ResourceRecord } from '../source/record-fields.js';
import { renderRecord } from '../source/render-record.js';
import { type Format, type FormatContext, shownRecord } from './format.js';

function recordText(context: FormatContext, record: ResourceRecord): string {
  const { shape, resource, baseUrl } = context;
  return shape === plainShape
    ? renderRecord(record, resource.pictures, baseUrl)
    : JSON.stringify(shownRecord(context, record));
}

export const jsonFormat: Format = {
  name: 'json',
  types: ['application/json'],
  contentTypeOf: () => jsonContentType,
  writeOne: (context, record) => [recordText(context, record)],
  *writeList(context, records) {
    let before = '[';
    for (const record of records) {
      yield before + recordText(context, record);
      before = ',';
    }
    yield records.length === 0 ? '[]' : ']';
  },
};

export const ndjsonFormat: Format = {
  name: 'ndjson',
  types: ['application/x-ndjson', 'application/jsonl'],
  contentTypeOf: (mediaType) => mediaType,
  writeOne: (context, record) => [recordText(context, record), '\n'],
  *writeList(context, records) {
    for (const record of records) yield `${recordText(context, record)}\n`;
  },
};
