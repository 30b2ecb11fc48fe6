/** Makes a value on first use, and keeps it. A promise that rejects is not kept: the next use tries again. */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    if (made !== undefined) return made.value;
    const own = { value: make() };
    made = own;
    if (own.value instanceof Promise) {
      own.value.catch(() => {
        if (made === own) made = undefined;
      });
    }
    return own.value;
  };
}
