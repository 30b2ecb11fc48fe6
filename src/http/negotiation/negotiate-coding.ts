/** Negotiates Accept-Encoding: RFC 9110 section 12.5.3. */

import type { Coding } from '../codings/encode-body.js';
import { readPreferences } from './read-preferences.js';

/** In order of preference: the smallest body for the time. */
const ours: readonly Coding[] = ['zstd', 'br', 'gzip', 'deflate'];

/**
 * Returns the coding in `there` that the client prefers; a coding rather than identity if they are
 * equal. Returns `undefined` if the client rejects all of them and identity.
 */
export function negotiateCoding<Each extends Coding>(
  header: string | undefined,
  there: readonly Each[],
): Each | 'identity' | undefined {
  const preferences = readPreferences(header);
  const rest = preferences.get('*');
  let best: Each | undefined;
  let bestWeight = 0;
  for (const coding of ours.filter((each) => there.includes(each as Each)) as Each[]) {
    const names = coding === 'gzip' ? ['gzip', 'x-gzip'] : [coding];
    const named = names.flatMap((name) => preferences.get(name) ?? []);
    const weight = named.length > 0 ? Math.max(...named) : (rest ?? 0);
    if (weight <= bestWeight) continue;
    best = coding;
    bestWeight = weight;
  }
  const identity = preferences.get('identity') ?? (rest === 0 ? 0 : undefined);
  // Identity is acceptable unless it is excluded, as a last resort.
  if (identity === undefined) return best ?? 'identity';
  return identity > bestWeight ? 'identity' : best;
}
