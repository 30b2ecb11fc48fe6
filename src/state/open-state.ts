/** Opens the state of a service: in this process, perhaps with a file, or in a server that processes share. */

import type { Logger } from 'pino';
import type { Clock } from '#base/awaitable.js';
import type { Config } from '#config/settings.js';
import { openFileState } from './file/file-state.js';
import { createMemoryState } from './memory/memory-state.js';
import { defaultSandboxLimits, type State } from './state.js';

export type StateSettings = Pick<
  Config,
  | 'stateUrl'
  | 'statePrefix'
  | 'stateFile'
  | 'captureBytes'
  | 'maxSandboxes'
  | 'sandboxIdleSeconds'
  | 'sandboxBytes'
>;

interface OpenOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal?: AbortSignal;
}

/** Resolves once the state can be read and written, however long its server needs to start. */
export async function openState(
  settings: StateSettings,
  { clock, log, signal = new AbortController().signal }: OpenOptions,
): Promise<State> {
  const { stateUrl: address, statePrefix: prefix, captureBytes: maxLogBytes } = settings;
  const limits = {
    ...defaultSandboxLimits,
    maxSandboxes: settings.maxSandboxes,
    idleMs: settings.sandboxIdleSeconds * 1000,
    maxBytes: settings.sandboxBytes,
  };
  const { stateFile: path } = settings;
  if (path !== undefined) return openFileState({ path, log, clock, maxLogBytes, limits }, signal);
  if (address === undefined) return createMemoryState({ clock, maxLogBytes, limits });
  // A service of one process saves the time and memory of the client.
  const { openRedisState } = await import('./redis/redis-state.js');
  return openRedisState({ address, prefix, clock, log, maxLogBytes, limits }, signal);
}
