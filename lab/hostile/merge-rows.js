/** Rows of the table of attacks, of which some are measured anew: pure, so that it can be tested. */

/**
 * The rows that a page has of it.
 *
 * @param {string} page
 */
export function rowsOf(page) {
  const section = page.split('<!-- hostile -->')[1]?.split('<!-- end of hostile -->')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('| '));
  return lines.filter((line) => !line.startsWith('| --- ') && !line.startsWith('| attack |'));
}

/**
 * Each attack and mode once, as it was measured last; new ones are at the end.
 *
 * @param {readonly string[]} before
 * @param {readonly string[]} now
 */
export function mergeRows(before, now) {
  const rows = new Map([...before, ...now].map((row) => [keyOf(row), row]));
  return [...rows.values()];
}

/** @param {string} row */
const keyOf = (row) => row.split(' | ').slice(0, 2).join(' | ');
