/** Whether a caller is a browser that wants a page, where programs get something else (RFC 9110, 12.5.1). */

import { parseWeighted } from './parse-weighted.js';

/** Whether HTML is asked for by its name, and liked at least as much as any JSON. */
export function prefersPage(accept: string | undefined): boolean {
  // What is no weight counts as if it were not there.
  const ranges = parseWeighted(accept ?? '').map(({ value, weight = 1 }) => ({ value, weight }));
  const page = ranges.find(({ value }) => value === 'text/html');
  if (page === undefined || page.weight === 0) return false;
  const rivals = ranges.filter(
    ({ value }) => value.startsWith('application/') && value.endsWith('json'),
  );
  return rivals.every(({ weight }) => weight <= page.weight);
}
