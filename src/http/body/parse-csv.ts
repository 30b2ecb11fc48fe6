/** Parses a CSV body (RFC 4180) with one record: a header, and one row. */

import { requireLazily } from '#base/require-lazily.js';
import { HttpError } from '../http-error.js';

const csv = requireLazily<typeof import('csv-parse/sync')>('csv-parse/sync');

/** Enough for any record, with commas in its texts. */
const maxSeparators = 20_000;

/**
 * Returns the cells by the names in the header. Throws 400 for another number of rows, and passes
 * on errors of the parser.
 */
export function parseCsvRow(text: string): readonly (readonly [name: string, cell: string])[] {
  if (text.split(',', maxSeparators + 2).length > maxSeparators + 1) {
    throw new HttpError(400, `A CSV body may have at most ${maxSeparators} commas.`);
  }
  // A third row proves that there are too many.
  const rows = csv().parse(text, { to: 3, skip_empty_lines: true }) as readonly string[][];
  const [names = [], cells = []] = rows;
  if (rows.length !== 2) {
    const found = rows.length < 2 ? 'no row after the header' : 'several rows';
    const message = `A CSV body must be one record: a header with field names, and one row. It has ${found}.`;
    throw new HttpError(400, message);
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new HttpError(400, `The CSV header has ${JSON.stringify(twice)} twice.`);
  }
  return names.map((name, index) => [name, cells[index] ?? '']);
}
