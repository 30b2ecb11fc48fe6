/** Letter case of headers, which HTTP/1.1 preserves, and of the reason phrase. */

import { type HeadForm, headFormOf, setHeadForm } from '#wire/measured-response.js';
import type { Reply } from '../exchange.js';
import { type GivenHeaders, headerPairs } from './settable-headers.js';

export type { HeadForm };

export function writeHeadIn({ raw }: Reply, form: HeadForm): void {
  setHeadForm(raw, form);
}

/** Uses the letter case of these names; a repeated name uses its first spelling. */
export function keepLetterCase({ raw }: Pick<Reply, 'raw'>, headers: GivenHeaders): void {
  const names = new Map<string, string>();
  for (const [name] of headerPairs(headers)) {
    const lower = name.toLowerCase();
    if (!names.has(lower)) names.set(lower, name);
  }
  if (names.size === 0) return;
  const usual = headFormOf(raw);
  setHeadForm(raw, {
    ...usual,
    nameOf: (name) => names.get(name) ?? usual?.nameOf(name) ?? name,
  });
}
