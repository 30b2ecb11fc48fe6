/** Rows of comma-separated values (RFC 4180). */

import { requireLazily } from '#base/require-lazily.js';

const csv = requireLazily<typeof import('csv-stringify/sync')>('csv-stringify/sync');

export function writeRows(rows: readonly (readonly unknown[])[]): string {
  return csv().stringify(rows as unknown[][], {
    record_delimiter: 'windows',
    cast: { boolean: String },
  });
}

/** The characters with which spreadsheets begin a formula. */
const formula = /^[=+\-@\t\r]/;

/** Marks a text that spreadsheets would run as a formula. */
export function escapeFormula<Given>(cell: Given): Given | string {
  return typeof cell === 'string' && formula.test(cell) ? `'${cell}` : cell;
}
