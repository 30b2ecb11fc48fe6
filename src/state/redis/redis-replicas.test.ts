/** Tests several states over one server, as in the processes of a replicated service. */

import { createClient } from '@redis/client';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { caseCount } from '../../../test/support/case-count.js';
import { testsWith } from '../../../test/support/foreign-program.js';
import { newPrefix } from '../../../test/support/redis.js';
import { useRedisStates } from '../../../test/support/redis-states.js';
import { tableOf } from '../../../test/support/table-of.js';
import { createMemoryState } from '../memory/memory-state.js';
import { ChangeFeed } from '../rows/change-feed.js';
import { Dataset } from '../rows/dataset.js';
import {
  CapacityError,
  defaultSandboxLimits,
  type LogSpace,
  type Moment,
  ownedSandboxName,
  type Sandbox,
  type Space,
  type State,
  StateFullError,
  serviceSandboxName,
} from '../state.js';

const counters: Space<number> = { name: 'counters', maxKeys: 100 };
const notes: LogSpace<string, { readonly text: string }> = {
  name: 'notes',
  maxKeys: 3,
  maxEntries: 5,
  isFindable: true,
};
const never = new AbortController().signal;

const count = (sandbox: Sandbox, key = 'a', space = counters) =>
  sandbox.update(space, key, (current = 0) => ({ value: current + 1, result: current + 1 }));
const put = (sandbox: Sandbox, key: string) =>
  sandbox.update(notes, key, () => ({ value: 'here', result: undefined }));

const newMoment = (): Moment => ({ isOver: false, sinceMs: 0 });

const address = '#203.0.113.7';

