import type { Awaitable } from './state.js';

/** Goes on at once when the value is there, so that state in memory is never waited for. */
export function whenKnown<Value, Result>(
  value: Awaitable<Value>,
  use: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return value instanceof Promise ? value.then(use) : use(value);
}
