/**
 * A set whose members know their place. The tables of a `Set` that grew too small refer to the next one, so that a short-lived
 * member gets into the old generation of the garbage collector; this one keeps nothing that was removed.
 */

export interface Placed {
  /** Belongs to the set; below 0 outside of one. */
  place: number;
}

export class Unordered<Item extends Placed> {
  readonly #items: Item[] = [];

  get size(): number {
    return this.#items.length;
  }

  add(item: Item): void {
    if (item.place < 0) item.place = this.#items.push(item) - 1;
  }

  delete(item: Item): void {
    const { place } = item;
    if (place < 0) return;
    item.place = -1;
    const last = this.#items.pop();
    if (last === undefined || last === item) return;
    this.#items[place] = last;
    last.place = place;
  }

  /** Members at this moment, so that they may be removed meanwhile. */
  [Symbol.iterator](): Iterator<Item> {
    return [...this.#items].values();
  }
}
