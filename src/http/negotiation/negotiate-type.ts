/** Negotiates Accept: RFC 9110 sections 12.5.1 and 15.5.7. */

import { HttpError } from '../http-error.js';
import { readPreferences, weightOf } from './read-preferences.js';

/** A format of a response. */
export interface Offer {
  /** Media types of the format, the registered one first. */
  readonly types: readonly string[];
}

export interface Chosen<Each extends Offer> {
  readonly offer: Each;
  /** The media type that the client named. */
  readonly mediaType: string;
  readonly weight: number;
}

/**
 * Returns the offer of the highest weight, the first of equals; without a header, or with an empty
 * one, the first of all. Returns `undefined` if the client accepts none.
 */
export function negotiateType<Each extends Offer>(
  accept: string | undefined,
  offers: readonly Each[],
): Chosen<Each> | undefined {
  const preferences = readPreferences(accept?.trim() || '*/*');
  let best: Chosen<Each> | undefined;
  for (const offer of offers) {
    for (const mediaType of offer.types) {
      const weight = weightOf(preferences, mediaType);
      if (weight > (best?.weight ?? 0)) best = { offer, mediaType, weight };
    }
  }
  return best;
}

/** Makes the 406 of a client that accepts none of the `available` formats. */
export function notAcceptable(message: string, available: readonly string[]): HttpError {
  return new HttpError(406, `${message} Available: ${available.join(', ')}.`, {
    body: { available },
  });
}
