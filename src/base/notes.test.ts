import { expect, test } from 'vitest';
import { createNotes } from './notes.js';

test.each([
  ['an object', {}],
  ['a frozen object', Object.freeze({})],
  ['an array', []],
  ['an instance of a class', new Map()],
])('%s has its latest note of each kind', (_what, target) => {
  const [texts, numbers] = [createNotes<string>(), createNotes<number>()];
  expect([texts.find(target), numbers.find(target)]).toEqual([undefined, undefined]);
  texts.set(target, 'first');
  texts.set(target, 'second');
  expect([texts.find(target), numbers.find(target)]).toEqual(['second', undefined]);
});

test('a note is not copied, listed, compared or written as JSON', () => {
  const notes = createNotes<string>();
  const target = { id: 1 };
  notes.set(target, 'note');
  expect(notes.find({ ...target })).toBeUndefined();
  expect(Reflect.ownKeys(target)).toEqual(['id']);
  expect(target).toEqual({ id: 1 });
  expect(JSON.stringify(target)).toBe('{"id":1}');
});
