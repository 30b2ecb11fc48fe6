/**
 * Makes a value on first use, and again once the garbage collector has removed it. For a large value that is cheap to make;
 * `lazily` keeps a value for good.
 */
export function whileInMemory<Value extends object>(
  make: () => Promise<Value>,
): () => Promise<Value> {
  let made: WeakRef<Value> | undefined;
  let making: Promise<Value> | undefined;
  const makeAgain = async () => {
    try {
      const value = await make();
      made = new WeakRef(value);
      return value;
    } finally {
      making = undefined;
    }
  };
  return async () => {
    const value = made?.deref();
    if (value !== undefined) return value;
    making ??= makeAgain();
    return making;
  };
}
