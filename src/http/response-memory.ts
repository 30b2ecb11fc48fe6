/**
 * What responses were made of data that has not changed since. Lists and records never change: what changes is another
 * object, so that an object stands for the version of its sandbox's data.
 */

import { createBoundedCache } from '../bounded-cache.js';

/** Of all texts together, at two bytes a character at most. */
const maxBytes = 8 * 1024 * 1024;
/** One that is longer would push out too many others. */
const maxTextBytes = 1024 * 1024;
const maxTexts = 2000;
/** An entry beside its texts. */
const overheadBytes = 300;

export interface Made {
  readonly text: string;
}

export class ResponseMemory<Value extends Made> {
  readonly #numbers = new WeakMap<object, number>();
  readonly #made = createBoundedCache<Kept<Value>>({
    maxEntries: maxTexts,
    maxWeight: maxBytes,
    weigh: ({ key, value }) => overheadBytes + 2 * (key.length + value.text.length),
  });
  #given = 0;

  /**
   * What `make` makes of the source, or made of it before under that key, which says all else that it depends on.
   * Nothing is kept of a source that is seen for the first time: it may have been made for this request alone.
   */
  get(source: object, key: string, make: () => Value): Value {
    const number = this.#numbers.get(source);
    if (number === undefined) {
      this.#numbers.set(source, ++this.#given);
      return make();
    }
    const name = `${number} ${key}`;
    const known = this.#made.find(name);
    if (known !== undefined) return known.value;
    const value = make();
    if (value.text.length * 2 <= maxTextBytes) this.#made.keep(name, { key: name, value });
    return value;
  }
}

interface Kept<Value> {
  readonly key: string;
  readonly value: Value;
}
