/** Which format a client likes best: Accept, RFC 9110 section 12.5.1. */

import { readPreferences, weightOf } from '../../../server/read-preferences.js';
import { type FormatName, formatNames, typesOf } from './write-formats.js';

export interface ChosenFormat {
  readonly name: FormatName;
  /** The name of the format that the client used. */
  readonly mediaType: string;
}

/**
 * The format of the highest weight, the first of equals; without a header, or an empty one, JSON. `undefined` when nothing that there
 * is would be taken.
 */
export function negotiateFormat(accept: string | undefined): ChosenFormat | undefined {
  const preferences = readPreferences(accept?.trim() || '*/*');
  let best: ChosenFormat | undefined;
  let bestWeight = 0;
  for (const name of formatNames) {
    for (const mediaType of typesOf(name)) {
      const weight = weightOf(preferences, mediaType);
      if (weight <= bestWeight) continue;
      best = { name, mediaType };
      bestWeight = weight;
    }
  }
  return best;
}
