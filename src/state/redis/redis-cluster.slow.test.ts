/**
 * Tests the state in a cluster of three nodes: it works as with one server, and survives the loss
 * of a node.
 */

import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { describeLog } from '../../../test/state/contracts/describe-log.js';
import { describeState } from '../../../test/state/contracts/describe-state.js';
import { describeTransactions } from '../../../test/state/contracts/describe-transactions.js';
import { testsWith } from '../../../test/support/foreign-program.js';
import { newPrefix } from '../../../test/support/redis.js';
import { ask, type RedisCluster, startRedisCluster } from '../../../test/support/redis-cluster.js';
import type { LogSpace, Space, State } from '../state.js';
import { openRedisState, type RedisStateOptions } from './redis-state.js';

const counters: Space<number> = { name: 'counters', maxKeys: 100 };
const notes: LogSpace<string, number> = {
  name: 'notes',
  maxKeys: 3,
  maxEntries: 50,
  isFindable: true,
};

testsWith('redis').describe('a cluster', () => {
  let cluster: RedisCluster;
  const opened: State[] = [];

  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((state) => state.close()));
  });
  afterAll(() => cluster?.close());

  async function open(options: Partial<RedisStateOptions> & Pick<RedisStateOptions, 'clock'>) {
    const { address } = cluster;
    const log = pino({ level: 'silent' });
    const { signal } = new AbortController();
    const state = await openRedisState({ address, prefix: newPrefix(), log, ...options }, signal);
    opened.push(state);
    return state;
  }

  describeState('a cluster', open);
  describeLog('a cluster', open);
  describeTransactions('a cluster', open);

  test('keeps each sandbox on one node, and sandboxes on all', async () => {
    const prefix = newPrefix();
    const state = await open({ clock: Date.now, prefix });
    const names = Array.from({ length: 30 }, (_, index) => `s${index}`);
    for (const name of names) {
      const sandbox = state.sandbox(name);
      await sandbox.update(counters, 'a', () => ({ value: 1, result: null }));
      await sandbox.update(notes, name, () => ({ value: '', result: null }));
      await sandbox.log(notes, name).append(1, Buffer.alloc(0));
    }
    const found = await Promise.all(
      cluster.nodes.map((node) => ask(node, ['KEYS', `${prefix}{s:*`]) as Promise<string[]>),
    );
    const sandboxesOf = found.map((keys) => new Set(keys.map((key) => /\{(.*)\}/.exec(key)?.[1])));
    expect(sandboxesOf.reduce((sum, { size }) => sum + size, 0)).toBe(names.length);
    for (const { size } of sandboxesOf) expect(size).toBeGreaterThan(0);
    for (const name of names) {
      expect((await state.sandboxHolding(notes, name))?.name).toBe(name);
    }
  });

  describe('whose slots move', () => {
    test('keeps working meanwhile', async () => {
      const prefix = newPrefix();
      const state = await open({ clock: Date.now, prefix });
      const sandbox = state.sandbox('moving');
      const count = () =>
        sandbox.update(counters, 'a', (now = 0) => ({ value: now + 1, result: now + 1 }));
      expect(await count()).toBe(1);
      const key = `${prefix}{s:moving}`;
      const { master } = await cluster.holdersOf(key);
      const other = cluster.nodes.find((node) => node !== master) ?? master;
      const slot = String(await ask(master, ['CLUSTER', 'KEYSLOT', key]));
      const [from, to] = await Promise.all(
        [master, other].map(async (node) => String(await ask(node, ['CLUSTER', 'MYID']))),
      );
      await ask(other, ['CLUSTER', 'SETSLOT', slot, 'IMPORTING', String(from)]);
      await ask(master, ['CLUSTER', 'SETSLOT', slot, 'MIGRATING', String(to)]);
      const keys = (await ask(master, ['CLUSTER', 'GETKEYSINSLOT', slot, '100'])) as string[];
      const target = ['127.0.0.1', String(other.port), '', '0', '5000', 'KEYS'];
      await ask(master, ['MIGRATE', ...target, ...keys]);
      expect(await count()).toBe(2);
      for (const node of [other, master]) {
        await ask(node, ['CLUSTER', 'SETSLOT', slot, 'NODE', String(to)]);
      }
      expect(await count()).toBe(3);
      expect(await sandbox.read(counters, 'a')).toBe(3);
    });
  });
});
