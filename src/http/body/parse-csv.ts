/** A body of comma-separated values (RFC 4180) that is one record: a header, and one row. */

import { requireLazily } from '../../base/require-lazily.js';
import { HttpError } from '../http-error.js';

const csv = requireLazily<typeof import('csv-parse/sync')>('csv-parse/sync');

/** Enough for the cells of any record, with commas in its texts. */
const maxSeparators = 20_000;

/** Returns the cells by the names in the header. Throws 400 for another number of rows, and what the parser throws. */
export function parseCsvRow(text: string): readonly (readonly [name: string, cell: string])[] {
  if (text.split(',', maxSeparators + 1).length > maxSeparators) {
    throw new HttpError(400, `A body of CSV may have ${maxSeparators} commas at most.`);
  }
  // A third row is enough to know that there are too many.
  const rows = csv().parse(text, { to: 3, skip_empty_lines: true }) as readonly string[][];
  const [names = [], cells = []] = rows;
  if (rows.length !== 2) {
    const found = rows.length < 2 ? 'no row after the header' : 'several rows';
    const message = `A body of CSV is one record: a header with the names of fields, and one row. It has ${found}.`;
    throw new HttpError(400, message);
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new HttpError(400, `The header of the CSV names ${JSON.stringify(twice)} twice.`);
  }
  return names.map((name, index) => [name, cells[index] ?? '']);
}
