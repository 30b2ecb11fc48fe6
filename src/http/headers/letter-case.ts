/** The letter case of headers that callers choose, which HTTP/1.1 leaves as it is. */

import { setLetterCase } from '../../wire/measured-response.js';
import type { Reply } from '../exchange.js';
import { type GivenHeaders, headerPairs } from './settable-headers.js';

/** Sends these names of headers as they are written here; a repeated one as it is written first. */
export function keepLetterCase({ raw }: Reply, headers: GivenHeaders): void {
  const names = new Map<string, string>();
  for (const [name] of headerPairs(headers)) {
    const lower = name.toLowerCase();
    if (!names.has(lower)) names.set(lower, name);
  }
  if (names.size > 0) setLetterCase(raw, names);
}
