import type { Awaitable } from '../state/state.js';

/** Goes on at once when the value is there, so that state in memory is never waited for. */
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
