/** Values that are known at once, as from state in memory, or later, as from a shared store. */

export type Awaitable<T> = T | Promise<T>;

export type Clock = () => number;

/** Uses a value, at once when it is known: a read of state in memory then creates no promise. */
export function whenKnown<Value, Result>(
  value: Awaitable<Value>,
  use: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return value instanceof Promise ? value.then(use) : use(value);
}

export function whenBothKnown<One, Other>(
  one: Awaitable<One>,
  other: Awaitable<Other>,
): Awaitable<readonly [One, Other]> {
  const isWaiting = one instanceof Promise || other instanceof Promise;
  return isWaiting ? Promise.all([one, other]) : [one, other];
}

/** Makes a promise that is resolved from outside, as `Promise.withResolvers` of Node 22 does. */
export function newPromise(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
