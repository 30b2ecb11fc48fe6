/**
 * Caches responses to data that never changes. A change creates a new object, so an object
 * identifies its version.
 */

import { type Awaitable, whenKnown } from '#base/awaitable.js';
import { createBoundedCache } from '#base/bounded-cache.js';

/** Limit for all bodies together. */
const maxBytes = 8 * 1024 * 1024;
/** A longer body would displace too many others. */
const maxBodyBytes = 512 * 1024;
const maxBodies = 2000;
/** Memory of an entry without its body and key. */
const overheadBytes = 400;

/** Kept as bytes, because Node needs twice the time to write a text of some KiB. */
interface Made {
  readonly body: Buffer;
}

export class ResponseMemory<Value extends Made = Made> {
  readonly #numbers = new WeakMap<object, number>();
  readonly #made = createBoundedCache<{ readonly key: string; readonly value: Value }>({
    maxEntries: maxBodies,
    maxWeight: maxBytes,
    weigh: ({ key, value }) => overheadBytes + 2 * key.length + value.body.length,
  });
  #given = 0;

  /**
   * Returns the cached result for the sources, or calls `make`; `key` holds everything else that
   * the result depends on. Nothing is cached for a source on first use, because it may exist only
   * for this request.
   */
  get(sources: readonly object[], key: string, make: () => Value): Value;
  get(sources: readonly object[], key: string, make: () => Awaitable<Value>): Awaitable<Value>;
  get(sources: readonly object[], key: string, make: () => Awaitable<Value>): Awaitable<Value> {
    const name = this.#nameOf(sources, key);
    if (name === undefined) return make();
    const known = this.#made.find(name);
    if (known !== undefined) return known.value;
    return whenKnown(make(), (value) => {
      if (value.body.length <= maxBodyBytes) this.#made.keep(name, { key: name, value });
      return value;
    });
  }

  #nameOf(sources: readonly object[], key: string): string | undefined {
    let name: string | undefined = key;
    for (const source of sources) {
      const number = this.#numbers.get(source);
      if (number === undefined) this.#numbers.set(source, ++this.#given);
      name = number === undefined || name === undefined ? undefined : `${number} ${name}`;
    }
    return name;
  }
}
