import { expect, test } from 'vitest';
import { tableOf } from '../../../test/support/table-of.js';
import { createMemoryState } from '../memory/memory-state.js';
import { Dataset } from './dataset.js';
import { modifiedAtOf, writtenJsonOf } from './written-row.js';

interface Note {
  readonly id: number;
  readonly text: string;
}

const dataset = new Dataset<Note>({ name: 'notes', rows: [] });

test('a written row is parsed from its JSON once, however often it is read', async () => {
  const notes = tableOf(createMemoryState({ clock: () => 1000 }).sandbox('s'), dataset);
  const made = await notes.create((id) => ({ id, text: 'first' }));
  const read = (await notes.get(made.id)) as Note;
  expect(read).toEqual({ id: 1, text: 'first' });
  expect(read).not.toBe(made);
  expect(await notes.get(made.id)).toBe(read);
  expect((await notes.list())[0]).toBe(read);
});

test('the time and the JSON of a written row are known before and after it is read', async () => {
  let nowMs = 1000;
  const notes = tableOf(createMemoryState({ clock: () => nowMs }).sandbox('s'), dataset);
  const made = await notes.create((id) => ({ id, text: 'first' }));
  expect([modifiedAtOf(made), writtenJsonOf(made)]).toEqual([1000, '{"id":1,"text":"first"}']);
  nowMs = 2000;
  await notes.create((id) => ({ id, text: 'second' }));
  const read = (await notes.get(1)) as Note;
  expect([modifiedAtOf(read), writtenJsonOf(read)]).toEqual([1000, '{"id":1,"text":"first"}']);
  expect(JSON.stringify(read)).toBe('{"id":1,"text":"first"}');
});
