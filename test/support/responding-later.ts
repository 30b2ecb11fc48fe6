/** A state in memory that responds like a shared one: never at once. */

import type { Sandbox, State } from '../../src/state/state.js';

/** The same state, whose every response comes in a later turn. */
export function respondingLater(state: State): State {
  const later = async <Value>(act: () => Value | Promise<Value>) => {
    await new Promise((resolve) => setImmediate(resolve));
    return act();
  };
  const sandboxOf = (name: string): Sandbox => {
    const sandbox = state.sandbox(name);
    return {
      ...sandbox,
      now: () => later(() => sandbox.now()),
      read: (space, key) => later(() => sandbox.read(space, key)),
      update: (space, key, change) => later(() => sandbox.update(space, key, change)),
    };
  };
  return {
    ...state,
    sandbox: sandboxOf,
    resetOwned: (owner) => later(() => state.resetOwned(owner)),
  };
}
