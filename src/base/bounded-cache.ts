/** Keeps what was made of the texts used last, bounded in number and in weight. */

export interface BoundedCache<Value> {
  /** What is kept for this text; asking counts as a use. */
  find(text: string): Value | undefined;
  /** Keeps a value, in place of the one that was kept; drops those used longest ago to make room. */
  keep(text: string, value: Value): void;
  /** What is kept for this text, or else what `make` makes of it, which is kept then. */
  get(text: string, make: (text: string) => Value): Value;
  readonly size: number;
  readonly weight: number;
}

export interface CacheLimits<Value> {
  readonly maxEntries: number;
  /** In the unit of `weigh`; nothing is weighed without it. */
  readonly maxWeight?: number;
  /** Asked once, when a value comes in. A value heavier than the whole is not kept. */
  readonly weigh?: (value: Value) => number;
}

export function createBoundedCache<Value>({
  maxEntries,
  maxWeight = Number.POSITIVE_INFINITY,
  weigh = () => 0,
}: CacheLimits<Value>): BoundedCache<Value> {
  // The order of insertion, renewed at each use, is the order of use.
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
    get(text, make) {
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
