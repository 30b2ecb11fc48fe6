/** Remembers responses to data that never changes: a change makes another object, so an object stands for its version. */

import { type Awaitable, whenKnown } from '../../base/awaitable.js';
import { createBoundedCache } from '../../base/bounded-cache.js';

/** Of all bodies together. */
const maxBytes = 8 * 1024 * 1024;
/** One that is longer would push out too many others. */
const maxBodyBytes = 512 * 1024;
const maxBodies = 2000;
/** An entry beside its body and its key. */
const overheadBytes = 400;

/** Bytes rather than text, because Node writes a text of some KiB in twice the time. */
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
   * Returns what `make` makes of the sources, or made of them before; `key` holds all else that it depends on. Nothing is
   * kept of a source that is seen for the first time, which may exist only for this request.
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
