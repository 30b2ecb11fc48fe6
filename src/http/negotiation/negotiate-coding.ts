/** Which content coding a response takes that is there in all of them: RFC 9110 section 12.5.3. */

import type { Coding } from '../codings/encode-body.js';
import { readPreferences } from './read-preferences.js';

/** Between equals, what makes the body smallest for the time it takes. */
const ours: readonly Coding[] = ['zstd', 'br', 'gzip', 'deflate'];

/**
 * The coding that the client likes best of those that are `there`; a coding rather than none between equals.
 * `undefined` when it rejects them all, and `identity` as well.
 */
export function negotiateCoding(
  header: string | undefined,
  there: readonly Coding[],
): Coding | 'identity' | undefined {
  const preferences = readPreferences(header);
  const rest = preferences.get('*');
  const weightOf = (...names: readonly string[]) => {
    const named = names.map((name) => preferences.get(name)).filter((each) => each !== undefined);
    return named.length > 0 ? Math.max(...named) : undefined;
  };
  let best: Coding | 'identity' | undefined;
  let bestWeight = 0;
  for (const coding of ours.filter((each) => there.includes(each))) {
    const weight = (coding === 'gzip' ? weightOf('gzip', 'x-gzip') : weightOf(coding)) ?? rest ?? 0;
    if (weight > bestWeight) {
      best = coding;
      bestWeight = weight;
    }
  }
  const identity = weightOf('identity') ?? (rest === 0 ? 0 : undefined);
  // Without a word about it, it is acceptable, and the last resort.
  if (identity === undefined) return best ?? 'identity';
  return identity > bestWeight ? 'identity' : best;
}
