/** Values that are available now, as from memory, or later, as from a shared store. */

export type Awaitable<T> = T | Promise<T>;

export type Clock = () => number;

/** Uses a value, at once if it is available, so that reads from memory create no promise. */
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

/** Creates a promise that is resolved from outside, like `Promise.withResolvers` of Node 22. */
export function newPromise(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
