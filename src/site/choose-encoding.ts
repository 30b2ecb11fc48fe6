/** Which content coding an answer takes: RFC 9110 section 12.5.3, Accept-Encoding. */

import { parseWeighted } from '../server/parse-weighted.js';

/** In the order in which we prefer them. */
export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/**
 * The coding the caller likes best, ours deciding between equals; undefined for none. A caller who
 * refuses even `identity` gets it all the same, as the RFC allows: an answer is better than none.
 */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding | undefined {
  if (acceptEncoding === undefined) return undefined;
  const weights = new Map(
    parseWeighted(acceptEncoding).map(({ value, weight = 0 }) => [value, weight]),
  );
  const weightOf = (encoding: Encoding) =>
    weights.get(encoding) ??
    (encoding === 'gzip' ? weights.get('x-gzip') : undefined) ??
    weights.get('*') ??
    0;
  let best: Encoding | undefined;
  for (const encoding of encodings) {
    const weight = weightOf(encoding);
    if (weight > 0 && (best === undefined || weight > weightOf(best))) best = encoding;
  }
  if (best === undefined) return undefined;
  // `identity` is acceptable without being named, but only naming it says that it is preferred.
  return weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined;
}
