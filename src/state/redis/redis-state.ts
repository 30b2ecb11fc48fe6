/**
 * The state in a Redis or Valkey server, a cluster, or behind sentinels, shared by any number of
 * processes.
 */

import type { Logger } from 'pino';
import type { Clock } from '#base/awaitable.js';
import type { RedisAddress } from '#config/redis-address.js';
import { defaultSandboxLimits, type SandboxLimits, type State } from '../state.js';
import { Wakes } from '../wakes.js';
import { RedisConnection } from './redis-connection.js';
import { RedisSandbox } from './redis-sandbox.js';
import { RedisStore } from './redis-store.js';
import { Transactions } from './transactions.js';

export interface RedisStateOptions {
  readonly address: RedisAddress;
  readonly prefix: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly maxLogBytes?: number;
  readonly limits?: SandboxLimits;
}

/** Resolves once the server responds, whatever the delay; rejects if `signal` is aborted. */
export async function openRedisState(
  {
    address,
    prefix,
    clock,
    log,
    maxLogBytes = Number.MAX_SAFE_INTEGER,
    limits = defaultSandboxLimits,
  }: RedisStateOptions,
  signal: AbortSignal,
): Promise<State> {
  const wakes = new Wakes();
  const channel = `${prefix}wake`;
  const connection = new RedisConnection({
    address,
    prefix,
    log,
    channel,
    onMessage: (message) => {
      for (const changed of JSON.parse(message) as string[]) wakes.wake(changed);
    },
    onReturn: () => wakes.wakeAll(),
  });
  const store = new RedisStore({
    ...{ connection, wakes, prefix, channel, clock, log, limits, maxLogBytes },
  });
  const shared = { store, transactions: new Transactions(store) };
  await connection.open(signal);
  return {
    limits,
    sandbox: (name, caller, moment) => new RedisSandbox(name, shared, caller, moment),
    resetOwned: (owner) => store.registry.forgetOwned(owner),
    sandboxHolding(space, key) {
      const known = store.knownHolder(space, key);
      if (known !== undefined) return new RedisSandbox(known, shared);
      return store
        .findHolder(space, key)
        .then((name) => (name === null ? undefined : new RedisSandbox(name, shared)));
    },
    sizes: () => store.registry.sizes(),
    isReady: () => connection.isReady(),
    async close() {
      wakes.close();
      await store.registry.reportCounts().catch(() => {});
      await connection.close();
    },
  };
}
