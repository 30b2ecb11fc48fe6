/**
 * Requirements for the logs of every implementation of the state; each has a test file that calls
 * this.
 */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/base/awaitable.js';
import {
  classOwner,
  type Log,
  type LogSpace,
  ownedSandboxName,
  type Sandbox,
  type State,
  stepBytes,
} from '../../../src/state/state.js';
import { caseCount } from '../../support/case-count.js';
import { nameHolding } from '../../support/name-holding.js';

/** `maxLogBytes` limits all logs of the state together. */
type CreateState = (options: {
  readonly clock: Clock;
  readonly maxLogBytes: number;
}) => State | Promise<State>;

interface Note {
  readonly text: string;
}

const notes: LogSpace<string, Note> = {
  name: 'notes',
  maxKeys: 3,
  maxEntries: 5,
  isFindable: true,
};

const alwaysThere: LogSpace<true, Note> = {
  name: 'always-there',
  maxKeys: 3,
  maxEntries: 5,
  isAlwaysThere: true,
};

const never = new AbortController().signal;

export function describeLog(name: string, createState: CreateState): void {
  async function setUp(maxLogBytes = 10_000_000) {
    const time = { nowMs: 1_000_000 };
    const state = await createState({ clock: () => time.nowMs, maxLogBytes });
    return { time, state, sandbox: state.sandbox('') };
  }

  const put = (sandbox: Sandbox, key: string, expiresAtMs?: number) =>
    sandbox.update(notes, key, () => ({
      value: 'here',
      result: undefined,
      ...(expiresAtMs !== undefined && { expiresAtMs }),
    }));
  const remove = (sandbox: Sandbox, key: string) =>
    sandbox.update(notes, key, () => ({ value: undefined, result: undefined }));

  async function openLog(sandbox: Sandbox, key: string): Promise<Log<Note>> {
    await put(sandbox, key);
    return sandbox.log(notes, key);
  }
  const append = (log: Log<Note>, text: string, bytes = '') =>
    log.append({ text }, Buffer.from(bytes));
  const texts = async (log: Log<Note>) => (await log.after(0, 1000)).map(({ item }) => item.text);

  describe(`the logs in ${name}`, () => {
    test('are absent with their key', async () => {
      const { sandbox } = await setUp();
      const log = sandbox.log(notes, 'a');
      expect(await append(log, 'x')).toBeUndefined();
      expect(await log.status()).toBeUndefined();
      expect(await log.newest(5)).toEqual([]);
      expect(await log.after(0, 5)).toEqual([]);
      expect(await log.before(9, 5)).toEqual([]);
      expect(await log.clear()).toBe(false);
      expect(await log.remove(1)).toBe(false);
      await log.waitPast(1000, never);
    });

    test('begin empty', async () => {
      const { sandbox } = await setUp();
      const log = await openLog(sandbox, 'a');
      expect(await log.status()).toEqual({ size: 0, lastSequence: 0, clearedSequence: 0 });
      expect(await log.newest(5)).toEqual([]);
    });

    test('return items and bytes exactly', async () => {
      const { sandbox } = await setUp();
      const log = await openLog(sandbox, 'a');
      const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
      const text = 'ž🐎\u0000"\\\u2028';
      await log.append({ text }, bytes);
      const [entry] = await log.newest(1);
      expect(entry?.item).toEqual({ text });
      expect(Buffer.compare(entry?.bytes ?? Buffer.alloc(0), bytes)).toBe(0);
    });

    test('keep separate copies of bytes', async () => {
      const { sandbox } = await setUp();
      const log = await openLog(sandbox, 'a');
      const bytes = Buffer.from('before');
      await log.append({ text: '' }, bytes);
      bytes.fill('x');
      expect(String((await log.newest(1))[0]?.bytes)).toBe('before');
    });

    test('a read entry stays unchanged after it was dropped and others were added', async () => {
      const { sandbox } = await setUp();
      const log = await openLog(sandbox, 'a');
      await append(log, 'first', 'x'.repeat(1000));
      const [entry] = await log.newest(1);
      for (let place = 0; place < 10; place++) await append(log, 'other', 'y'.repeat(1000));
      expect(entry?.item).toEqual({ text: 'first' });
      expect(String(entry?.bytes)).toBe('x'.repeat(1000));
    });

    test('entries of any size follow each other complete', async () => {
      const { sandbox } = await setUp();
      const log = await openLog(sandbox, 'a');
      for (const size of [1000, 10, 0, 999, 1001, 2000, 1, 500, 100, 3000, 2999, 0, 1]) {
        await append(log, String(size), String(size % 10).repeat(size));
        for (const { item, bytes } of await log.newest(5)) {
          const expected = String(Number(item.text) % 10).repeat(Number(item.text));
          expect(String(bytes)).toBe(expected);
        }
      }
    });

    test('are read from either end, from any position, up to a limit', async () => {
      const { sandbox } = await setUp();
      const log = await openLog(sandbox, 'a');
      for (const text of ['a', 'b', 'c', 'd']) await append(log, text);
      const read = async (entries: ReturnType<typeof log.newest>) =>
        (await entries).map(({ item }) => item.text).join('');
      expect(await read(log.newest(2))).toBe('dc');
      expect(await read(log.newest(9))).toBe('dcba');
      expect(await read(log.after(0, 2))).toBe('ab');
      expect(await read(log.after(2, 9))).toBe('cd');
      expect(await read(log.after(4, 9))).toBe('');
      expect(await read(log.after(99, 9))).toBe('');
      expect(await read(log.before(4, 2))).toBe('cb');
      expect(await read(log.before(99, 9))).toBe('dcba');
      expect(await read(log.before(1, 9))).toBe('');
    });

    test('keep the newest entries, and sequences continue', async () => {
      const { sandbox } = await setUp();
      const log = await openLog(sandbox, 'a');
      for (let place = 1; place <= 7; place++) {
        expect(await append(log, String(place))).toBe(place);
      }
      expect(await texts(log)).toEqual(['3', '4', '5', '6', '7']);
      expect(await log.status()).toEqual({ size: 5, lastSequence: 7, clearedSequence: 0 });
    });

    test('emptying uses a sequence number, and none is used twice', async () => {
      const { sandbox } = await setUp();
      const log = await openLog(sandbox, 'a');
      await append(log, 'a');
      expect(await log.clear()).toBe(true);
      expect(await log.status()).toEqual({ size: 0, lastSequence: 2, clearedSequence: 2 });
      expect(await append(log, 'b')).toBe(3);
      expect(await texts(log)).toEqual(['b']);
    });

    test('can lose a single entry, whose room is freed and whose sequence number is not used again', async () => {
      const { state, sandbox } = await setUp(20_000);
      const log = await openLog(sandbox, 'a');
      for (const text of ['a', 'b']) await append(log, text, 'x'.repeat(8000));
      expect(await log.remove(3)).toBe(false);
      expect(await log.remove(2)).toBe(true);
      expect(await log.remove(2)).toBe(false);
      expect(await log.status()).toEqual({ size: 1, lastSequence: 2, clearedSequence: 0 });
      expect((await state.sizes()).logEntries).toBe(1);
      expect(await append(log, 'c', 'x'.repeat(8000))).toBe(3);
      expect(await texts(log)).toEqual(['a', 'c']);
      expect([await log.remove(1), await log.remove(3)]).toEqual([true, true]);
      expect(await append(log, 'd')).toBe(4);
      expect(await texts(log)).toEqual(['d']);
    });

    test('stay when the value of their key changes', async () => {
      const { sandbox } = await setUp();
      const log = await openLog(sandbox, 'a');
      await append(log, 'a');
      await put(sandbox, 'a');
      expect(await texts(log)).toEqual(['a']);
    });

    test('are deleted with their key, by deletion, expiry and eviction, and stay deleted', async () => {
      const { sandbox, time } = await setUp();
      const log = await openLog(sandbox, 'a');
      await append(log, 'a');
      await remove(sandbox, 'a');
      expect(await append(log, 'b')).toBeUndefined();
      await put(sandbox, 'a');
      expect(await log.status()).toMatchObject({ size: 0 });

      await put(sandbox, 'a', time.nowMs + 10);
      await append(log, 'c');
      time.nowMs += 10;
      expect(await append(log, 'd')).toBeUndefined();
      expect(await log.newest(5)).toEqual([]);
      await put(sandbox, 'a');
      expect(await texts(log)).toEqual([]);

      await append(log, 'e');
      for (const key of ['b', 'c', 'd']) await put(sandbox, key);
      expect(await log.status()).toBeUndefined();
    });

    test('receive entries of transactions that write and read rows, or nothing else', async () => {
      const { sandbox } = await setUp();
      const log = sandbox.log(alwaysThere, 'a');
      const note = (text: string, body: string) =>
        sandbox.transact((view) => view.append(alwaysThere, 'a', { text }, body));
      await note('creates the key', '');
      await note('only reads the key', '');
      await note('has a body', 'true');
      await sandbox.transact((view) => {
        view.write(notes, 'b', 'same');
        view.read(notes, 'c');
        view.append(alwaysThere, 'a', { text: 'is also a row' }, JSON.stringify('same'));
      });
      expect(
        (await log.after(0, 5)).map(({ item, bytes }) => [item.text, bytes.toString()]),
      ).toEqual([
        ['creates the key', ''],
        ['only reads the key', ''],
        ['has a body', 'true'],
        ['is also a row', '"same"'],
      ]);
    });

    test('are separate by key and by sandbox', async () => {
      const { state, sandbox } = await setUp();
      const logs = [
        await openLog(sandbox, 'a'),
        await openLog(sandbox, 'b'),
        await openLog(state.sandbox('other'), 'c'),
      ];
      for (const [index, log] of logs.entries()) await append(log, String(index));
      expect(await Promise.all(logs.map(texts))).toEqual([['0'], ['1'], ['2']]);
    });

    test('together have a limit of bytes: the largest holder loses its oldest entry', async () => {
      const { state, sandbox } = await setUp(30_000);
      const small = await openLog(state.sandbox('small'), 'c');
      const body = 'x'.repeat(8000);
      await append(small, 'oldest of all', body);
      const [first, second] = [await openLog(sandbox, 'a'), await openLog(sandbox, 'b')];
      await append(second, 'oldest', body);
      await append(first, 'older', body);
      await append(second, 'newer', body);
      await append(first, 'newest', body);
      expect(await texts(first)).toEqual(['newest']);
      expect(await texts(second)).toEqual(['newer']);
      expect(await texts(small)).toEqual(['oldest of all']);
      expect(await first.status()).toMatchObject({ size: 1, lastSequence: 2 });
    });

    test('of an owner count together, and a flood of one drops nothing of another', async () => {
      const { state } = await setUp(60_000);
      const of = (owner: string, name: string) => state.sandbox(ownedSandboxName(owner, name));
      const kept = await openLog(of('small', ''), 'k');
      for (const text of ['1', '2', '3']) await append(kept, text, 'x'.repeat(2000));
      const flooded = [];
      for (const name of ['a', 'b', 'c']) flooded.push(await openLog(of('flood', name), name));
      for (let place = 0; place < 40; place++) {
        for (const log of flooded) await append(log, String(place), 'x'.repeat(5000));
        expect((await state.sizes()).logBytes).toBeLessThanOrEqual(60_000);
      }
      expect(await texts(kept)).toEqual(['1', '2', '3']);
      for (const log of flooded) expect((await texts(log)).at(-1)).toBe('39');
    });

    test('of a caller count together, and its sandbox with most drops entries', async () => {
      const { state } = await setUp(60_000);
      const of = (caller: string, name: string) => state.sandbox(name, () => `#${caller}`);
      const kept = await openLog(of('small', 'mine'), 'k');
      for (const text of ['1', '2', '3']) await append(kept, text, 'x'.repeat(4000));
      const beside = await openLog(of('flood', 'beside'), 'k2');
      for (const text of ['4', '5']) await append(beside, text, 'x'.repeat(1000));
      const flooded = [];
      for (let place = 0; place < 10; place++) {
        flooded.push(await openLog(of('flood', `flood-${place}`), `f${place}`));
      }
      for (let round = 0; round < 5; round++) {
        for (const log of flooded) await append(log, String(round), 'x'.repeat(3000));
        expect((await state.sizes()).logBytes).toBeLessThanOrEqual(60_000);
      }
      expect(await texts(kept)).toEqual(['1', '2', '3']);
      expect(await texts(beside)).toEqual(['4', '5']);
    });

    test.each(['#teacher', '@teacher'])(
      'of pupils count for the owner %s of the class, and the pupil with most drops entries',
      async (owner) => {
        const { state } = await setUp(60_000);
        const pupil = (id: string, place: number) =>
          state.sandbox(ownedSandboxName(classOwner(id), `pupil-${place}`), () => owner);
        const kept = await openLog(
          state.sandbox('mine', () => '#small'),
          'k',
        );
        for (const text of ['1', '2', '3']) await append(kept, text, 'x'.repeat(4000));
        const beside = await openLog(pupil('a', 1), 'k2');
        for (const text of ['4', '5']) await append(beside, text, 'x'.repeat(1000));
        const flooded = [];
        for (let place = 2; place < 12; place++) {
          flooded.push(await openLog(pupil(place % 2 ? 'a' : 'b', place), `f${place}`));
        }
        for (let round = 0; round < 5; round++) {
          for (const log of flooded) await append(log, String(round), 'x'.repeat(3000));
        }
        expect(await texts(kept)).toEqual(['1', '2', '3']);
        expect(await texts(beside)).toEqual(['4', '5']);
      },
    );

    test('free the room of emptied or deleted logs', async () => {
      const { sandbox } = await setUp(20_000);
      const body = 'x'.repeat(8000);
      const kept = await openLog(sandbox, 'a');
      await append(kept, 'kept', body);
      for (const key of ['b', 'c']) {
        const log = await openLog(sandbox, key);
        await append(log, 'gone', body);
        await (key === 'b' ? log.clear() : remove(sandbox, key));
      }
      await append(kept, 'also kept', body);
      expect(await texts(kept)).toEqual(['kept', 'also kept']);
    });

    test('are counted, with their approximate size', async () => {
      const { state, sandbox } = await setUp();
      expect(await state.sizes()).toMatchObject({ logEntries: 0, logBytes: 0 });
      const log = await openLog(sandbox, 'a');
      const other = await openLog(state.sandbox('other'), 'b');
      for (let place = 1; place <= 7; place++) await append(log, 'x', 'x'.repeat(1000));
      await append(other, 'y', 'y'.repeat(1000));
      const { logEntries, logBytes } = await state.sizes();
      expect(logEntries).toBe(6);
      expect(logBytes).toBeGreaterThan(6000);
      expect(logBytes).toBeLessThan(12_000);
      await log.clear();
      expect((await state.sizes()).logEntries).toBe(1);
      await state.sandbox('other').reset();
      const left = await state.sizes();
      expect(left.logEntries).toBe(0);
      expect(left.logBytes).toBeLessThanOrEqual(stepBytes(state.limits, 10_000_000));
    });

    test('count items as well as bytes', async () => {
      const { sandbox } = await setUp(20_000);
      const log = await openLog(sandbox, 'a');
      for (const letter of 'abc') await append(log, letter.repeat(8000));
      expect((await texts(log)).map((text) => text[0])).toEqual(['b', 'c']);
    });

    test('an entry larger than the limit is not kept, and uses its sequence number', async () => {
      const { sandbox } = await setUp(20_000);
      const log = await openLog(sandbox, 'a');
      expect(await append(log, '', 'x'.repeat(30_000))).toBe(1);
      expect(await log.status()).toEqual({ size: 0, lastSequence: 1, clearedSequence: 0 });
      expect(await append(log, 'next')).toBe(2);
      expect(await texts(log)).toEqual(['next']);
    });

    test('concurrent appends are all counted, none twice', async () => {
      const { sandbox } = await setUp();
      const log = await openLog(sandbox, 'a');
      const all = Array.from({ length: 100 }, async (_, index) => append(log, String(index)));
      const sequences = await Promise.all(all);
      expect(new Set(sequences).size).toBe(100);
      expect(Math.max(...sequences.map(Number))).toBe(100);
      const held = await log.after(0, 100);
      expect(held.map(({ sequence }) => sequence)).toEqual([96, 97, 98, 99, 100]);
      for (const { sequence, item } of held) {
        expect(sequences[Number(item.text)]).toBe(sequence);
      }
    });

    describe('waiting', () => {
      /** Whether it has ended after all pending work. */
      async function hasEnded(waiting: Promise<void>): Promise<boolean> {
        const open = new Promise<false>((resolve) => setTimeout(resolve, 50, false));
        return Promise.race([waiting.then(() => true), open]);
      }

      test('ends at once when the log has newer entries already', async () => {
        const { sandbox } = await setUp();
        const log = await openLog(sandbox, 'a');
        await append(log, 'a');
        await log.waitPast(0, never);
      });

      test('ends for every waiting reader, with an entry that can then be read', async () => {
        const { sandbox } = await setUp();
        const log = await openLog(sandbox, 'a');
        const waiting = [1, 2, 3].map(async () => {
          await log.waitPast(0, never);
          return texts(log);
        });
        await append(log, 'a');
        expect(await Promise.all(waiting)).toEqual([['a'], ['a'], ['a']]);
      });

      test('continues while nothing is added, or only to another log', async () => {
        const { sandbox } = await setUp();
        const log = await openLog(sandbox, 'a');
        await append(log, 'a');
        const waiting = log.waitPast(1, never);
        await append(await openLog(sandbox, 'b'), 'b');
        expect(await hasEnded(waiting)).toBe(false);
        await append(log, 'c');
        expect(await hasEnded(waiting)).toBe(true);
      });

      test.each<[string, (sandbox: Sandbox, log: Log<Note>) => unknown]>([
        ['the log is emptied', (_sandbox, log) => log.clear()],
        ['the key is deleted', (sandbox) => remove(sandbox, 'a')],
        [
          'the key is evicted',
          async (sandbox) => {
            for (const key of ['b', 'c', 'd']) await put(sandbox, key);
          },
        ],
      ])('ends when %s', async (_what, change) => {
        const { sandbox } = await setUp();
        const log = await openLog(sandbox, 'a');
        const waiting = log.waitPast(0, never);
        await change(sandbox, log);
        expect(await hasEnded(waiting)).toBe(true);
      });

      test('ends when the signal is aborted, before or meanwhile', async () => {
        const { sandbox } = await setUp();
        const log = await openLog(sandbox, 'a');
        await log.waitPast(0, AbortSignal.abort());
        const controller = new AbortController();
        const waiting = log.waitPast(0, controller.signal);
        controller.abort();
        expect(await hasEnded(waiting)).toBe(true);
      });

      test('ends when the state is closed', async () => {
        const { state, sandbox } = await setUp();
        const log = await openLog(sandbox, 'a');
        const waiting = log.waitPast(0, never);
        await state.close();
        expect(await hasEnded(waiting)).toBe(true);
      });
    });

    test('after random operations, a log has the newest entries since it was emptied', async () => {
      const step = fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom('a', 'b') },
        { weight: 1, arbitrary: fc.constantFrom('clear a', 'clear b', 'delete a', 'delete b') },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
          const { sandbox } = await setUp();
          const expected = { a: [] as string[], b: [] as string[] };
          for (const key of ['a', 'b']) await put(sandbox, key);
          for (const [index, each] of steps.entries()) {
            const key = each.at(-1) as 'a' | 'b';
            const log = sandbox.log(notes, key);
            if (each === key) {
              await append(log, String(index));
              expected[key] = [...expected[key], String(index)].slice(-notes.maxEntries);
            } else {
              expected[key] = [];
              if (each.startsWith('clear')) await log.clear();
              else await remove(sandbox, key);
              await put(sandbox, key);
            }
          }
          expect(await texts(sandbox.log(notes, 'a'))).toEqual(expected.a);
          expect(await texts(sandbox.log(notes, 'b'))).toEqual(expected.b);
        }),
        { numRuns: caseCount(60, 5_000) },
      );
    });
  });

  describe(`the sandbox that holds a key, in ${name}`, () => {
    test('is found by the key only', async () => {
      const { state, sandbox } = await setUp();
      await put(sandbox, 'in-shared');
      await put(state.sandbox('team'), 'in-team');
      expect(await nameHolding(state, notes, 'in-shared')).toBe('');
      const team = await state.sandboxHolding(notes, 'in-team');
      expect(team?.name).toBe('team');
      expect(await team?.read(notes, 'in-team')).toBe('here');
    });

    test('is undefined for keys that never existed, expired, were deleted or evicted', async () => {
      const { state, sandbox, time } = await setUp();
      for (const key of ['never', '__proto__']) {
        expect(await nameHolding(state, notes, key)).toBeUndefined();
      }
      await put(sandbox, 'brief', time.nowMs + 5);
      time.nowMs += 5;
      expect(await nameHolding(state, notes, 'brief')).toBeUndefined();
      await put(sandbox, 'deleted');
      await remove(sandbox, 'deleted');
      expect(await nameHolding(state, notes, 'deleted')).toBeUndefined();
      for (const key of ['evicted', 'b', 'c', 'd']) await put(sandbox, key);
      expect(await nameHolding(state, notes, 'evicted')).toBeUndefined();
      expect(await nameHolding(state, notes, 'b')).toBe('');
    });
  });
}
