/** Which of several media types a client likes best: Accept, RFC 9110 section 12.5.1. */

import { readPreferences, weightOf } from './read-preferences.js';

/** One form of a response. */
export interface Offer {
  /** The media types that it goes by, the registered one first. */
  readonly types: readonly string[];
}

export interface Chosen<Each extends Offer> {
  readonly offer: Each;
  /** The name of the form that the client used. */
  readonly mediaType: string;
  readonly weight: number;
}

/**
 * The offer of the highest weight, the first of equals; without a header, or an empty one, the first of all.
 * `undefined` when nothing that is offered would be taken.
 */
export function negotiateType<Each extends Offer>(
  accept: string | undefined,
  offers: readonly Each[],
): Chosen<Each> | undefined {
  const preferences = readPreferences(accept?.trim() || '*/*');
  let best: Chosen<Each> | undefined;
  let bestWeight = 0;
  for (const offer of offers) {
    for (const mediaType of offer.types) {
      const weight = weightOf(preferences, mediaType);
      if (weight <= bestWeight) continue;
      best = { offer, mediaType, weight };
      bestWeight = weight;
    }
  }
  return best;
}
