/** Formats figures: the machine that they are from, Markdown tables, lists of complaints. */

import { cpus } from 'node:os';

export const machine = `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim()})`;

/**
 * Writes a table, whose columns are right-aligned if the heading ends with a colon.
 *
 * @param {readonly string[]} headings
 * @param {readonly (readonly string[])[]} rows
 */
export function table(headings, rows) {
  const names = headings.map((heading) => heading.replace(/:$/, ''));
  const lines = headings.map((heading) => (heading.endsWith(':') ? '---:' : '---'));
  return [row(names), row(lines), ...rows.map(row)].join('\n');
}

/** @param {readonly string[]} cells */
export function row(cells) {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** @param {readonly (readonly string[])[]} rows */
export const figureTable = (rows) => table(['what', 'figure:'], rows);
