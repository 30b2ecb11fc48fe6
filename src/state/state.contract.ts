/** What every implementation of the state must do; each has a test file that calls this. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Clock, Sandbox, Space, State } from './state.js';

export function describeState(
  name: string,
  createState: (clock: Clock) => State | Promise<State>,
): void {
  /** A fresh state with a clock that the test moves. */
  async function setUp() {
    const time = { nowMs: 1_000_000 };
    const state = await createState(() => time.nowMs);
    return { time, state, sandbox: state.sandbox('') };
  }

  const counters: Space<number> = { name: 'counters', maxKeys: 3 };
  const count = (sandbox: Sandbox, key: string, expiresAtMs?: number, space = counters) =>
    sandbox.update(space, key, (current = 0) => ({
      value: current + 1,
      result: current + 1,
      ...(expiresAtMs !== undefined && { expiresAtMs }),
    }));

  describe(`the state in ${name}`, () => {
    test('has nothing under a key that was never written', async () => {
      const { sandbox } = await setUp();
      expect(await sandbox.read(counters, 'a')).toBeUndefined();
      expect(await sandbox.entries(counters)).toEqual([]);
    });

    test('keeps what an update makes and answers with its result', async () => {
      const { sandbox } = await setUp();
      expect(await count(sandbox, 'a')).toBe(1);
      expect(await count(sandbox, 'a')).toBe(2);
      expect(await sandbox.read(counters, 'a')).toBe(2);
    });

    test('takes keys that name members of every object', async () => {
      const { sandbox } = await setUp();
      expect(await sandbox.read(counters, '__proto__')).toBeUndefined();
      expect(await count(sandbox, '__proto__')).toBe(1);
      expect(await sandbox.read(counters, 'constructor')).toBeUndefined();
    });

    test('deletes a key when an update makes nothing of it', async () => {
      const { sandbox } = await setUp();
      await count(sandbox, 'a');
      await sandbox.update(counters, 'a', () => ({ value: undefined, result: null }));
      expect(await sandbox.read(counters, 'a')).toBeUndefined();
      expect(await sandbox.entries(counters)).toEqual([]);
    });

    test('changes nothing when an update throws, and passes the error on', async () => {
      const { sandbox } = await setUp();
      await count(sandbox, 'a');
      const failing = async () =>
        sandbox.update(counters, 'a', () => {
          throw new Error('no');
        });
      await expect(failing()).rejects.toThrow('no');
      expect(await sandbox.read(counters, 'a')).toBe(1);
    });

    test('of simultaneous updates each sees the outcome of the one before', async () => {
      const { sandbox } = await setUp();
      const results = await Promise.all(Array.from({ length: 50 }, () => count(sandbox, 'a')));
      expect(results.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    });

    test('keeps spaces and sandboxes apart', async () => {
      const { state, sandbox } = await setUp();
      const other = state.sandbox('other');
      await count(sandbox, 'a');
      expect(await other.read(counters, 'a')).toBeUndefined();
      expect(await sandbox.read({ name: 'others', maxKeys: 3 }, 'a')).toBeUndefined();
      expect(await count(other, 'a')).toBe(1);
    });

    test('forgets a value from its expiry on, not before', async () => {
      const { time, sandbox } = await setUp();
      await count(sandbox, 'a', time.nowMs + 1000);
      time.nowMs += 999;
      expect(await sandbox.read(counters, 'a')).toBe(1);
      time.nowMs += 1;
      expect(await sandbox.read(counters, 'a')).toBeUndefined();
      expect(await sandbox.entries(counters)).toEqual([]);
      expect(await count(sandbox, 'a', time.nowMs + 1000)).toBe(1);
    });

    test('passes the time to updates and tells it', async () => {
      const { time, sandbox } = await setUp();
      time.nowMs = 1234;
      expect(await sandbox.now()).toBe(1234);
      expect(await sandbox.update(counters, 'a', (_, nowMs) => ({ value: 1, result: nowMs }))).toBe(
        1234,
      );
    });

    test('lists entries in order of creation, which updates do not change', async () => {
      const { sandbox } = await setUp();
      for (const key of ['b', 'a', 'b', 'c']) await count(sandbox, key);
      expect(await sandbox.entries(counters)).toEqual([
        ['b', 2],
        ['a', 1],
        ['c', 1],
      ]);
    });

    test('evicts the key created first when one more than the most is created', async () => {
      const { sandbox } = await setUp();
      for (const key of ['a', 'b', 'c', 'a', 'd']) await count(sandbox, key);
      expect((await sandbox.entries(counters)).map(([key]) => key)).toEqual(['b', 'c', 'd']);
    });

    test('drops an expired key that was created first before it evicts a live one', async () => {
      const { time, sandbox } = await setUp();
      await count(sandbox, 'a', time.nowMs + 1);
      await count(sandbox, 'b');
      await count(sandbox, 'c');
      time.nowMs += 1;
      await count(sandbox, 'd');
      expect((await sandbox.entries(counters)).map(([key]) => key)).toEqual(['b', 'c', 'd']);
    });

    test('is ready while it is open', async () => {
      const { state } = await setUp();
      expect(await state.isReady()).toBe(true);
      await state.close();
    });

    test('agrees with a plain model on random histories', async () => {
      const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
      const step = fc.oneof(
        fc.record({ kind: fc.constant('count' as const), key, ttlMs: fc.nat(20) }),
        fc.record({ kind: fc.constant('delete' as const), key }),
        fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(15) }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
          const { time, sandbox } = await setUp();
          // As many keys as the steps name: which keys an eviction takes has tests of its own.
          const space = { ...counters, maxKeys: 5 };
          let model: { key: string; count: number; expiresAtMs: number }[] = [];
          for (const each of steps) {
            if (each.kind === 'wait') time.nowMs += each.ms;
            model = model.filter((entry) => time.nowMs < entry.expiresAtMs);
            if (each.kind === 'count') {
              const expiresAtMs = time.nowMs + each.ttlMs;
              const existing = model.find((entry) => entry.key === each.key);
              if (existing) Object.assign(existing, { count: existing.count + 1, expiresAtMs });
              else model.push({ key: each.key, count: 1, expiresAtMs });
              await count(sandbox, each.key, expiresAtMs, space);
            } else if (each.kind === 'delete') {
              model = model.filter((entry) => entry.key !== each.key);
              await sandbox.update(space, each.key, () => ({ value: undefined, result: null }));
            }
            const live = model.filter((entry) => time.nowMs < entry.expiresAtMs);
            expect(await sandbox.entries(space)).toEqual(
              live.map((entry) => [entry.key, entry.count]),
            );
          }
        }),
        { numRuns: 200 },
      );
    });
  });
}
