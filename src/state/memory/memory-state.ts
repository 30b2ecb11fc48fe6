/** The state in memory: every operation is synchronous, and so atomic. */

import type { Clock } from '#base/awaitable.js';
import { defaultSandboxLimits, type SandboxLimits, type State } from '../state.js';
import { Wakes } from '../wakes.js';
import type { Entries } from './memory-entries.js';
import { LogStore } from './memory-log.js';
import { MemorySandbox, type MemoryStore } from './memory-sandbox.js';
import { MemorySandboxes } from './memory-sandboxes.js';

export interface MemoryStateOptions {
  readonly clock: Clock;
  readonly maxLogBytes?: number;
  readonly limits?: SandboxLimits;
}

export function createMemoryState({
  clock,
  maxLogBytes = Number.POSITIVE_INFINITY,
  limits = defaultSandboxLimits,
}: MemoryStateOptions): State {
  const holders: MemoryStore['holders'] = new Map();
  const sandboxes = new MemorySandboxes(clock, limits, forget);
  const logs = new LogStore(maxLogBytes);
  const wakes = new Wakes();
  const store: MemoryStore = { clock, sandboxes, logs, wakes, holders };

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
  };
}
