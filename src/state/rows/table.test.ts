import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { caseCount } from '../../../test/support/case-count.js';
import { tableOf } from '../../../test/support/table-of.js';
import { createMemoryState } from '../memory/memory-state.js';
import { CapacityError } from '../state.js';
import { Dataset, maxCreatedRows } from './dataset.js';

interface Note {
  readonly id: number;
  readonly text: string;
}

const dataset = new Dataset<Note>({
  name: 'notes',
  rows: Object.freeze([
    { id: 1, text: 'one' },
    { id: 2, text: 'two' },
    { id: 5, text: 'five' },
  ]),
});

function setUp() {
  const state = createMemoryState({ clock: () => 42 });
  const notes = tableOf(state.sandbox(''), dataset);
  const create = async (text: string) => notes.create((id) => ({ id, text }));
  return { state, notes, create };
}

describe('a table', () => {
  test('without changes returns the frozen rows themselves', async () => {
    const { notes } = setUp();
    expect(await notes.list()).toBe(dataset.rows);
    for (const row of dataset.rows) expect(await notes.get(row.id)).toBe(row);
    for (const id of [-1, 0, 1.5, 3, 4, 6, 2 ** 53, Number.NaN]) {
      expect(await notes.get(id)).toBeUndefined();
    }
  });

  test('assigns a new row the next id, and never reuses it', async () => {
    const { notes, create } = setUp();
    expect(await create('six')).toEqual({ id: 6, text: 'six' });
    expect(await notes.remove(6)).toBe(true);
    expect(await create('seven')).toEqual({ id: 7, text: 'seven' });
    expect((await notes.list()).map((row) => row.id)).toEqual([1, 2, 5, 7]);
  });

  test('does not reuse the id of a removed last row of the dataset', async () => {
    const { notes, create } = setUp();
    await notes.remove(5);
    expect((await create('x')).id).toBe(6);
  });

  test('changes a row in its place, with the current time', async () => {
    const { notes } = setUp();
    const changed = await notes.update(2, (row, nowMs) => ({
      ...row,
      text: `${row.text}@${nowMs}`,
    }));
    expect(changed).toEqual({ id: 2, text: 'two@42' });
    expect(await notes.list()).toEqual([
      dataset.rows[0],
      { id: 2, text: 'two@42' },
      dataset.rows[2],
    ]);
    expect(dataset.rows[1]).toEqual({ id: 2, text: 'two' });
  });

  test('changes nothing for an id that does not exist', async () => {
    const { notes } = setUp();
    expect(await notes.update(99, (row) => row)).toBeUndefined();
    expect(await notes.remove(99)).toBe(false);
    expect(await notes.list()).toBe(dataset.rows);
  });

  test('keeps a row whose removal or change is rejected', async () => {
    const { notes } = setUp();
    const reject = () => {
      throw new Error('refused');
    };
    await expect(async () => notes.remove(1, reject)).rejects.toThrow('refused');
    await expect(async () => notes.update(1, reject)).rejects.toThrow('refused');
    expect(await notes.list()).toBe(dataset.rows);
  });

  test('of another sandbox does not see these changes', async () => {
    const { state, create } = setUp();
    await create('mine');
    expect(await tableOf(state.sandbox('other'), dataset).list()).toBe(dataset.rows);
  });

  test(`holds at most ${maxCreatedRows} created rows at a time`, async () => {
    const { notes, create } = setUp();
    for (let index = 0; index < maxCreatedRows; index++) await create('more');
    await expect(create('one too many')).rejects.toThrow(CapacityError);
    await notes.remove(6);
    expect((await create('room again')).id).toBe(6 + maxCreatedRows);
  });

  test('lists the same array until something is written', async () => {
    const { notes, create } = setUp();
    await create('six');
    const listed = await notes.list();
    expect(await notes.list()).toBe(listed);
    await create('seven');
    expect(await notes.list()).not.toBe(listed);
  });

  test('agrees with a plain array on random histories', async () => {
    const id = fc.integer({ min: 0, max: 12 });
    const step = fc.oneof(
      fc.record({ kind: fc.constant('create' as const), text: fc.string() }),
      fc.record({ kind: fc.constant('update' as const), id, text: fc.string() }),
      fc.record({ kind: fc.constant('remove' as const), id }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { notes, create } = setUp();
        let model: Note[] = [...dataset.rows];
        let nextId = 6;
        for (const each of steps) {
          if (each.kind === 'create') {
            model.push({ id: nextId++, text: each.text });
            await create(each.text);
          } else if (each.kind === 'update') {
            model = model.map((row) => (row.id === each.id ? { ...row, text: each.text } : row));
            await notes.update(each.id, (row) => ({ ...row, text: each.text }));
          } else {
            model = model.filter((row) => row.id !== each.id);
            await notes.remove(each.id);
          }
          expect(await notes.list()).toEqual(model);
        }
      }),
      { numRuns: caseCount(200, 20_000) },
    );
  });
});
