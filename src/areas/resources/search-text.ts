/** What the search of a list looks at. */

import type { RecordField, ResourceRecord } from './record-fields.js';

/** Records never change once stored, so their texts are put together once. */
const texts = new WeakMap<ResourceRecord, string>();

/** All text fields of a record, and the members of its lists of texts, in lower case, a line each. */
export function searchText(record: ResourceRecord, fields: readonly RecordField[]): string {
  let text = texts.get(record);
  if (text === undefined) {
    text = fields
      .filter(({ kind }) => kind === 'text' || kind === 'texts')
      .flatMap(({ name }) => record[name] ?? [])
      .join('\n')
      .toLowerCase();
    texts.set(record, text);
  }
  return text;
}
