/** The state in this process's memory: every operation is synchronous, which makes it atomic. */

import type { Clock } from '../../base/awaitable.js';
import { defaultSandboxLimits, type SandboxLimits, type State } from '../state.js';
import { Wakes } from '../wakes.js';
import type { Entries } from './memory-entries.js';
import { LogStore } from './memory-log.js';
import { MemorySandbox, type MemoryStore } from './memory-sandbox.js';
import { type Contents, MemorySandboxes } from './memory-sandboxes.js';

export interface MemoryStateOptions {
  readonly clock: Clock;
  /** What all logs hold together. */
  readonly maxLogBytes?: number;
  readonly limits?: SandboxLimits;
}

export function createMemoryState({
  clock,
  maxLogBytes = Number.POSITIVE_INFINITY,
  limits = defaultSandboxLimits,
}: MemoryStateOptions): State {
  const holders: MemoryStore['holders'] = new Map();
  const sandboxes = new MemorySandboxes<Entries>(clock, limits, forget);
  const logs = new LogStore(maxLogBytes);
  const wakes = new Wakes();
  const store: MemoryStore = { clock, sandboxes, logs, wakes, holders };

  /** What a dropped sandbox had: its logs let go of who waits, its keys are not found any more. */
  function forget({ spaces }: Contents<Entries>): void {
    for (const [spaceName, entries] of spaces) {
      const holding = holders.get(spaceName);
      for (const [key, entry] of entries) {
        entry.log?.clear();
        holding?.delete(key);
      }
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
