/** Shares of a limited resource, by owner and by the parts of each owner. */

import type { Owner } from './owner.js';
import { type Ranked, Ranking } from './ranking.js';

interface Part<Place> extends Ranked {
  readonly name: string;
  readonly places: Set<Place>;
}

interface Holder<Place> extends Ranked {
  readonly name: string;
  /** In the order of their turns. */
  readonly parts: Map<string, Part<Place>>;
  readonly ranking: Ranking<Part<Place>>;
}

export class Shares<Place> {
  readonly limit: number;
  /** In the order of their turns. */
  readonly #holders = new Map<string, Holder<Place>>();
  readonly #ranking = new Ranking<Holder<Place>>();
  #size = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get size(): number {
    return this.#size;
  }

  get isFull(): boolean {
    return this.#size >= this.limit;
  }

  /** Adds a place without checking the limit. */
  add(owner: Owner, place: Place): void {
    const holder = this.#holderOf(owner.name);
    let part = holder.parts.get(owner.part);
    if (part === undefined) {
      part = { name: owner.part, places: new Set(), amount: 0, place: 0 };
      holder.parts.set(owner.part, part);
      holder.ranking.add(part);
    }
    part.places.add(place);
    this.#change(holder, part, 1);
  }

  remove(owner: Owner, place: Place): boolean {
    const holder = this.#holders.get(owner.name);
    const part = holder?.parts.get(owner.part);
    if (holder === undefined || part === undefined || !part.places.delete(place)) return false;
    this.#change(holder, part, -1);
    if (part.amount === 0) {
      holder.parts.delete(part.name);
      holder.ranking.remove(part);
    }
    if (holder.amount === 0) {
      this.#holders.delete(holder.name);
      this.#ranking.remove(holder);
    }
    return true;
  }

  /**
   * Returns the places that a new place may displace: the places of the largest part of the owner with most. An owner
   * that has most itself displaces its largest part. Each displaces only what has more than the new one would have.
   */
  rivalsOf(owner: Owner | undefined): ReadonlySet<Place> | undefined {
    const { most } = this.#ranking;
    const own = owner && this.#holders.get(owner.name);
    if (most !== undefined && most.amount > (own?.amount ?? 0) + 1) {
      return most.ranking.most?.places;
    }
    const largest = own?.ranking.most;
    const amount = own?.parts.get(owner?.part ?? '')?.amount ?? 0;
    return largest !== undefined && largest.amount > amount + 1 ? largest.places : undefined;
  }

  /** Removes and returns the oldest place of the next part of the next owner, each in turns. */
  takeNext(): Place | undefined {
    const [holder] = this.#holders.values();
    if (holder === undefined) return undefined;
    const [part] = holder.parts.values() as Iterable<Part<Place>>;
    if (part === undefined) return undefined;
    const [place] = part.places;
    this.remove({ name: holder.name, part: part.name }, place as Place);
    if (holder.parts.delete(part.name)) holder.parts.set(part.name, part);
    if (this.#holders.delete(holder.name)) this.#holders.set(holder.name, holder);
    return place;
  }

  #holderOf(name: string): Holder<Place> {
    const known = this.#holders.get(name);
    if (known !== undefined) return known;
    const holder = {
      name,
      parts: new Map(),
      ranking: new Ranking<Part<Place>>(),
      ...{ amount: 0, place: 0 },
    };
    this.#holders.set(name, holder);
    this.#ranking.add(holder);
    return holder;
  }

  #change(holder: Holder<Place>, part: Part<Place>, by: number): void {
    this.#size += by;
    holder.ranking.change(part, by);
    this.#ranking.change(holder, by);
  }
}
