/**
 * Requirements for transactions of every implementation of the state; each has a test file that
 * calls this.
 */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/base/awaitable.js';
import { Dataset, maxCreatedRows } from '../../../src/state/rows/dataset.js';
import { WritableTable } from '../../../src/state/rows/table.js';
import {
  CapacityError,
  defaultSandboxLimits,
  type Sandbox,
  type SandboxLimits,
  type Space,
  type State,
  type Transaction,
} from '../../../src/state/state.js';
import { caseCount } from '../../support/case-count.js';
import { tableOf } from '../../support/table-of.js';

type CreateState = (options: {
  readonly clock: Clock;
  readonly limits: SandboxLimits;
}) => State | Promise<State>;

const accounts: Space<number> = { name: 'accounts', maxKeys: 5 };
const kept: Space<number> = { name: 'kept', maxKeys: 3, isKeptWhenFull: true };
const texts: Space<string> = { name: 'texts', maxKeys: 10_000, isKeptWhenFull: true };

interface Note {
  readonly id: number;
  readonly text: string;
}

const notes = new Dataset<Note>({ name: 'notes', rows: Object.freeze([{ id: 1, text: 'one' }]) });

export function describeTransactions(name: string, createState: CreateState): void {
  async function setUp(limits: Partial<SandboxLimits> = {}) {
    const time = { nowMs: 1_000_000 };
    const state = await createState({
      clock: () => time.nowMs,
      limits: { ...defaultSandboxLimits, ...limits },
    });
    return { time, state, sandbox: state.sandbox('mine') };
  }

  const put = async (sandbox: Sandbox, entries: Record<string, number>, space = accounts) =>
    sandbox.transact((view) => {
      for (const [key, value] of Object.entries(entries)) view.write(space, key, value);
    });
  const all = async (sandbox: Sandbox, space: Space<number> = accounts) =>
    Object.fromEntries(await sandbox.entries(space));

  describe(`a transaction of the state in ${name}`, () => {
    test('sees and writes several keys of several spaces, and returns a result', async () => {
      const { sandbox } = await setUp();
      await put(sandbox, { a: 10, b: 1 });
      const moved = await sandbox.transact((view) => {
        const amount = view.read(accounts, 'a') ?? 0;
        view.write(accounts, 'a', undefined);
        view.write(accounts, 'b', (view.read(accounts, 'b') ?? 0) + amount);
        view.write(texts, 'last', `moved ${amount}`);
        return amount;
      });
      expect(moved).toBe(10);
      expect(await all(sandbox)).toEqual({ b: 11 });
      expect(await sandbox.read(texts, 'last')).toBe('moved 10');
    });

    test('sees its own writes, in order of creation', async () => {
      const { sandbox } = await setUp();
      await put(sandbox, { a: 1, b: 2, c: 3 });
      const seen = await sandbox.transact((view) => {
        view.write(accounts, 'a', undefined);
        view.write(accounts, 'b', 20);
        view.write(accounts, 'd', 4);
        view.write(accounts, 'a', 10);
        return [view.read(accounts, 'a'), view.entries(accounts)];
      });
      const expected = [
        ['b', 20],
        ['c', 3],
        ['d', 4],
        ['a', 10],
      ];
      expect(seen).toEqual([10, expected]);
      expect(await sandbox.entries(accounts)).toEqual(expected);
    });

    test('changes nothing when it throws, and passes on the error', async () => {
      const { sandbox } = await setUp();
      await put(sandbox, { a: 1 });
      const failing = async () =>
        sandbox.transact((view) => {
          view.write(accounts, 'a', 2);
          view.write(texts, 'a', 'text');
          throw new Error('no');
        });
      await expect(failing()).rejects.toThrow('no');
      expect(await all(sandbox)).toEqual({ a: 1 });
      expect(await sandbox.entries(texts)).toEqual([]);
    });

    test('that writes nothing stores nothing', async () => {
      const { sandbox } = await setUp();
      await sandbox.transact((view) => {
        view.write(accounts, 'a', 1);
        view.write(accounts, 'a', undefined);
        return view.entries(accounts);
      });
      expect(await sandbox.status()).toBeUndefined();
    });

    test('uses the time of the sandbox, and lets keys expire', async () => {
      const { time, sandbox } = await setUp();
      await sandbox.setClockOffset(500);
      await sandbox.transact((view) => {
        view.write(accounts, 'a', view.nowMs, { expiresAtMs: view.nowMs + 10 });
        view.write(accounts, 'b', 1, { expiresAtMs: view.nowMs });
      });
      expect(await all(sandbox)).toEqual({ a: time.nowMs + 500 });
      time.nowMs += 10;
      expect(await sandbox.transact((view) => view.entries(accounts))).toEqual([]);
      await put(sandbox, { a: 1 });
      expect(await all(sandbox)).toEqual({ a: 1 });
    });

    test('sees the results of earlier ones and of updates, when many run concurrently', async () => {
      const { sandbox } = await setUp();
      await put(sandbox, { a: 100, b: 0 });
      const move = () =>
        sandbox.transact((view) => {
          const left = view.read(accounts, 'a') ?? 0;
          view.write(accounts, 'a', left - 1);
          view.write(accounts, 'b', (view.read(accounts, 'b') ?? 0) + 1);
          return left;
        });
      const add = () =>
        sandbox.update(accounts, 'c', (value = 0) => ({ value: value + 1, result: value }));
      const done = await Promise.all(
        Array.from({ length: 150 }, (_, i) => (i % 3 ? move() : add())),
      );
      expect(new Set(done.filter((_, i) => i % 3)).size).toBe(100);
      expect(await all(sandbox)).toEqual({ a: 0, b: 100, c: 50 });
    });

    test('evicts the oldest keys from a full space', async () => {
      const { sandbox } = await setUp();
      await put(sandbox, { a: 1, b: 2, c: 3, d: 4 });
      await put(sandbox, { a: 5, e: 6, f: 7 });
      expect(await all(sandbox)).toEqual({ b: 2, c: 3, d: 4, e: 6, f: 7 });
      await put(sandbox, { g: 1, h: 2, i: 3, j: 4, k: 5, l: 6 });
      expect(await all(sandbox)).toEqual({ h: 2, i: 3, j: 4, k: 5, l: 6 });
      expect(await sandbox.transact((view) => view.entries(accounts).length)).toBe(5);
    });

    test('gets an error for a key beyond the limit of a space with permanent keys, and may continue without', async () => {
      const { time, sandbox } = await setUp();
      await put(sandbox, { a: 1, b: 2 }, kept);
      await expect(put(sandbox, { c: 3, d: 4 }, kept)).rejects.toThrow(CapacityError);
      expect(await all(sandbox, kept)).toEqual({ a: 1, b: 2 });
      const rejected = await sandbox.transact((view) =>
        ['c', 'd', 'e'].filter((key) => {
          try {
            view.write(kept, key, 1, { expiresAtMs: view.nowMs + 10 });
            return false;
          } catch {
            return true;
          }
        }),
      );
      expect(rejected).toEqual(['d', 'e']);
      await sandbox.transact((view) => {
        view.write(kept, 'a', undefined);
        view.write(kept, 'd', 4);
      });
      expect(await all(sandbox, kept)).toEqual({ b: 2, c: 1, d: 4 });
      time.nowMs += 10;
      await put(sandbox, { e: 5 }, kept);
      expect(await all(sandbox, kept)).toEqual({ b: 2, d: 4, e: 5 });
    });

    test('gets an error beyond the limit of a sandbox, and others beside it do not', async () => {
      const { sandbox } = await setUp({ maxBytesPerOwner: 500_000 });
      const write = async (key: string, bytes: number) =>
        sandbox.transact((view) => {
          view.write(accounts, key, bytes);
          view.write(texts, key, 'x'.repeat(bytes));
        });
      const ends = await Promise.allSettled([write('a', 1000), write('b', 600_000), write('c', 1)]);
      expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await all(sandbox)).toEqual({ a: 1000, c: 1 });
    });

    test('replaces thousands of values, 5 MiB, as one step', async () => {
      const { sandbox } = await setUp();
      const replace = async (round: number) =>
        sandbox.transact((view) => {
          for (const [key] of view.entries(texts)) view.write(texts, key, undefined);
          for (let place = 0; place < 4000; place++) {
            view.write(texts, `${round}-${place}`, 'x'.repeat(1300));
          }
        });
      await replace(1);
      await replace(2);
      const entries = await sandbox.entries(texts);
      expect(entries).toHaveLength(4000);
      expect(entries[3999]?.[0]).toBe('2-3999');
    });

    test('is repeated when others write in between, over a list as well', async () => {
      const { state, sandbox } = await setUp();
      const other = state.sandbox('mine');
      await put(sandbox, { a: 1 });
      const sums = await Promise.all(
        Array.from({ length: 20 }, (_, place) =>
          (place % 2 ? sandbox : other).transact((view) => {
            const sum = view.entries(accounts).reduce((total, [, value]) => total + value, 0);
            view.write(accounts, String(place % 4), sum);
            return sum;
          }),
        ),
      );
      expect(new Set(sums).size).toBeGreaterThan(10);
    });

    test('is unusable after its function has returned', async () => {
      const { sandbox } = await setUp();
      const late: Transaction[] = [];
      await sandbox.transact((view) => {
        late.push(view);
      });
      expect(() => late[0]?.write(accounts, 'a', 1)).toThrow('must not wait');
    });

    test('changes rows of collections, all or none', async () => {
      const { sandbox } = await setUp();
      const all = tableOf(sandbox, notes);
      const done = await sandbox.transact((view) => {
        const rows = new WritableTable(view, notes);
        const made = rows.create((id) => ({ id, text: 'two' }));
        rows.update(1, (row) => ({ ...row, text: 'ONE' }));
        rows.update(made.id, (row) => ({ ...row, text: 'TWO' }));
        rows.create((id) => ({ id, text: 'three' }));
        return [rows.remove(1), rows.get(1), rows.list()];
      });
      const expected = [
        { id: 2, text: 'TWO' },
        { id: 3, text: 'three' },
      ];
      expect(done).toEqual([true, undefined, expected]);
      expect(await all.list()).toEqual(expected);
      const failing = async () =>
        sandbox.transact((view) => {
          const rows = new WritableTable(view, notes);
          rows.create((id) => ({ id, text: 'four' }));
          rows.remove(2);
          if (rows.remove(99) === false) throw new Error('There is no 99.');
        });
      await expect(failing()).rejects.toThrow('99');
      expect(await all.list()).toEqual(expected);
    });

    test('creates rows up to the limit, and uses no id for a rejected row', async () => {
      const { sandbox } = await setUp();
      const created = await sandbox.transact((view) => {
        const rows = new WritableTable(view, notes);
        for (let place = 1; place < maxCreatedRows; place++)
          rows.create((id) => ({ id, text: '' }));
        return view.entries({ name: 'collection-created:notes', maxKeys: 0 }).length;
      });
      expect(created).toBe(maxCreatedRows - 1);
      const all = tableOf(sandbox, notes);
      const ends = await Promise.allSettled(
        Array.from({ length: 5 }, async () => all.create((id) => ({ id, text: '' }))),
      );
      expect(ends.map(({ status }) => status)).toEqual(['fulfilled', ...Array(4).fill('rejected')]);
      expect((await all.list()).length).toBe(1 + maxCreatedRows);
      await all.remove(2);
      expect((await all.create((id) => ({ id, text: '' }))).id).toBe(maxCreatedRows + 2);
    });

    test('agrees with a plain model on random histories', async () => {
      const key = fc.constantFrom('a', 'b', 'c');
      const write = fc.record({ key, value: fc.option(fc.nat(3)), ttlMs: fc.option(fc.nat(10)) });
      const step = fc.record({
        writes: fc.array(write, { maxLength: 5 }),
        isFailing: fc.boolean(),
        waitMs: fc.nat(5),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
          const { time, sandbox } = await setUp();
          let model = new Map<string, { value: number; expiresAtMs: number }>();
          for (const { writes, isFailing, waitMs } of steps) {
            time.nowMs += waitMs;
            const live = [...model].filter(([, { expiresAtMs }]) => time.nowMs < expiresAtMs);
            model = new Map(live);
            const next = new Map(model);
            for (const { key, value, ttlMs } of writes) {
              const expiresAtMs = ttlMs === null ? Number.POSITIVE_INFINITY : time.nowMs + ttlMs;
              if (value === null || ttlMs === 0) next.delete(key);
              else next.set(key, { value, expiresAtMs });
            }
            const run = async () =>
              sandbox.transact((view) => {
                for (const { key, value, ttlMs } of writes) {
                  const options = ttlMs === null ? {} : { expiresAtMs: view.nowMs + ttlMs };
                  view.write(accounts, key, value ?? undefined, options);
                }
                if (isFailing) throw new Error('failed');
                return view.entries(accounts);
              });
            const entries = (isFailing ? [...model] : [...next]).map(([each, { value }]) => [
              each,
              value,
            ]);
            if (isFailing) await expect(run()).rejects.toThrow('failed');
            else expect(await run()).toEqual(entries);
            expect(await sandbox.entries(accounts)).toEqual(entries);
            if (!isFailing) model = next;
          }
        }),
        { numRuns: caseCount(60, 5_000) },
      );
    });
  });
}
