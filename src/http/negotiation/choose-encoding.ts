/** Which content coding an answer takes: RFC 9110 section 12.5.3, Accept-Encoding. */

import { readPreferences, weightOf } from './read-preferences.js';

/** In the order in which we prefer them. */
export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/**
 * The coding the caller likes best, ours deciding between equals; undefined for none. A caller who
 * refuses even `identity` gets it all the same, as the RFC allows: an answer is better than none.
 */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding | undefined {
  const preferences = readPreferences(acceptEncoding);
  const weights = {
    br: weightOf(preferences, 'br'),
    gzip: weightOf(preferences, 'gzip', 'x-gzip'),
  };
  const best = weights.br >= weights.gzip ? 'br' : 'gzip';
  // `identity` is acceptable without being named, but only naming it says that it is preferred.
  const isPreferred = weights[best] > 0 && weights[best] >= (preferences.get('identity') ?? 0);
  return isPreferred ? best : undefined;
}
