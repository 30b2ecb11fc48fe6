/** The state in memory: every operation is synchronous, and so atomic. */

import type { Clock } from '#base/awaitable.js';
import { defaultSandboxLimits, type SandboxLimits, type State } from '../state.js';
import { Wakes } from '../wakes.js';
import { type CopiedSandbox, MemoryChanges } from './memory-changes.js';
import type { Entries } from './memory-entries.js';
import { LogStore } from './memory-log.js';
import { MemoryRestorer } from './memory-restorer.js';
import { MemorySandbox, type MemoryStore } from './memory-sandbox.js';
import { MemorySandboxes } from './memory-sandboxes.js';

export interface MemoryStateOptions {
  readonly clock: Clock;
  readonly maxLogBytes?: number;
  readonly limits?: SandboxLimits;
}

/** A state that can be copied and restored. */
export interface MemoryState extends State {
  /** Sets a function that is called before each change, and once a minute while sandboxes are used. */
  onChange(call: () => void): void;
  /** Copies all sandboxes of this moment, while they change. A later call ends it. */
  copy(): Generator<CopiedSandbox>;
  isFindable(spaceName: string): boolean;
  /** Fills the state, which must be empty. */
  restorer(): MemoryRestorer;
}

export function createMemoryState({
  clock,
  maxLogBytes = Number.POSITIVE_INFINITY,
  limits = defaultSandboxLimits,
}: MemoryStateOptions): MemoryState {
  const holders: MemoryStore['holders'] = new Map();
  const changes = new MemoryChanges();
  const sandboxes = new MemorySandboxes(clock, limits, {
    beforeChange: (contents) => changes.before(contents),
    onUse: () => changes.onChange(),
    onDrop: forget,
  });
  const logs = new LogStore(maxLogBytes, (owner) => changes.before(owner));
  const wakes = new Wakes();
  const store: MemoryStore = { clock, changes, sandboxes, logs, wakes, holders };

  /** Wakes callers that wait for logs of a dropped space, and removes its keys from the index. */
  function forget(spaceName: string, entries: Entries): void {
    const holding = holders.get(spaceName);
    for (const [key, entry] of entries) {
      entry.log?.clear();
      holding?.delete(key);
    }
  }

  return {
    limits,
    sandbox: (name, caller) => new MemorySandbox(name, store, caller),
    resetOwned: (owner) => sandboxes.dropOwned(owner),
    sandboxHolding(space, key) {
      const name = holders.get(space.name)?.get(key);
      return name === undefined ? undefined : new MemorySandbox(name, store);
    },
    sizes: () => ({ ...sandboxes.sizes(), ...logs.sizes() }),
    isReady: () => true,
    close() {
      sandboxes.dropAll();
      wakes.close();
    },
    onChange(call) {
      changes.onChange = call;
    },
    copy: () => changes.copyAll(sandboxes.all()),
    isFindable: (spaceName) => holders.has(spaceName),
    restorer: () => new MemoryRestorer(store),
  };
}
