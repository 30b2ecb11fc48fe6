/** A state in memory that responds like a shared one: never at once. */

import type { Sandbox, State } from '../../src/state/state.js';

/** The same state, whose every response arrives in a later turn. */
export function respondingLater(state: State): State {
  return {
    ...state,
    sandbox: (name, caller) => sandboxRespondingLater(state.sandbox(name, caller)),
    resetOwned: (owner) => later(() => state.resetOwned(owner)),
  };
}

/** The same sandbox, whose every response except from logs arrives in a later turn. */
export function sandboxRespondingLater(sandbox: Sandbox): Sandbox {
  return {
    name: sandbox.name,
    caller: () => sandbox.caller(),
    now: () => later(() => sandbox.now()),
    read: (space, key) => later(() => sandbox.read(space, key)),
    entries: (space) => later(() => sandbox.entries(space)),
    update: (space, key, change) => later(() => sandbox.update(space, key, change)),
    transact: (change) => later(() => sandbox.transact(change)),
    log: (space, key) => sandbox.log(space, key),
    status: () => later(() => sandbox.status()),
    setClockOffset: (offsetMs) => later(() => sandbox.setClockOffset(offsetMs)),
    reset: (kept) => later(() => sandbox.reset(kept)),
  };
}

async function later<Value>(act: () => Value | Promise<Value>): Promise<Value> {
  await new Promise((resolve) => setImmediate(resolve));
  return act();
}
