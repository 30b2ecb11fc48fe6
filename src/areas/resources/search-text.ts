/** What the search of a list looks at. */

import type { RecordField, ResourceRecord } from './record-fields.js';

/** Records never change once stored, so their texts are put together once. */
const texts = new WeakMap<ResourceRecord, string>();

/** As many combining marks may follow each other in the Stream-Safe Text Format (UAX #15). */
const maxMarks = 30;
const marks = new RegExp(`\\p{M}{${maxMarks}}`, 'gu');
/** Each run is looked through once, from its first mark. */
const longRuns = new RegExp(`(?<!\\p{M})\\p{M}{${maxMarks + 1},}`, 'gu');
const graphemeJoiner = '\u034f';

/**
 * A text whose runs of combining marks are short, as in the Stream-Safe Text Format. Normalizing and comparing take
 * quadratic time over a run, which orders its marks.
 */
export function streamSafe(text: string): string {
  if (text.length <= maxMarks) return text;
  return text.replace(longRuns, (run) => run.replace(marks, `$&${graphemeJoiner}`));
}

/** A text as it is compared: in lower case, and in one of the forms in which Unicode can write it. */
export function comparable(text: string): string {
  return streamSafe(text).normalize('NFC').toLowerCase();
}

/** All text fields of a record, and the members of its lists of texts, as compared, a line each. */
export function searchText(record: ResourceRecord, fields: readonly RecordField[]): string {
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
