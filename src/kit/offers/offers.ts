/**
 * Offers of areas: values for other areas and for the service, by typed tokens. An area may be absent; what
 * needs its offers is then absent, too.
 */

import { lazily } from '#base/lazily.js';
import type { Services } from '../services.js';

/** Identifies offers of one type. */
export class OfferToken<Value> {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  /** Declares an offer. Its value is made on first use, once for each service. */
  of(make: (services: Services, offered: Offered) => Value): Offer {
    return { token: this, make };
  }
}

/** An offer, as an area declares it. */
export interface Offer {
  readonly token: OfferToken<unknown>;
  readonly make: (services: Services, offered: Offered) => unknown;
}

/** The offers that an area declares as its needs. */
export interface Offered {
  /** Returns the first offer; `undefined` if no area makes one. */
  one<Value>(token: OfferToken<Value>): Value | undefined;
  /** Returns the offers of all areas, in their order. */
  all<Value>(token: OfferToken<Value>): readonly Value[];
}

interface Participant {
  readonly name: string;
  readonly needs?: readonly OfferToken<unknown>[];
  readonly offers?: readonly Offer[];
}

/** All offers of a service. */
export class Offers implements Offered {
  readonly #made = new Map<OfferToken<unknown>, (() => unknown)[]>();

  constructor(areas: readonly Participant[], services: Services) {
    for (const area of areas) {
      const offered = this.to(area);
      for (const { token, make } of area.offers ?? []) {
        const known = this.#made.get(token) ?? [];
        this.#made.set(token, [...known, lazily(() => make(services, offered))]);
      }
    }
  }

  one<Value>(token: OfferToken<Value>): Value | undefined {
    return this.#made.get(token)?.[0]?.() as Value | undefined;
  }

  all<Value>(token: OfferToken<Value>): readonly Value[] {
    return (this.#made.get(token) ?? []).map((make) => make()) as Value[];
  }

  /** Returns the offers for an area. It throws if the area has not declared its need. */
  to({ name, needs = [] }: Participant): Offered {
    const check = (token: OfferToken<unknown>): void => {
      if (needs.includes(token)) return;
      throw new Error(`The needs of ${name} do not list the offer "${token.name}".`);
    };
    return {
      one: (token) => {
        check(token);
        return this.one(token);
      },
      all: (token) => {
        check(token);
        return this.all(token);
      },
    };
  }
}
