/** Keeps what was made for the keys used last. */

/** `make` runs again for a key that has been away. */
export function keepLatest<Value>(maxKept: number, make: (key: string) => Value) {
  // The order of insertion, renewed at each use, is the order of use.
  const kept = new Map<string, Value>();
  return (key: string): Value => {
    const value = kept.get(key) ?? make(key);
    kept.delete(key);
    kept.set(key, value);
    if (kept.size > maxKept) {
      const [oldest] = kept.keys();
      if (oldest !== undefined) kept.delete(oldest);
    }
    return value;
  };
}