testsWith('redis').describe('states over one server', () => {
  const redis = useRedisStates();

  async function openTwo(options: Partial<Parameters<typeof redis.open>[0]> = {}) {
    const shared = { clock: Date.now, prefix: newPrefix(), ...options };
    return Promise.all([redis.open(shared), redis.open(shared)]);
  }

  test("see each other's writes at once", async () => {
    const [one, other] = await openTwo();
    expect(await count(one.sandbox('s'))).toBe(1);
    expect(await count(other.sandbox('s'))).toBe(2);
    expect(await one.sandbox('s').read(counters, 'a')).toBe(2);
    expect(await one.sandbox('s').entries(counters)).toEqual([['a', 2]]);
  });

  test('a request relies on its first read, and sees its own writes', async () => {
    const [one, other] = await openTwo();
    const request = newMoment();
    const sandbox = one.sandbox('s', undefined, request);
    await count(other.sandbox('s'), 'first');
    expect(await sandbox.read(counters, 'first')).toBe(1);
    await count(other.sandbox('s'), 'second');
    // The next request sees the write, as does every transaction.
    expect(await one.sandbox('s', undefined, newMoment()).read(counters, 'second')).toBe(1);
    expect(await count(sandbox, 'second')).toBe(2);
    expect(await sandbox.read(counters, 'second')).toBe(2);
    await count(sandbox, 'third');
    expect(await sandbox.entries(counters)).toEqual([
      ['first', 1],
      ['second', 2],
      ['third', 1],
    ]);
  });

  test('a request that sees a change sees all that came before it', async () => {
    const [one, other] = await openTwo();
    const early = one.sandbox('s', undefined, newMoment());
    const decided = one.sandbox('s', undefined, newMoment());
    for (const sandbox of [early, decided])
      expect(await sandbox.read(counters, 'a')).toBeUndefined();
    await count(other.sandbox('s'), 'a');
    await put(other.sandbox('s'), 'after');
    // Another request of this process learns of the later change only.
    expect(await one.sandbox('s', undefined, newMoment()).read(notes, 'after')).toBe('here');
    expect(await early.read(notes, 'after')).toBe('here');
    expect(await early.read(counters, 'a')).toBe(1);
    // A transaction sees the later change, and writes nothing.
    expect(await decided.transact((view) => view.read(notes, 'after'))).toBe('here');
    expect(await decided.read(counters, 'a')).toBe(1);
  });

  test('a request sees what others wrote while it waited, or after its response began', async () => {
    const [one, other] = await openTwo();
    for (const change of [
      { isOver: true, sinceMs: 0 },
      { isOver: false, sinceMs: Number.POSITIVE_INFINITY },
    ]) {
      const request = newMoment();
      const sandbox = one.sandbox('s', undefined, request);
      const before = (await sandbox.read(counters, 'a')) ?? 0;
      await count(other.sandbox('s'));
      Object.assign(request, change);
      expect(await sandbox.read(counters, 'a')).toBe(before + 1);
    }
  });

  test('a request sees its own reset, and the time to which it set the clock', async () => {
    const [one] = await openTwo({ clock: () => 1000 });
    const sandbox = one.sandbox('s', undefined, newMoment());
    await count(sandbox);
    expect(await sandbox.now()).toBe(1000);
    await sandbox.setClockOffset(50);
    expect(await sandbox.now()).toBe(1050);
    await sandbox.reset();
    expect(await sandbox.read(counters, 'a')).toBeUndefined();
    expect(await sandbox.now()).toBe(1000);
  });

  test('with other prefixes do not see each other', async () => {
    const [one] = await openTwo();
    const [stranger] = await openTwo();
    await count(one.sandbox('s'));
    expect(await stranger.sandbox('s').status()).toBeUndefined();
    expect(await stranger.sizes()).toMatchObject({ sandboxes: 0 });
  });

  test('simultaneous updates on all of them each see the outcome of the previous one', async () => {
    const states = (await Promise.all([openTwo({ prefix: newPrefix() })])).flat();
    const results = await Promise.all(
      Array.from({ length: 400 }, (_, index) => count((states[index % 2] as State).sandbox('s'))),
    );
    expect(results.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 400 }, (_, i) => i + 1));
  });

  test('a failing update among simultaneous ones fails by itself', async () => {
    const [one] = await openTwo();
    const all = Array.from({ length: 20 }, async (_, index) =>
      one.sandbox('s').update(counters, 'a', (current = 0) => {
        if (index % 2 === 1) throw new Error(`no ${index}`);
        return { value: current + 1, result: current + 1 };
      }),
    );
    const settled = await Promise.allSettled(all);
    for (const [index, outcome] of settled.entries()) {
      if (index % 2 === 0) expect(outcome).toMatchObject({ value: index / 2 + 1 });
      else expect(outcome).toMatchObject({ reason: new Error(`no ${index}`) });
    }
  });

  test('a full space rejects each newcomer of many on both, and keeps its entries', async () => {
    const [one, other] = await openTwo();
    const kept: Space<number> = { name: 'kept', maxKeys: 5, isKeptWhenFull: true };
    const all = Array.from({ length: 40 }, (_, index) =>
      count((index % 2 ? one : other).sandbox('s'), `key ${index % 10}`, kept),
    );
    const settled = await Promise.allSettled(all);
    const rejected = settled.filter(({ status }) => status === 'rejected');
    for (const outcome of rejected) {
      expect(outcome).toMatchObject({ reason: expect.any(CapacityError) });
    }
    expect(rejected).toHaveLength(20);
    expect((await one.sandbox('s').entries(kept)).map(([, value]) => value)).toEqual([
      4, 4, 4, 4, 4,
    ]);
  });

  test('simultaneous writers of large entries lose none while there is room', async () => {
    const states = await openTwo({ maxLogBytes: 2 ** 31 });
    for (const name of Array.from({ length: 10 }, (_, index) => `sandbox ${index}`)) {
      const sizes = ['a', 'b', 'c'].map(async (key, place) => {
        const sandbox = (states[place % 2] as State).sandbox(name);
        const log = sandbox.log(notes, key);
        await put(sandbox, key);
        for (let entry = 0; entry < notes.maxEntries; entry++) {
          await log.append({ text: key }, Buffer.alloc(256 * 1024));
        }
        return (await log.status())?.size;
      });
      expect(await Promise.all(sizes)).toEqual(Array(3).fill(notes.maxEntries));
    }
  });

  test('share the time of a sandbox, its reset and its limits', async () => {
    const limits = { ...defaultSandboxLimits, maxSandboxes: 2 };
    const [one, other] = await openTwo({ clock: () => 1000, limits });
    await one.sandbox('s').setClockOffset(5000);
    expect(await other.sandbox('s').now()).toBe(6000);
    await count(other.sandbox('t'));
    await count(one.sandbox('u'));
    expect(await other.sandbox('s').status()).toBeUndefined();
    await one.sandbox('t').reset();
    expect(await other.sandbox('t').read(counters, 'a')).toBeUndefined();
    expect((await other.sizes()).sandboxes).toBe(1);
  });

  test('never reuse the id of a row that was created on one and removed on the other', async () => {
    const dataset = new Dataset<{ id: number }>({ name: 'rows', rows: Object.freeze([{ id: 1 }]) });
    const [one, other] = (await openTwo()).map((state) => tableOf(state.sandbox(''), dataset));
    if (one === undefined || other === undefined) throw new Error('There are two.');
    const created = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 ? one : other).create((id) => ({ id }))),
    );
    expect(new Set(created.map(({ id }) => id)).size).toBe(40);
    expect(await one.remove(41)).toBe(true);
    expect((await other.create((id) => ({ id }))).id).toBe(42);
    expect(await one.list()).toEqual(await other.list());
  });

  test('read rows that did not change as the same array', async () => {
    const dataset = new Dataset<{ id: number }>({ name: 'rows', rows: Object.freeze([{ id: 1 }]) });
    const [one, other] = (await openTwo()).map((state) => tableOf(state.sandbox(''), dataset));
    await one?.create((id) => ({ id }));
    const listed = await other?.list();
    expect(await other?.list()).toBe(listed);
    await one?.create((id) => ({ id }));
    expect(await other?.list()).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  test('move between keys as one step, on either of them', async () => {
    const states = await openTwo();
    const space: Space<number> = { name: 'moved', maxKeys: 10 };
    const move = (place: number) =>
      states[place % 2]?.sandbox('s').transact((view) => {
        view.write(space, 'from', (view.read(space, 'from') ?? 100) - 1);
        view.write(space, 'to', (view.read(space, 'to') ?? 0) + 1);
        return view.entries(space).reduce((sum, [, value]) => sum + value, 0);
      });
    const sums = await Promise.all(Array.from({ length: 100 }, (_, place) => move(place)));
    expect(new Set(sums)).toEqual(new Set([100]));
    expect(await states[0].sandbox('s').entries(space)).toEqual([
      ['from', 0],
      ['to', 100],
    ]);
  });

  test('report changes of a table to each other, each once and in order', async () => {
    const dataset = new Dataset<{ id: number }>({ name: 'rows', rows: Object.freeze([{ id: 1 }]) });
    const [one, other] = (await openTwo()).map((state) => state.sandbox('s'));
    if (one === undefined || other === undefined) throw new Error('There are two.');
    const feed = new ChangeFeed<{ id: number }>(other, 'rows');
    const first = feed.waitPast(0, never);
    await tableOf(one, dataset).create((id) => ({ id }));
    await first;
    await Promise.all(
      Array.from({ length: 40 }, (_, place) =>
        tableOf(place % 2 ? one : other, dataset).create((id) => ({ id })),
      ),
    );
    const changes = (await feed.after(0, 100)) ?? [];
    expect(changes.map(({ id }) => id)).toEqual(
      Array.from({ length: 41 }, (_, place) => place + 2),
    );
    expect(changes).toEqual(await new ChangeFeed(one, 'rows').after(0, 100));
    const last = await feed.lastSequence();
    const reset = feed.waitPast(last, never);
    await one.reset();
    await reset;
    expect(await feed.after(last, 10)).toBeUndefined();
  });

  test('a log that gets an entry or is emptied on one wakes waiting clients of the other', async () => {
    const [one, other] = await openTwo();
    await put(one.sandbox('s'), 'a');
    const [near, far] = [one.sandbox('s').log(notes, 'a'), other.sandbox('s').log(notes, 'a')];
    const changes = [
      () => near.append({ text: 'x' }, Buffer.alloc(0)),
      () => near.clear(),
      () => one.sandbox('s').reset(),
    ];
    for (const change of changes) {
      const { lastSequence = 0 } = (await far.status()) ?? {};
      const waiting = far.waitPast(lastSequence, never);
      await change();
      await waiting;
    }
    expect(await far.status()).toBeUndefined();
  });

  test('a client that waits for entries one after the other misses none', async () => {
    const [one, other] = await openTwo();
    await put(one.sandbox(''), 'a');
    const far = other.sandbox('').log(notes, 'a');
    const appending = (async () => {
      for (let index = 0; index < 200; index++) {
        await one.sandbox('').log(notes, 'a').append({ text: '' }, Buffer.alloc(0));
      }
    })();
    for (let place = 0; place < 200; place = (await far.status())?.lastSequence ?? 200) {
      await far.waitPast(place, never);
    }
    await appending;
  });

  test('hold no more bytes of logs than one of them may', async () => {
    const [one, other] = await openTwo({ maxLogBytes: 20_000 });
    for (const [index, state] of [one, other, one].entries()) {
      await put(state.sandbox(''), String(index));
      await state.sandbox('').log(notes, String(index)).append({ text: '' }, Buffer.alloc(8000));
    }
    const sizes = await Promise.all(
      ['0', '1', '2'].map(async (key) => (await other.sandbox('').log(notes, key).status())?.size),
    );
    expect(sizes).toEqual([0, 1, 1]);
    // Each reports how many it has added now and then, and on request.
    await one.sizes();
    expect((await other.sizes()).logEntries).toBe(2);
  });

  describe('in the server', () => {
    async function keysOf(prefix: string): Promise<Map<string, number>> {
      const client = await createClient({ url: redis.server.url }).connect();
      const keys = (await client.keys('*')).filter((key) => key.startsWith(prefix));
      const found = new Map<string, number>();
      for (const key of keys) found.set(key, await client.pTTL(key));
      client.destroy();
      return found;
    }

    const limits = { ...defaultSandboxLimits, idleMs: 60_000 };
    const kept: Space<number> = { name: 'kept', maxKeys: 3, isKeptWhenFull: true };

    async function useEverything(
      state: State,
      names: readonly string[],
      caller?: () => string,
    ): Promise<void> {
      for (const name of names) {
        const sandbox = state.sandbox(name, caller);
        await count(sandbox);
        await count(sandbox, 'b');
        await sandbox.update(counters, 'a', () => ({ value: undefined, result: null }));
        await sandbox.update(kept, 'a', (_, nowMs) => ({
          value: 1,
          expiresAtMs: nowMs + 1000,
          result: null,
        }));
        for (const key of ['a', 'b', 'c', 'd']) await put(sandbox, `${name} ${key}`);
        const log = sandbox.log(notes, `${name} d`);
        for (let index = 0; index < 7; index++) await log.append({ text: '' }, Buffer.alloc(10));
        await log.clear();
        await log.append({ text: '' }, Buffer.alloc(10));
      }
    }

    test('every key has the prefix and a time to live, the longer for what is permanent', async () => {
      const prefix = newPrefix();
      const state = await redis.open({ clock: Date.now, prefix, limits });
      await useEverything(state, ['', serviceSandboxName, 'mine'], () => address);
      const keys = await keysOf(prefix);
      expect(keys.size).toBeGreaterThan(20);
      for (const [key, ttlMs] of keys) {
        const isMine = /\{s:mine\}|holder:notes\|mine/.test(key);
        const isProbe = key === `${prefix}ready`;
        expect(ttlMs, key).toBeGreaterThan(isProbe ? 0 : limits.idleMs - 10_000);
        if (isMine) expect(ttlMs, key).toBeLessThan(2 * limits.idleMs);
        else if (!isProbe) expect(ttlMs, key).toBeGreaterThan(80 * 24 * 3600 * 1000);
      }
    });

    test.each([
      ['value', (sandbox: Sandbox) => count(sandbox)],
      [
        'entry of a log',
        async (sandbox: Sandbox) => {
          await put(sandbox, 'a');
          await sandbox.log(notes, 'a').append({ text: '' }, Buffer.alloc(0));
        },
      ],
      ['time', (sandbox: Sandbox) => sandbox.setClockOffset(1)],
    ])('the first %s leaves no key without a time to live', async (_what, write) => {
      const prefix = newPrefix();
      const state = await redis.open({ clock: Date.now, prefix, limits });
      await write(state.sandbox(ownedSandboxName('owner', 'mine')));
      await write(state.sandbox('mine', () => address));
      for (const [key, ttlMs] of await keysOf(prefix)) expect(ttlMs, key).toBeGreaterThan(0);
    });

    test.each([
      ['of no caller', undefined],
      ['of a caller', () => address],
    ])('a reset removes everything of a sandbox %s', async (_whose, caller) => {
      const prefix = newPrefix();
      const state = await redis.open({ clock: Date.now, prefix, limits });
      await useEverything(state, ['mine'], caller);
      await state.sandbox('mine').reset();
      const left = [...(await keysOf(prefix)).keys()].map((key) => key.slice(prefix.length));
      expect(left.sort()).toEqual(['ready', '{registry}totals']);
      expect(await state.sizes()).toEqual({
        sandboxes: 0,
        valueBytes: 0,
        logEntries: 0,
        logBytes: 0,
      });
    });

    test('a caller is stored by a hash', async () => {
      const prefix = newPrefix();
      const state = await redis.open({ clock: Date.now, prefix, limits });
      await useEverything(state, ['mine'], () => address);
      const client = await createClient({ url: redis.server.url }).connect();
      const callers = await client.hGetAll(`${prefix}{registry}callers`);
      client.destroy();
      expect(callers).toEqual({ mine: expect.stringMatching(/^#[\w-]{22}$/) });
      for (const key of (await keysOf(prefix)).keys()) expect(key).not.toContain(address.slice(1));
    });

    test('a sandbox that expired on the server is removed from all counts', async () => {
      const prefix = newPrefix();
      const time = { nowMs: 1000 };
      const brief = { ...limits, idleMs: 40 };
      const state = await redis.open({ clock: () => time.nowMs, prefix, limits: brief });
      await useEverything(state, ['mine']);
      await expect
        .poll(async () => [...(await keysOf(prefix)).keys()].filter((key) => /mine\b/.test(key)))
        .toEqual([]);
      time.nowMs += 100;
      expect(await state.sizes()).toEqual({
        sandboxes: 0,
        valueBytes: 0,
        logEntries: 0,
        logBytes: 0,
      });
      await count(state.sandbox('mine'));
      expect((await state.sizes()).sandboxes).toBe(1);
    });

    test('each use renews the whole time to live', async () => {
      const prefix = newPrefix();
      const time = { nowMs: 1_000_000 };
      const state = await redis.open({ clock: () => time.nowMs, prefix, limits });
      await useEverything(state, ['mine']);
      const isMine = (key: string) => /\{s:mine\}|holder:notes\|mine/.test(key);
      const mine = [...(await keysOf(prefix)).keys()].filter(isMine);
      const client = await createClient({ url: redis.server.url }).connect();
      for (const key of mine) await client.pExpire(key, limits.idleMs);
      client.destroy();
      time.nowMs += limits.idleMs / 16;
      expect(await state.sandbox('mine').read(counters, 'b')).toBe(1);
      const ttls = await keysOf(prefix);
      for (const key of mine) expect(ttls.get(key), key).toBeGreaterThan(1.1 * limits.idleMs);
    });
  });

  test('agree with the state in memory on random histories', async () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const name = fc.constantFrom('', 'one', 'two', '@owner/', '@owner/named');
    const spaces: readonly Space<number>[] = [
      { name: 'evicting', maxKeys: 3 },
      { name: 'kept', maxKeys: 3, isKeptWhenFull: true },
    ];
    const logs: LogSpace<number, { readonly text: string }> = {
      name: 'logged',
      maxKeys: 2,
      maxEntries: 3,
      isFindable: true,
    };
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('count' as const),
        name,
        key,
        space: fc.nat(1),
        ttlMs: fc.option(fc.nat(2000)),
      }),
      fc.record({ kind: fc.constant('delete' as const), name, key, space: fc.nat(1) }),
      fc.record({ kind: fc.constant('put' as const), name, key }),
      fc.record({ kind: fc.constant('drop' as const), name, key }),
      fc.record({ kind: fc.constant('append' as const), name, key, bytes: fc.nat(3000) }),
      fc.record({ kind: fc.constant('clear' as const), name, key }),
      // Steps are longer than the interval in which uses must be noted.
      fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(200, 700, 1500) }),
      fc.record({
        kind: fc.constant('offset' as const),
        name,
        ms: fc.integer({ max: 5000, min: -5000 }),
      }),
      fc.record({ kind: fc.constant('reset' as const), name }),
      fc.record({ kind: fc.constant('resetOwned' as const) }),
    );
    type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

    async function carryOut(state: State, time: { nowMs: number }, each: Step): Promise<unknown> {
      if (each.kind === 'wait') {
        time.nowMs += each.ms;
        return undefined;
      }
      if (each.kind === 'resetOwned') return state.resetOwned('owner');
      // Keys of a findable space are unique in the whole state.
      const sandbox = state.sandbox(each.name, () => address);
      const own = 'key' in each ? `${each.name}/${each.key}` : '';
      try {
        switch (each.kind) {
          case 'count':
            return await sandbox.update(
              spaces[each.space] as Space<number>,
              own,
              (was = 0, nowMs) => ({
                value: was + 1,
                result: was + 1,
                ...(each.ttlMs !== null && { expiresAtMs: nowMs + each.ttlMs }),
              }),
            );
          case 'delete':
            return await sandbox.update(spaces[each.space] as Space<number>, own, (was) => ({
              value: undefined,
              result: was,
            }));
          case 'put':
            return await sandbox.update(logs, own, (was = 0) => ({ value: was + 1, result: was }));
          case 'drop':
            return await sandbox.update(logs, own, () => ({ value: undefined, result: null }));
          case 'append':
            return await sandbox.log(logs, own).append({ text: own }, Buffer.alloc(each.bytes));
          case 'clear':
            return await sandbox.log(logs, own).clear();
          case 'offset':
            return await sandbox.setClockOffset(each.ms);
          case 'reset':
            return await sandbox.reset();
        }
      } catch (error) {
        if (error instanceof CapacityError || error instanceof StateFullError) return error.message;
        throw error;
      }
    }

    async function describeAll(state: State): Promise<unknown> {
      const found: unknown[] = [];
      for (const each of ['', 'one', 'two', '@owner/', '@owner/named']) {
        const sandbox = state.sandbox(each);
        found.push(await sandbox.status());
        for (const space of spaces) found.push(await sandbox.entries(space));
        for (const [own] of await sandbox.entries(logs)) {
          const log = sandbox.log(logs, own);
          const entries = await log.newest(5);
          found.push(
            await log.status(),
            entries.map(({ sequence, item, bytes }) => [sequence, item, bytes.length]),
          );
          found.push((await state.sandboxHolding(logs, own))?.name);
        }
      }
      const { sandboxes, logEntries } = await state.sizes();
      return { found, sandboxes, logEntries };
    }

    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 50 }), async (steps) => {
        const time = { nowMs: 1_000_000 };
        const options = {
          clock: () => time.nowMs,
          limits: {
            idleMs: 3000,
            // The order of eviction may differ, and each replica counts its own use.
            maxSandboxes: 10,
            maxSandboxesPerOwner: 10,
            maxBytes: 1_000_000_000,
            maxBytesPerOwner: 1_000_000_000,
          },
          maxLogBytes: 10_000_000,
        };
        const memory = createMemoryState(options);
        const shared = { ...options, prefix: newPrefix() };
        const replicas = [await redis.open(shared), await redis.open(shared)];
        for (const [index, each] of steps.entries()) {
          const before = time.nowMs;
          const expected = await carryOut(memory, time, each);
          time.nowMs = before;
          const replica = replicas[index % 2] as State;
          expect(await carryOut(replica, time, each)).toEqual(expected);
        }
        // A replica reports its latest counts on request.
        await replicas[1]?.sizes();
        expect(await describeAll(replicas[0] as State)).toEqual(await describeAll(memory));
        await Promise.all(replicas.map((replica) => replica.close()));
      }),
      { numRuns: caseCount(60, 5_000) },
    );
  });
});
