/** Caches of the most recently used values, limited in number and in weight. */

export interface CacheLimits<Value> {
  readonly maxEntries: number;
  /** In the unit of `weigh`. A value that is heavier than this is not kept. */
  readonly maxWeight?: number;
  readonly weigh?: (value: Value) => number;
}

export function createBoundedCache<Value>({
  maxEntries,
  maxWeight = Number.POSITIVE_INFINITY,
  weigh = () => 0,
}: CacheLimits<Value>) {
  // In the order of use.
  const entries = new Map<string, { readonly value: Value; readonly weight: number }>();
  let totalWeight = 0;
  let newest: string | undefined;

  function drop(text: string): void {
    totalWeight -= entries.get(text)?.weight ?? 0;
    entries.delete(text);
  }

  function find(text: string): Value | undefined {
    const known = entries.get(text);
    if (known !== undefined && text !== newest) {
      entries.delete(text);
      entries.set(text, known);
      newest = text;
    }
    return known?.value;
  }

  function keep(text: string, value: Value): void {
    drop(text);
    const weight = weigh(value);
    if (weight > maxWeight) return;
    entries.set(text, { value, weight });
    newest = text;
    totalWeight += weight;
    for (const oldest of entries.keys()) {
      if (entries.size <= maxEntries && totalWeight <= maxWeight) break;
      drop(oldest);
    }
  }

  return {
    find,
    keep,
    /** Returns the cached value, or makes and caches it. */
    get(text: string, make: (text: string) => Value): Value {
      const known = find(text);
      if (known !== undefined) return known;
      const value = make(text);
      keep(text, value);
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
