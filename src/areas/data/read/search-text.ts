/** What the search of a list looks at. */

import { normalizeText } from '../../../base/text/stream-safe.js';
import type { DataRecord, RecordField } from '../source/source.js';

/** Records never change once stored, so their texts are put together once. */
const texts = new WeakMap<DataRecord, string>();

/** A text as it is compared: in lower case, and in one of the forms in which Unicode can write it. */
export function comparable(text: string): string {
  return normalizeText(text).toLowerCase();
}

/** All text fields of a record, and the members of its lists of texts, as compared, a line each. */
export function searchText(record: DataRecord, fields: readonly RecordField[]): string {
  let text = texts.get(record);
  if (text === undefined) {
    text = comparable(
      fields
        .filter(({ kind }) => kind === 'text' || kind === 'texts')
        .flatMap(({ valueIn }) => valueIn(record) ?? [])
        .join('\n'),
    );
    texts.set(record, text);
  }
  return text;
}
