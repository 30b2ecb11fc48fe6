/**
 * Requirements for the change feeds of every implementation of the state; each has a test file that
 * calls this.
 */

import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/base/awaitable.js';
import { ChangeFeed, keptChanges, type RowChange } from '../../../src/state/rows/change-feed.js';
import { Dataset } from '../../../src/state/rows/dataset.js';
import { WritableTable } from '../../../src/state/rows/table.js';
import type { State } from '../../../src/state/state.js';
import { tableOf } from '../../support/table-of.js';

type CreateState = (options: {
  readonly clock: Clock;
  readonly maxLogBytes: number;
}) => State | Promise<State>;

interface Note {
  readonly id: number;
  readonly text: string;
}

const options = {
  name: 'notes',
  rows: Object.freeze([
    { id: 1, text: 'one' },
    { id: 2, text: 'two' },
  ]),
  keepsTrash: true,
};
const dataset = new Dataset<Note>(options);

const never = new AbortController().signal;

export function describeChangeFeed(name: string, createState: CreateState): void {
  async function setUp(maxLogBytes = 10_000_000) {
    const state = await createState({ clock: () => 1_000_000, maxLogBytes });
    const sandbox = state.sandbox('mine');
    const feed = new ChangeFeed<Note>(sandbox, 'notes');
    return { state, sandbox, feed, notes: tableOf(sandbox, dataset) };
  }

  const told = (changes: readonly RowChange<Note>[] | undefined) =>
    changes?.map(({ kind, id, record }) => `${kind} ${id} ${record.text}`);

  describe(`the feed of changes in ${name}`, () => {
    test('reports creations, updates and deletions, in order, with the time', async () => {
      const { feed, notes } = await setUp();
      expect(await feed.lastSequence()).toBe(0);
      expect(await feed.after(0, 10)).toEqual([]);
      await notes.create((id) => ({ id, text: 'three' }));
      await notes.update(3, (row) => ({ ...row, text: 'THREE' }));
      await notes.update(1, (row) => ({ ...row, text: 'ONE ž' }));
      await notes.remove(3);
      await notes.remove(2);
      await notes.remove(99);
      const changes = (await feed.after(0, 10)) ?? [];
      expect(told(changes)).toEqual([
        'created 3 three',
        'updated 3 THREE',
        'updated 1 ONE ž',
        'deleted 3 THREE',
        'deleted 2 two',
      ]);
      expect(changes[0]?.atMs).toBe(1_000_000);
      const last = await feed.lastSequence();
      expect(changes.map(({ sequence }) => sequence)).toEqual(
        [4, 3, 2, 1, 0].map((by) => last - by),
      );
      expect(told(await feed.after(last - 2, 1))).toEqual(['deleted 3 THREE']);
    });

    test('reports records moved to the trash as deleted, and restored ones as created', async () => {
      const { feed, notes } = await setUp();
      await notes.remove(1);
      expect((await notes.list()).map(({ id }) => id)).toEqual([2]);
      expect(await notes.listTrash()).toMatchObject([{ id: 1, deletedAt: expect.any(String) }]);
      expect(await notes.remove(1)).toBe(false);
      expect(await notes.change((rows) => rows.restore(1))).toEqual({ id: 1, text: 'one' });
      expect(await notes.change((rows) => rows.restore(1))).toBeUndefined();
      await notes.remove(2);
      expect(await notes.change((rows) => rows.purge(2))).toBe(true);
      expect(await notes.change((rows) => rows.purge(2))).toBe(false);
      expect(await notes.getTrashed(2)).toBeUndefined();
      expect(told(await feed.after(0, 10))).toEqual([
        'deleted 1 one',
        'created 1 one',
        'deleted 2 two',
      ]);
    });

    test('reports nothing of a failure, and all changes of a transaction', async () => {
      const { sandbox, feed, notes } = await setUp();
      const failing = async () =>
        notes.update(1, () => {
          throw new Error('no');
        });
      await expect(failing()).rejects.toThrow('no');
      const write = async (isFailing: boolean) =>
        sandbox.transact((view) => {
          const rows = new WritableTable(view, dataset);
          rows.create((id) => ({ id, text: 'three' }));
          rows.remove(1);
          if (isFailing) throw new Error('failed');
        });
      await expect(write(true)).rejects.toThrow('failed');
      expect(await feed.after(0, 10)).toEqual([]);
      await write(false);
      expect(told(await feed.after(0, 10))).toEqual(['created 3 three', 'deleted 1 one']);
    });

    test('keeps the configured number of changes, and reports older ones as gone', async () => {
      const { sandbox, feed } = await setUp();
      const change = async (times: number) =>
        sandbox.transact((view) => {
          const rows = new WritableTable(view, dataset);
          for (let time = 0; time < times; time++) rows.update(1, (row) => ({ ...row }));
        });
      await change(1);
      const first = await feed.lastSequence();
      await change(keptChanges - 1);
      expect(await feed.after(0, 2000)).toHaveLength(keptChanges);
      await change(1);
      expect(await feed.after(0, 2000)).toBeUndefined();
      expect(await feed.after(first, 2000)).toHaveLength(keptChanges);
      expect(await feed.after(first - 1, 2000)).toBeUndefined();
      expect(await feed.after((await feed.lastSequence()) + 1, 1)).toBeUndefined();
    });

    test('drops the oldest when logs hold too much, and rejects no write because of it', async () => {
      const { feed, notes } = await setUp(100_000);
      const first = 'x'.repeat(20_000);
      for (let time = 0; time < 10; time++) {
        await notes.update(1, (row) => ({ ...row, text: `${time}${first}` }));
      }
      expect(await feed.after(0, 100)).toBeUndefined();
      const last = await feed.lastSequence();
      expect((await feed.after(last - 2, 100))?.map(({ record }) => record.text[0])).toEqual([
        '8',
        '9',
      ]);
      await notes.update(1, (row) => ({ ...row, text: 'x'.repeat(200_000) }));
      expect(await feed.after(last, 1)).toBeUndefined();
      expect(await feed.after(last + 1, 1)).toEqual([]);
    });

    test('wakes readers that wait for the first change, for the next, and when it is aborted', async () => {
      const { sandbox, feed, notes } = await setUp();
      const first = feed.waitPast(0, never);
      await notes.remove(1);
      await first;
      await feed.waitPast(0, never);
      const next = feed.waitPast(await feed.lastSequence(), never);
      await sandbox.transact((view) => new WritableTable(view, dataset).remove(2));
      await next;
      const abort = new AbortController();
      const aborted = feed.waitPast(await feed.lastSequence(), abort.signal);
      abort.abort();
      await aborted;
    });

    test('reports after a reset that earlier changes are unknown, and continues after it', async () => {
      const { sandbox, feed, notes } = await setUp();
      await notes.remove(1);
      const before = await feed.lastSequence();
      const waiting = feed.waitPast(before, never);
      await sandbox.reset();
      await waiting;
      expect(await feed.after(before, 1)).toBeUndefined();
      await feed.waitPast(before, never);
      await notes.remove(2);
      expect(await feed.lastSequence()).toBeGreaterThan(before);
      expect(await feed.after(before, 1)).toBeUndefined();
      expect(told(await feed.after(0, 5))).toEqual(['deleted 2 two']);
    });

    test('is separate for each collection and sandbox', async () => {
      const { state, sandbox, feed, notes } = await setUp();
      await notes.remove(1);
      await tableOf(sandbox, new Dataset<Note>({ ...options, name: 'others' })).remove(2);
      await tableOf(state.sandbox('other'), dataset).remove(2);
      expect(told(await feed.after(0, 5))).toEqual(['deleted 1 one']);
      expect(told(await new ChangeFeed<Note>(sandbox, 'others').after(0, 5))).toEqual([
        'deleted 2 two',
      ]);
    });
  });
}
