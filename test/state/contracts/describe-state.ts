/** Requirements for every implementation of the state; each has a test file that calls this. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/base/awaitable.js';
import {
  CapacityError,
  classOwner,
  defaultSandboxLimits,
  type LogSpace,
  ownedSandboxName,
  type Sandbox,
  type SandboxLimits,
  type Space,
  type State,
  StateFullError,
  serviceSandboxName,
  stepBytes,
} from '../../../src/state/state.js';
import { caseCount } from '../../support/case-count.js';
import { nameHolding } from '../../support/name-holding.js';

export function describeState(
  name: string,
  createState: (options: {
    readonly clock: Clock;
    readonly limits: SandboxLimits;
  }) => State | Promise<State>,
): void {
  /** A fresh state with a clock that the test moves. */
  async function setUp(limits: Partial<SandboxLimits> = {}) {
    const time = { nowMs: 1_000_000 };
    const state = await createState({
      clock: () => time.nowMs,
      limits: { ...defaultSandboxLimits, ...limits },
    });
    return { time, state, sandbox: state.sandbox('') };
  }

  const counters: Space<number> = { name: 'counters', maxKeys: 3 };
  const count = (sandbox: Sandbox, key: string, expiresAtMs?: number, space = counters) =>
    sandbox.update(space, key, (current = 0) => ({
      value: current + 1,
      result: current + 1,
      ...(expiresAtMs !== undefined && { expiresAtMs }),
    }));

  const texts: Space<string> = { name: 'texts', maxKeys: 100 };
  /** Creates the key with a value of this many bytes. */
  const hold = async (sandbox: Sandbox, bytes: number, key = 'a') =>
    sandbox.update(texts, key, () => ({ value: 'x'.repeat(bytes), result: null }));
  const holds = async (sandbox: Sandbox, key = 'a') =>
    (await sandbox.read(texts, key))?.length ?? 0;

  const keys = async (sandbox: Sandbox) => (await sandbox.entries(counters)).map(([key]) => key);

  describe(`the state in ${name}`, () => {
    test('has nothing under a key that was never written', async () => {
      const { sandbox } = await setUp();
      expect(await sandbox.read(counters, 'a')).toBeUndefined();
      expect(await sandbox.entries(counters)).toEqual([]);
    });

    test('keeps the value of an update and returns its result', async () => {
      const { sandbox } = await setUp();
      expect(await count(sandbox, 'a')).toBe(1);
      expect(await count(sandbox, 'a')).toBe(2);
      expect(await sandbox.read(counters, 'a')).toBe(2);
    });

    test('accepts keys that name members of Object.prototype', async () => {
      const { sandbox } = await setUp();
      expect(await sandbox.read(counters, '__proto__')).toBeUndefined();
      expect(await count(sandbox, '__proto__')).toBe(1);
      expect(await sandbox.read(counters, 'constructor')).toBeUndefined();
    });

    test('deletes a key when an update returns no value', async () => {
      const { sandbox } = await setUp();
      await count(sandbox, 'a');
      await sandbox.update(counters, 'a', () => ({ value: undefined, result: null }));
      expect(await sandbox.read(counters, 'a')).toBeUndefined();
      expect(await sandbox.entries(counters)).toEqual([]);
    });

    test('changes nothing when an update throws, and passes on the error', async () => {
      const { sandbox } = await setUp();
      await count(sandbox, 'a');
      const failing = async () =>
        sandbox.update(counters, 'a', () => {
          throw new Error('no');
        });
      await expect(failing()).rejects.toThrow('no');
      expect(await sandbox.read(counters, 'a')).toBe(1);
    });

    test('of concurrent updates each sees the result of the previous one', async () => {
      const { sandbox } = await setUp();
      const results = await Promise.all(Array.from({ length: 50 }, () => count(sandbox, 'a')));
      expect(results.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    });

    test('keeps spaces and sandboxes separate', async () => {
      const { state, sandbox } = await setUp();
      const other = state.sandbox('other');
      await count(sandbox, 'a');
      expect(await other.read(counters, 'a')).toBeUndefined();
      expect(await sandbox.read({ name: 'others', maxKeys: 3 }, 'a')).toBeUndefined();
      expect(await count(other, 'a')).toBe(1);
    });

    test('drops a value at its expiry, not before', async () => {
      const { time, sandbox } = await setUp();
      await count(sandbox, 'a', time.nowMs + 1000);
      time.nowMs += 999;
      expect(await sandbox.read(counters, 'a')).toBe(1);
      time.nowMs += 1;
      expect(await sandbox.read(counters, 'a')).toBeUndefined();
      expect(await sandbox.entries(counters)).toEqual([]);
      expect(await count(sandbox, 'a', time.nowMs + 1000)).toBe(1);
    });

    test('passes the time to updates and returns it', async () => {
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

    test('evicts the oldest key when one more than the limit is created', async () => {
      const { sandbox } = await setUp();
      for (const key of ['a', 'b', 'c', 'a', 'd']) await count(sandbox, key);
      expect(await keys(sandbox)).toEqual(['b', 'c', 'd']);
    });

    test('drops an older expired key before it evicts a live one', async () => {
      const { time, sandbox } = await setUp();
      await count(sandbox, 'a', time.nowMs + 1);
      await count(sandbox, 'b');
      await count(sandbox, 'c');
      time.nowMs += 1;
      await count(sandbox, 'd');
      expect(await keys(sandbox)).toEqual(['b', 'c', 'd']);
    });

    test('rejects a key beyond the limit of a space with permanent keys', async () => {
      const { time, sandbox } = await setUp();
      const kept: Space<number> = { name: 'kept', maxKeys: 2, isKeptWhenFull: true };
      const add = async (key: string, expiresAtMs?: number) =>
        count(sandbox, key, expiresAtMs, kept);
      await add('a');
      await add('b', time.nowMs + 1);
      await expect(add('c')).rejects.toThrow(CapacityError);
      expect(await add('a')).toBe(2);
      time.nowMs += 1;
      expect(await add('c')).toBe(1);
      expect((await sandbox.entries(kept)).map(([key]) => key)).toEqual(['a', 'c']);
    });

    test('reports the number of sandboxes and their size', async () => {
      const { state, sandbox } = await setUp();
      expect(await state.sizes()).toMatchObject({ sandboxes: 0, valueBytes: 0 });
      await hold(sandbox, 10_000);
      await hold(state.sandbox('mine'), 50_000);
      const { sandboxes, valueBytes } = await state.sizes();
      expect(sandboxes).toBe(2);
      expect(valueBytes).toBeGreaterThanOrEqual(60_000);
      // Each may have been granted a step more than it holds, or two while it shrinks.
      const slack = 4 * stepBytes(state.limits, state.limits.maxBytes);
      expect(valueBytes).toBeLessThan(65_000 + slack);
      await hold(state.sandbox('mine'), 1000);
      const shrunk = valueBytes - (await state.sizes()).valueBytes;
      expect(Math.abs(shrunk - 49_000)).toBeLessThan(16 + slack);
      for (const name of ['', 'mine']) await state.sandbox(name).reset();
      expect(await state.sizes()).toMatchObject({ sandboxes: 0, valueBytes: 0 });
    });

    test.each<[string, (place: number) => readonly [key: string, value: string], number]>([
      ['long keys', (place) => [`${place}-${'k'.repeat(1000)}`, ''], 1000],
      ['many short keys', (place) => [String(place), ''], 100],
      ['long values', (place) => [String(place), 'v'.repeat(1000)], 1000],
      ['characters of two bytes', (place) => [String(place), 'ž'.repeat(500)], 1000],
    ])('counts %s', async (_what, entry, atLeast) => {
      const { state, sandbox } = await setUp();
      await hold(sandbox, 0, 'first');
      const before = (await state.sizes()).valueBytes;
      for (let place = 0; place < 50; place++) {
        const [key, value] = entry(place);
        await sandbox.update(texts, key, () => ({ value, result: null }));
      }
      const each = ((await state.sizes()).valueBytes - before) / 50;
      expect(each).toBeGreaterThanOrEqual(atLeast);
      // Redis stores a key in several places.
      expect(each).toBeLessThan(4 * atLeast + 500);
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
          // No more keys than the steps name: other tests check which keys an eviction drops.
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
        { numRuns: caseCount(200, 5_000) },
      );
    });
  });

  describe(`a sandbox of the state in ${name}`, () => {
    const minute = 60_000;

    test('does not exist until it is written to', async () => {
      const { state } = await setUp();
      const sandbox = state.sandbox('mine');
      await sandbox.read(counters, 'a');
      await sandbox.entries(counters);
      await sandbox.update(counters, 'a', () => ({ value: undefined, result: null }));
      expect(await sandbox.status()).toBeUndefined();
      await count(sandbox, 'a');
      expect(await sandbox.status()).toEqual({
        createdAtMs: 1_000_000,
        lastUsedAtMs: 1_000_000,
        clockOffsetMs: 0,
      });
    });

    test('knows when it was last used, the shared one too', async () => {
      const { time, state } = await setUp();
      for (const name of ['', 'mine']) {
        await count(state.sandbox(name), 'a');
        time.nowMs += 5;
        await state.sandbox(name).read(counters, 'a');
        time.nowMs += 5;
        expect(await state.sandbox(name).status()).toMatchObject({
          createdAtMs: time.nowMs - 10,
          lastUsedAtMs: time.nowMs,
        });
      }
    });

    test('loses everything when it is reset, and no other does', async () => {
      const { time, state } = await setUp();
      const [mine, other] = [state.sandbox('mine'), state.sandbox('other')];
      await count(mine, 'a');
      await count(other, 'a');
      await mine.setClockOffset(5000);
      await mine.reset();
      expect(await mine.status()).toBeUndefined();
      expect(await mine.read(counters, 'a')).toBeUndefined();
      expect(await mine.now()).toBe(time.nowMs);
      expect(await other.read(counters, 'a')).toBe(1);
    });

    test('has its own time, which expiry follows', async () => {
      const { time, state } = await setUp();
      const [mine, other] = [state.sandbox('mine'), state.sandbox('other')];
      await count(mine, 'a', time.nowMs + 1000);
      await count(other, 'a', time.nowMs + 1000);
      await mine.setClockOffset(1000);
      expect(await mine.now()).toBe(time.nowMs + 1000);
      expect(await mine.update(counters, 'b', (_, nowMs) => ({ value: 1, result: nowMs }))).toBe(
        time.nowMs + 1000,
      );
      expect(await mine.read(counters, 'a')).toBeUndefined();
      expect(await other.now()).toBe(time.nowMs);
      expect(await other.read(counters, 'a')).toBe(1);
      expect((await mine.status())?.clockOffsetMs).toBe(1000);
    });

    test('is dropped when it was not used for the time limit, by the real clock', async () => {
      const { time, state } = await setUp({ idleMs: 10 * minute });
      const [used, idle] = [state.sandbox('used'), state.sandbox('idle')];
      await count(used, 'a');
      await count(idle, 'a');
      await idle.setClockOffset(-100 * minute);
      time.nowMs += 9 * minute;
      expect(await used.read(counters, 'a')).toBe(1);
      time.nowMs += minute;
      expect(await idle.status()).toBeUndefined();
      expect(await idle.read(counters, 'a')).toBeUndefined();
      expect(await used.read(counters, 'a')).toBe(1);
      time.nowMs += 10 * minute;
      expect((await state.sizes()).sandboxes).toBe(0);
    });

    test('unused for longest is dropped when there are too many, but never a permanent one', async () => {
      const { time, state, sandbox: shared } = await setUp({ maxSandboxes: 2 });
      await count(shared, 'a');
      await count(state.sandbox(serviceSandboxName), 'a');
      for (const each of ['one', 'two']) await count(state.sandbox(each), 'a');
      time.nowMs += state.limits.idleMs / 8;
      await state.sandbox('one').read(counters, 'a');
      await count(state.sandbox('three'), 'a');
      expect(await state.sandbox('two').status()).toBeUndefined();
      for (const each of ['', serviceSandboxName, 'one', 'three']) {
        expect(await state.sandbox(each).read(counters, 'a')).toBe(1);
      }
    });

    test('with the most data is dropped when all together hold too much, not the one unused for longest', async () => {
      const { state } = await setUp({ maxBytes: 100_000 });
      await hold(state.sandbox('idle'), 5000);
      await hold(state.sandbox('large'), 50_000);
      await hold(state.sandbox('larger'), 35_000);
      await hold(state.sandbox('idle'), 1000);
      await hold(state.sandbox('new'), 20_000);
      expect(await state.sandbox('large').status()).toBeUndefined();
      expect(await holds(state.sandbox('idle'))).toBe(1000);
      expect(await holds(state.sandbox('larger'))).toBe(35_000);
      expect(await holds(state.sandbox('new'))).toBe(20_000);
    });

    test('that would be the largest gets no more room, loses nothing, and evicts nothing of others', async () => {
      const { state } = await setUp({ maxBytes: 100_000 });
      const names = ['one', 'two', 'three'];
      for (const each of names) await hold(state.sandbox(each), 25_000);
      await expect(hold(state.sandbox('one'), 60_000)).rejects.toThrow(StateFullError);
      await expect(hold(state.sandbox('new'), 60_000)).rejects.toThrow(StateFullError);
      for (const each of names) expect(await holds(state.sandbox(each))).toBe(25_000);
      expect(await state.sandbox('new').status()).toBeUndefined();
      // Freed room is available to others.
      await state.sandbox('two').reset();
      await hold(state.sandbox('one'), 50_000);
      expect(await holds(state.sandbox('three'))).toBe(25_000);
    });

    test('of the owner who holds most is dropped first, the oldest first, and small owners keep theirs', async () => {
      const { state } = await setUp({ maxBytes: 400_000, maxBytesPerOwner: 100_000 });
      const of = (owner: string, name = '') => state.sandbox(ownedSandboxName(owner, name));
      await hold(of('small'), 2000);
      await hold(state.sandbox('nobodys'), 2000);
      for (let owner = 0; owner < 10; owner++) {
        for (let each = 0; each < 6; each++) {
          await hold(of(`greedy${owner}`, `s${each}`), 20_000).catch((error) => {
            expect(error).toBeInstanceOf(StateFullError);
          });
          expect((await state.sizes()).valueBytes).toBeLessThanOrEqual(400_000);
        }
      }
      expect(await holds(of('small'))).toBe(2000);
      expect(await holds(state.sandbox('nobodys'))).toBe(2000);
      // The last caller has no less than the first.
      expect(await holds(of('greedy9', 's5'))).toBe(20_000);
    });

    test('keeps its guaranteed share, even when many hold as much as they can', async () => {
      const [maxBytes, maxSandboxes] = [500_000, 25];
      const { state } = await setUp({ maxBytes, maxSandboxes });
      const mine = state.sandbox(ownedSandboxName('me', ''));
      await hold(mine, maxBytes / maxSandboxes - 2000);
      for (let round = 0; round < 3; round++) {
        for (let owner = 0; owner < 40; owner++) {
          for (let key = 0; key < 4; key++) {
            const theirs = state.sandbox(ownedSandboxName(`o${owner}`, ''));
            await hold(theirs, 7000 + 3000 * round, `k${key}`).catch((error) => {
              expect(error).toBeInstanceOf(StateFullError);
            });
          }
        }
      }
      expect(await holds(mine)).toBe(maxBytes / maxSandboxes - 2000);
    });

    test('of the owner with the most is dropped when there are too many, and every owner keeps one', async () => {
      const { state } = await setUp({ maxSandboxes: 4, maxSandboxesPerOwner: 3 });
      const of = (owner: string, name = '') => state.sandbox(ownedSandboxName(owner, name));
      await count(of('single'), 'a');
      for (const each of ['1', '2', '3']) await count(of('many', each), 'a');
      await count(of('second'), 'a');
      expect(await of('many', '1').status()).toBeUndefined();
      await count(of('third'), 'a');
      expect(await of('many', '2').status()).toBeUndefined();
      await expect(async () => count(of('fourth'), 'a')).rejects.toThrow(StateFullError);
      await expect(async () => of('fifth').setClockOffset(1)).rejects.toThrow(StateFullError);
      for (const each of [of('single'), of('many', '3'), of('second'), of('third')]) {
        expect(await each.read(counters, 'a')).toBe(1);
      }
      // An owner that has a sandbox already replaces it by another.
      await count(of('third', 'other'), 'a');
      expect(await of('third').status()).toBeUndefined();
    });

    test('of an owner is dropped when the owner has too many, and no other is', async () => {
      const { time, state } = await setUp({ maxSandboxesPerOwner: 2 });
      const others = [state.sandbox('one'), state.sandbox(ownedSandboxName('other', ''))];
      const own = (name: string) => state.sandbox(ownedSandboxName('owner', name));
      for (const each of [...others, own(''), own('two')]) await count(each, 'a');
      time.nowMs += state.limits.idleMs / 8;
      await own('').read(counters, 'a');
      await count(own('three'), 'a');
      expect(await own('two').status()).toBeUndefined();
      for (const each of [...others, own(''), own('three')]) {
        expect(await each.read(counters, 'a')).toBe(1);
      }
    });

    test('of a class outlasts the idle time, and there may be more of them than of an account', async () => {
      const { time, state } = await setUp({ maxSandboxesPerOwner: 2 });
      const of = (pupil: number) => state.sandbox(ownedSandboxName(classOwner('a'), `${pupil}`));
      for (let pupil = 1; pupil <= 5; pupil++) await count(of(pupil), 'a');
      const other = state.sandbox('other');
      await count(other, 'a');
      time.nowMs += 10 * state.limits.idleMs;
      expect(await other.status()).toBeUndefined();
      // A new sandbox makes the state look for unused ones.
      await count(state.sandbox('new'), 'a');
      for (let pupil = 1; pupil <= 5; pupil++) expect(await of(pupil).read(counters, 'a')).toBe(1);
      time.nowMs += 32 * 24 * 60 * 60 * 1000;
      expect(await of(1).status()).toBeUndefined();
    });

    test("of an owner is dropped when the owner's sandboxes together hold too much", async () => {
      const { state } = await setUp({ maxBytesPerOwner: 100_000 });
      const own = (name: string) => state.sandbox(ownedSandboxName('owner', name));
      await hold(state.sandbox('another'), 90_000);
      await hold(own('one'), 60_000);
      await hold(own('two'), 25_000);
      await hold(own('two'), 70_000);
      expect(await own('one').status()).toBeUndefined();
      await hold(own('three'), 20_000);
      await hold(own('three'), 95_000);
      expect(await own('two').status()).toBeUndefined();
      expect(await holds(own('three'))).toBe(95_000);
      expect(await holds(state.sandbox('another'))).toBe(90_000);
    });

    describe('without an account belongs to the caller that creates it', () => {
      async function setUpCallers(limits: Partial<SandboxLimits>) {
        const { state, time } = await setUp(limits);
        const of = (caller: string) => (name: string) => state.sandbox(name, () => `#${caller}`);
        return { state, time, heavy: of('heavy'), small: of('small') };
      }

      test('so that the caller with the most makes room where there are too many', async () => {
        const { heavy, small } = await setUpCallers({ maxSandboxes: 12 });
        const kept = ['kept-1', 'kept-2', 'kept-3'];
        for (const name of kept) await count(small(name), 'a');
        const made = Array.from({ length: 30 }, (_, place) => `made-${place}`);
        for (const name of made) await count(heavy(name), 'a');
        for (const name of kept) expect(await small(name).read(counters, 'a')).toBe(1);
        const held = [];
        for (const name of made) if (await heavy(name).status()) held.push(name);
        expect(held).toEqual(made.slice(-9));
        await count(small('kept-4'), 'a');
        expect(await heavy('made-21').status()).toBeUndefined();
        expect(await heavy('made-22').read(counters, 'a')).toBe(1);
      });

      test('and that caller loses the least recently used one', async () => {
        const { state, time, heavy, small } = await setUpCallers({ maxSandboxes: 3 });
        for (const name of ['one', 'two', 'three']) await count(heavy(name), 'a');
        time.nowMs += state.limits.idleMs / 8;
        await small('one').read(counters, 'a');
        await count(small('new'), 'a');
        expect(await heavy('two').status()).toBeUndefined();
        for (const name of ['one', 'three', 'new']) {
          expect(await state.sandbox(name).read(counters, 'a')).toBe(1);
        }
      });

      test('and a single caller may have them all while no other needs any', async () => {
        const { heavy, state } = await setUpCallers({ maxSandboxes: 30, maxSandboxesPerOwner: 2 });
        const names = Array.from({ length: 30 }, (_, place) => `s${place}`);
        for (const name of names) await count(heavy(name), 'a');
        for (const name of names) expect(await state.sandbox(name).read(counters, 'a')).toBe(1);
      });

      test('so that many small ones of one caller make room before a larger one of another', async () => {
        const { heavy, small, state } = await setUpCallers({ maxBytes: 200_000 });
        await hold(small('mine'), 20_000);
        const made = Array.from({ length: 30 }, (_, place) => `made-${place}`);
        for (const [place, name] of made.entries()) {
          await hold(heavy(name), 10_000 - 100 * place).catch((error) => {
            expect(error).toBeInstanceOf(StateFullError);
          });
        }
        expect(await holds(small('mine'))).toBe(20_000);
        await hold(small('also-mine'), 15_000);
        expect(await holds(state.sandbox('also-mine'))).toBe(15_000);
        expect(await holds(small('mine'))).toBe(20_000);
      });

      test('and the largest makes room for smaller ones of its caller, and gets no more itself', async () => {
        const { heavy } = await setUpCallers({ maxBytes: 100_000 });
        await hold(heavy('small'), 20_000);
        await hold(heavy('large'), 50_000);
        await expect(hold(heavy('large'), 85_000)).rejects.toThrow(StateFullError);
        expect(await holds(heavy('small'))).toBe(20_000);
        await hold(heavy('new'), 40_000);
        expect(await heavy('large').status()).toBeUndefined();
        expect([await holds(heavy('small')), await holds(heavy('new'))]).toEqual([20_000, 40_000]);
      });

      test('until it is reset, whichever callers use it', async () => {
        const { heavy, small, state, time } = await setUpCallers({ maxSandboxes: 4 });
        for (const name of ['one', 'two', 'three']) await count(heavy(name), 'a');
        time.nowMs += state.limits.idleMs / 8;
        await count(small('one'), 'a');
        await count(small('four'), 'a');
        await count(state.sandbox('nobodys'), 'a');
        expect(await state.sandbox('two').status()).toBeUndefined();
        await small('one').reset();
        await count(small('one'), 'a');
        await count(state.sandbox('also-nobodys'), 'a');
        // The second caller has most now.
        expect(await state.sandbox('four').status()).toBeUndefined();
        expect(await state.sandbox('three').read(counters, 'a')).toBe(1);
      });

      test('and owns what is created through it', async () => {
        const { heavy, small, state } = await setUpCallers({});
        const owned = state.sandbox(ownedSandboxName('account', 'x'), () => '#heavy');
        const names = [heavy('x'), heavy('y'), small('x'), owned, state.sandbox('x')];
        const callers = names.map((each) => each.caller());
        expect(callers[0]).toBe(callers[1]);
        expect(new Set(callers).size).toBe(4);
        expect(owned.caller()).toBe(state.sandbox(ownedSandboxName('account', 'y')).caller());
      });
    });

    describe('of a class counts for the owner of the class', () => {
      async function setUpClass(limits: Partial<SandboxLimits>, owner = '#heavy') {
        const { state, time } = await setUp(limits);
        const inClass = (id: string, name: string) =>
          state.sandbox(ownedSandboxName(classOwner(id), name), () => owner);
        const pupil = (id: string) => (place: number) => inClass(id, `pupil-${place}`);
        const small = (name: string) => state.sandbox(name, () => '#small');
        return { state, time, board: (id: string) => inClass(id, 'board'), pupil, small };
      }

      const isThere = async (sandbox: Sandbox) => (await sandbox.status()) !== undefined;

      /** Returns which of some sandboxes exist. */
      async function present(sandboxes: readonly Sandbox[]): Promise<readonly string[]> {
        const found = [];
        for (const each of sandboxes) if (await isThere(each)) found.push(each.name);
        return found;
      }

      test('so that many classes evict nothing of an owner with less, and lose no board before a pupil', async () => {
        const { board, pupil, small, state } = await setUpClass({ maxSandboxes: 20 });
        const kept = Array.from({ length: 9 }, (_, place) => small(`kept-${place}`));
        for (const each of kept) await count(each, 'a');
        const ids = ['a', 'b', 'c', 'd'];
        for (const id of ids) {
          await count(board(id), 'a');
          for (let place = 1; place <= 6; place++) await count(pupil(id)(place), 'a');
        }
        expect(await present(kept)).toHaveLength(9);
        expect(await present(ids.map(board))).toHaveLength(4);
        expect((await state.sizes()).sandboxes).toBe(20);
        // Exactly at the share: both have ten then.
        await count(small('kept-9'), 'a');
        expect(await present(ids.map(board))).toHaveLength(4);
        await count(small('kept-10'), 'a');
        expect(await isThere(kept[0] as Sandbox)).toBe(false);
      });

      test('as the other sandboxes of that owner do, of which the larger group makes room', async () => {
        const { board, pupil, state } = await setUpClass({ maxSandboxes: 10 });
        const plain = (place: number) => state.sandbox(`plain-${place}`, () => '#heavy');
        await count(board('a'), 'a');
        for (let place = 1; place <= 3; place++) await count(pupil('a')(place), 'a');
        // Callers behind the address of the owner push out one another, but no pupil.
        for (let place = 1; place <= 20; place++) await count(plain(place), 'a');
        expect(await present([1, 2, 3].map(pupil('a')))).toHaveLength(3);
        expect(await isThere(plain(20))).toBe(true);
        // And pupils push out neither.
        for (let place = 4; place <= 20; place++) await count(pupil('a')(place), 'a');
        expect(
          await present(Array.from({ length: 20 }, (_, each) => plain(each + 1))),
        ).toHaveLength(4);
        expect(await isThere(board('a'))).toBe(true);
      });

      test.each(['#heavy', '@account'])(
        'by bytes, so that %s loses its largest pupil first, and no other owner loses anything',
        async (owner) => {
          const { board, pupil, small } = await setUpClass(
            { maxBytes: 200_000, maxBytesPerOwner: 200_000 },
            owner,
          );
          await hold(small('kept'), 50_000);
          await hold(board('a'), 30_000);
          await hold(pupil('a')(1), 5000);
          await hold(pupil('a')(2), 45_000);
          await hold(pupil('b')(3), 40_000);
          await hold(small('more'), 40_000);
          expect(await present([pupil('a')(2), pupil('b')(3)])).toEqual([pupil('b')(3).name]);
          expect(await holds(small('kept'))).toBe(50_000);
          expect(await holds(board('a'))).toBe(30_000);
          expect(await holds(pupil('a')(1))).toBe(5000);
        },
      );

      test('and one pupil fills at most a quarter of the share, and evicts nothing of the class', async () => {
        const limits = { maxBytesPerOwner: 1024 * 1024 };
        const { board, pupil } = await setUpClass(limits, '@account');
        await hold(board('a'), 1000);
        for (let place = 1; place <= 3; place++) await hold(pupil('a')(place), 200_000);
        const greedy = pupil('a')(4);
        await hold(greedy, 250_000);
        await expect(hold(greedy, 20_000, 'b')).rejects.toThrow(CapacityError);
        for (let place = 1; place <= 3; place++) {
          expect(await holds(pupil('a')(place))).toBe(200_000);
        }
        // Together they fill the share of the account: the largest gets no more, and smaller ones push it out.
        await expect(hold(pupil('a')(5), 260_000)).rejects.toThrow(CapacityError);
        await hold(pupil('a')(5), 200_000);
        expect(await isThere(greedy)).toBe(false);
        expect(await present([board('a'), ...[1, 2, 3, 5].map(pupil('a'))])).toHaveLength(5);
      });

      test('so that an account has its own sandboxes beside its classes', async () => {
        const { pupil, state } = await setUpClass({ maxSandboxesPerOwner: 2 }, '@account');
        const own = (name: string) => state.sandbox(ownedSandboxName('account', name));
        for (const name of ['one', 'two']) await count(own(name), 'a');
        for (let place = 1; place <= 5; place++) await count(pupil('a')(place), 'a');
        expect(
          await present([own('one'), own('two'), ...[1, 2, 3, 4, 5].map(pupil('a'))]),
        ).toHaveLength(7);
        await count(own('three'), 'a');
        expect(await isThere(own('one'))).toBe(false);
        await state.resetOwned(classOwner('a'));
        expect(await present([own('two'), own('three'), pupil('a')(1)])).toHaveLength(2);
      });

      test('also for its work', async () => {
        const { board, pupil, state } = await setUpClass({});
        expect(pupil('a')(1).caller()).toBe('#heavy');
        expect(board('b').caller()).toBe('#heavy');
        const older = state.sandbox(ownedSandboxName(classOwner('c'), 'board'));
        expect(older.caller()).toBe('@class-c');
      });
    });

    test('keeps some spaces at a reset, with their logs, and nothing else', async () => {
      const { state, time } = await setUp();
      const lines: LogSpace<true, string> = {
        ...{ name: 'lines', maxKeys: 2, maxEntries: 5, isAlwaysThere: true },
      };
      const findable: Space<number> = { name: 'findable', maxKeys: 2, isFindable: true };
      const others: LogSpace<number, string> = { name: 'others', maxKeys: 2, maxEntries: 5 };
      const mine = state.sandbox('mine', () => '#caller');
      await mine.transact((view) => view.append(lines, 'a', 'first', ''));
      await count(mine, 'a');
      await hold(mine, 50_000);
      await mine.update(findable, 'key', () => ({ value: 1, result: null }));
      await mine.update(others, 'a', () => ({ value: 1, result: null }));
      await mine.log(others, 'a').append('gone', Buffer.alloc(1000));
      await mine.setClockOffset(5000);
      time.nowMs += 10;
      await mine.reset([lines, counters]);
      expect(await mine.read(counters, 'a')).toBe(1);
      expect((await mine.log(lines, 'a').newest(5)).map(({ item }) => item)).toEqual(['first']);
      expect(await holds(mine)).toBe(0);
      expect(await mine.entries(texts)).toEqual([]);
      expect(await nameHolding(state, findable, 'key')).toBeUndefined();
      expect(await mine.log(others, 'a').status()).toBeUndefined();
      expect(await mine.now()).toBe(time.nowMs);
      expect(await mine.status()).toMatchObject({ createdAtMs: time.nowMs, clockOffsetMs: 0 });
      const { valueBytes, logEntries } = await state.sizes();
      expect(valueBytes).toBeLessThan(5000 + 4 * stepBytes(state.limits, state.limits.maxBytes));
      expect(logEntries).toBe(1);
      // It continues as before.
      expect(await count(mine, 'a')).toBe(2);
      await hold(mine, 2000);
      await mine.transact((view) => view.append(lines, 'a', 'second', ''));
      expect(await holds(mine)).toBe(2000);
      expect((await mine.log(lines, 'a').newest(5)).map(({ item }) => item)).toEqual([
        'second',
        'first',
      ]);
      await mine.update(others, 'a', () => ({ value: 2, result: null }));
      expect(await mine.log(others, 'a').newest(5)).toEqual([]);
    });

    test('is gone after a reset that finds nothing to keep', async () => {
      const { state } = await setUp();
      const mine = state.sandbox('mine');
      await hold(mine, 10);
      await mine.reset([counters]);
      expect(await mine.status()).toBeUndefined();
      await mine.reset([counters]);
      expect((await state.sizes()).sandboxes).toBe(0);
    });

    test.each(['', 'named', ownedSandboxName('owner', '')])(
      '%j holds no more than the limit, and says so',
      async (name) => {
        const { state } = await setUp({ maxBytesPerOwner: 1024 * 1024 });
        const sandbox = state.sandbox(name);
        await hold(sandbox, 900_000);
        await expect(hold(sandbox, 200_000, 'b')).rejects.toThrow(CapacityError);
        await expect(hold(sandbox, 200_000, 'b')).rejects.toThrow('1 MiB');
        expect(await holds(sandbox)).toBe(900_000);
        expect(await holds(sandbox, 'b')).toBe(0);
        await hold(sandbox, 100);
        await hold(sandbox, 200_000, 'b');
        expect(await holds(sandbox, 'b')).toBe(200_000);
      },
    );

    test('makes room for others again when its owner has reset it', async () => {
      const { state } = await setUp({ maxSandboxesPerOwner: 2 });
      const own = (name: string) => state.sandbox(ownedSandboxName('owner', name));
      await count(own('one'), 'a');
      await count(own('two'), 'a');
      await own('two').reset();
      await count(own('three'), 'a');
      expect(await keys(own('one'))).toEqual(['a']);
    });

    test('of an owner is deleted with all data of the owner, and no other is', async () => {
      const { state } = await setUp();
      const findable: Space<number> = { name: 'findable', maxKeys: 2, isFindable: true };
      const own = (name: string) => state.sandbox(ownedSandboxName('owner', name));
      // Names with the same beginning or end, and a name that a caller chose.
      const others = ['owner', ownedSandboxName('owner2', ''), ownedSandboxName('other', 'owner')];
      for (const each of ['', 'one']) await count(own(each), 'a');
      for (const each of others) await count(state.sandbox(each), 'a');
      await own('one').update(findable, 'key', () => ({ value: 1, result: null }));
      await state.resetOwned('owner');
      for (const each of ['', 'one']) expect(await own(each).status()).toBeUndefined();
      for (const each of others) expect(await keys(state.sandbox(each))).toEqual(['a']);
      expect(await nameHolding(state, findable, 'key')).toBeUndefined();
      await state.resetOwned('nobody');
    });

    test('is found by a key of a findable space until the key or the sandbox is deleted', async () => {
      const { state } = await setUp();
      const findable: Space<number> = { name: 'findable', maxKeys: 2, isFindable: true };
      const [mine, other] = [state.sandbox('mine'), state.sandbox('other')];
      const write = (sandbox: Sandbox, key: string) =>
        sandbox.update(findable, key, () => ({ value: 1, result: null }));
      const holderOf = (key: string) => nameHolding(state, findable, key);
      await write(mine, 'a');
      await write(other, 'b');
      expect([await holderOf('a'), await holderOf('b'), await holderOf('c')]).toEqual([
        'mine',
        'other',
        undefined,
      ]);
      for (const key of ['c', 'd']) await write(mine, key);
      expect(await holderOf('a')).toBeUndefined();
      await other.reset();
      expect(await holderOf('b')).toBeUndefined();
      await mine.update(findable, 'c', () => ({ value: undefined, result: null }));
      expect(await holderOf('c')).toBeUndefined();
      expect(await holderOf('d')).toBe('mine');
      expect(await state.sandboxHolding(findable, 'e')).toBeUndefined();
    });
  });
}
