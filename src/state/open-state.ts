/** Where the state of a service is: in this process, or in a server that several processes share. */

import type { Logger } from 'pino';
import type { Clock } from '../base/awaitable.js';
import type { RedisAddress } from '../config/redis-address.js';
import { createMemoryState } from './memory/memory-state.js';
import { defaultSandboxLimits, type State } from './state.js';

/** The settings that are about the state. */
export interface StateSettings {
  /** Without one, the state is in this process. */
  readonly stateUrl: RedisAddress | undefined;
  readonly statePrefix: string;
  readonly captureBytes: number;
  readonly maxSandboxes: number;
  readonly sandboxIdleSeconds: number;
  readonly sandboxBytes: number;
}

interface OpenOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal?: AbortSignal;
}

/** Resolves once the state can be read and written, however long a server takes to be there. */
export async function openState(
  settings: StateSettings,
  { clock, log, signal = new AbortController().signal }: OpenOptions,
): Promise<State> {
  const limits = {
    maxLogBytes: settings.captureBytes,
    limits: {
      ...defaultSandboxLimits,
      maxSandboxes: settings.maxSandboxes,
      idleMs: settings.sandboxIdleSeconds * 1000,
      maxBytes: settings.sandboxBytes,
    },
  };
  if (settings.stateUrl === undefined) return createMemoryState({ clock, ...limits });
  // The client takes time and memory, which a service of one process does not spend.
  const { openRedisState } = await import('./redis/redis-state.js');
  const place = { address: settings.stateUrl, prefix: settings.statePrefix };
  return openRedisState({ ...place, clock, log, ...limits }, signal);
}
