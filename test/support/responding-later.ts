/** A state in memory that responds like a shared one: never at once. */

import type { Awaitable } from '../../src/base/awaitable.js';
import type { Log, Sandbox, State } from '../../src/state/state.js';

/** The same state, whose every response arrives in a later turn. */
export function respondingLater(state: State): State {
  return {
    ...state,
    sandbox: (name, caller) => sandboxRespondingLater(state.sandbox(name, caller)),
    resetOwned: (owner) => later(() => state.resetOwned(owner)),
    async sandboxHolding(space, key) {
      const sandbox = await later(() => state.sandboxHolding(space, key));
      return sandbox && sandboxRespondingLater(sandbox);
    },
    sizes: () => later(() => state.sizes()),
    isReady: () => later(() => state.isReady()),
  };
}

/** The same sandbox, whose every response arrives in a later turn. */
export function sandboxRespondingLater(sandbox: Sandbox): Sandbox {
  return {
    name: sandbox.name,
    caller: () => sandbox.caller(),
    now: () => later(() => sandbox.now()),
    read: (space, key) => later(() => sandbox.read(space, key)),
    entries: (space) => later(() => sandbox.entries(space)),
    update: (space, key, change) => later(() => sandbox.update(space, key, change)),
    transact: (change) => later(() => sandbox.transact(change)),
    log: (space, key) => logRespondingLater(sandbox.log(space, key)),
    status: () => later(() => sandbox.status()),
    setClockOffset: (offsetMs) => later(() => sandbox.setClockOffset(offsetMs)),
    reset: (kept) => later(() => sandbox.reset(kept)),
  };
}

function logRespondingLater<Item>(log: Log<Item>): Log<Item> {
  return {
    append: (item, bytes) => later(() => log.append(item, bytes)),
    status: () => later(() => log.status()),
    newest: (limit) => later(() => log.newest(limit)),
    after: (sequence, limit) => later(() => log.after(sequence, limit)),
    before: (sequence, limit) => later(() => log.before(sequence, limit)),
    clear: () => later(() => log.clear()),
    remove: (sequence) => later(() => log.remove(sequence)),
    waitPast: (sequence, signal) => later(() => log.waitPast(sequence, signal)),
  };
}

async function later<Value>(act: () => Awaitable<Value>): Promise<Value> {
  await new Promise((resolve) => setImmediate(resolve));
  return act();
}
