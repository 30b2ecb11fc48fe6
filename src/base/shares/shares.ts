/** Shares of a limited resource, by owner. */

import { type Ranked, Ranking } from './ranking.js';

interface Owner<Place> extends Ranked {
  readonly name: string;
  readonly places: Set<Place>;
}

export class Shares<Place> {
  readonly limit: number;
  readonly limitPerOwner: number;
  /** In the order of their turns. */
  readonly #owners = new Map<string, Owner<Place>>();
  readonly #ranking = new Ranking<Owner<Place>>();
  #size = 0;

  /** Each owner has at most `limitPerOwner` of all places. */
  constructor(limit: number, limitPerOwner = limit) {
    this.limit = limit;
    this.limitPerOwner = limitPerOwner;
  }

  get size(): number {
    return this.#size;
  }

  get isFull(): boolean {
    return this.#size >= this.limit;
  }

  isUsedUpBy(owner: string): boolean {
    return this.#countOf(owner) >= this.limitPerOwner;
  }

  /** Adds a place without checking the limits. */
  add(owner: string, place: Place): void {
    let known = this.#owners.get(owner);
    if (known === undefined) {
      known = { name: owner, places: new Set(), amount: 0, place: 0 };
      this.#owners.set(owner, known);
      this.#ranking.add(known);
    }
    known.places.add(place);
    this.#size++;
    this.#ranking.change(known, 1);
  }

  remove(owner: string, place: Place): boolean {
    const known = this.#owners.get(owner);
    if (known === undefined || !known.places.delete(place)) return false;
    this.#size--;
    this.#ranking.change(known, -1);
    if (known.places.size === 0) {
      this.#owners.delete(owner);
      this.#ranking.remove(known);
    }
    return true;
  }

  /**
   * Returns the places that a new place may displace: the places of the owner with most, unless the
   * new owner would have as many.
   */
  rivalsOf(owner: string | undefined): ReadonlySet<Place> | undefined {
    const { most } = this.#ranking;
    const own = owner === undefined ? 0 : this.#countOf(owner);
    return most !== undefined && most.amount > own + 1 ? most.places : undefined;
  }

  /** Removes and returns the oldest place of the next owner, in turns. */
  takeNext(): Place | undefined {
    const [next] = this.#owners.values();
    if (next === undefined) return undefined;
    const [place] = next.places;
    this.remove(next.name, place as Place);
    if (this.#owners.delete(next.name)) this.#owners.set(next.name, next);
    return place;
  }

  #countOf(owner: string): number {
    return this.#owners.get(owner)?.amount ?? 0;
  }
}
