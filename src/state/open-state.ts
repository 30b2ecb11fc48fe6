/** Where the state of a service is: in this process, or in a server that several processes share. */

import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import { createMemoryState } from './memory-state.js';
import { type Clock, defaultSandboxLimits, type State } from './state.js';

interface OpenOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal?: AbortSignal;
}

/** Resolves once the state can be read and written, however long a server takes to be there. */
export async function openState(
  config: Config,
  { clock, log, signal = new AbortController().signal }: OpenOptions,
): Promise<State> {
  const bounds = {
    maxLogBytes: config.captureBytes,
    limits: {
      ...defaultSandboxLimits,
      maxSandboxes: config.maxSandboxes,
      idleMs: config.sandboxIdleSeconds * 1000,
      maxBytes: config.sandboxBytes,
    },
  };
  if (config.stateUrl === undefined) return createMemoryState({ clock, ...bounds });
  // The client takes time and memory, which a service of one process does not spend.
  const { openRedisState } = await import('./redis-state.js');
  const place = { address: config.stateUrl, prefix: config.statePrefix };
  return openRedisState({ ...place, clock, log, ...bounds }, signal);
}
