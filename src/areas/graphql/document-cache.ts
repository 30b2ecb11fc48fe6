/** Keeps what was made of the documents used last, by their text, bounded in number and in bytes. */

export interface DocumentCache<Value> {
  /** What was made of this text, by `make` when it is not known. */
  get(text: string, make: (text: string) => Value): Value;
  readonly size: number;
  readonly weight: number;
}

export interface CacheBounds {
  readonly maxEntries: number;
  /** In the unit of `weigh`. */
  readonly maxWeight: number;
}

/** `weigh` is asked once, when a value comes in. A value heavier than the whole is not kept. */
export function createDocumentCache<Value>(
  { maxEntries, maxWeight }: CacheBounds,
  weigh: (value: Value) => number,
): DocumentCache<Value> {
  // The order of insertion, renewed at each use, is the order of use.
  const entries = new Map<string, { readonly value: Value; readonly weight: number }>();
  let totalWeight = 0;
  let newest: string | undefined;

  return {
    get(text, make) {
      const known = entries.get(text);
      if (known !== undefined) {
        if (text !== newest) {
          entries.delete(text);
          entries.set(text, known);
          newest = text;
        }
        return known.value;
      }
      const value = make(text);
      const weight = weigh(value);
      if (weight > maxWeight) return value;
      entries.set(text, { value, weight });
      newest = text;
      totalWeight += weight;
      for (const [oldest, entry] of entries) {
        if (entries.size <= maxEntries && totalWeight <= maxWeight) break;
        entries.delete(oldest);
        totalWeight -= entry.weight;
      }
      return value;
    },
    get size() {
      return entries.size;
    },
    get weight() {
      return totalWeight;
    },
  };
}
