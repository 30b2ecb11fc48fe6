/** Values that are known at once, or later: state in memory answers at once, a shared one later. */

export type Awaitable<T> = T | Promise<T>;

/** Milliseconds since the Unix epoch. */
export type Clock = () => number;

/** Uses a value at once when it is known, so that a read of state in memory makes no promise. */
export function whenKnown<Value, Result>(
  value: Awaitable<Value>,
  use: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return value instanceof Promise ? value.then(use) : use(value);
}

/** Two values that are asked for together, at once when both are there. */
export function whenBothKnown<One, Other>(
  one: Awaitable<One>,
  other: Awaitable<Other>,
): Awaitable<readonly [One, Other]> {
  const isWaiting = one instanceof Promise || other instanceof Promise;
  return isWaiting ? Promise.all([one, other]) : [one, other];
}
