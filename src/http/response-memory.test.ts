import { expect, test } from 'vitest';
import { ResponseMemory } from './response-memory.js';

/** Makes a text of a source that says how often one was made. */
function counted(memory = new ResponseMemory<{ text: string }>()) {
  let count = 0;
  return (source: object, key = '', text = '') =>
    memory.get(source, key, () => ({ text: `${text}${++count}` })).text;
}

test('a text is made once of a source that comes again', () => {
  const textOf = counted();
  const list = [1];
  expect([textOf(list), textOf(list), textOf(list), textOf(list)]).toEqual(['1', '2', '2', '2']);
});

test('sources are told apart by what they are, not by what is in them', () => {
  const textOf = counted();
  const [one, other] = [[1], [1]];
  for (const list of [one, other]) textOf(list);
  expect([textOf(one), textOf(other), textOf(one), textOf(other)]).toEqual(['3', '4', '3', '4']);
});

test('keys are told apart', () => {
  const textOf = counted();
  const list: unknown[] = [];
  textOf(list);
  expect([textOf(list, 'a'), textOf(list, 'b'), textOf(list, 'a')]).toEqual(['2', '3', '2']);
});

test('what failed to be made is made anew', () => {
  const memory = new ResponseMemory<{ text: string }>();
  const list = {};
  const fail = () => {
    throw new Error('It cannot be made.');
  };
  for (let time = 0; time < 3; time += 1) expect(() => memory.get(list, '', fail)).toThrow();
  expect(memory.get(list, '', () => ({ text: 'made' })).text).toBe('made');
});

test('a text of more than 512 Ki characters is not kept', () => {
  const textOf = counted();
  const list = {};
  const long = 'x'.repeat(512 * 1024);
  textOf(list);
  expect(textOf(list, '', long)).not.toBe(textOf(list, '', long));
});

test('of many the ones that were used last are kept, 8 MiB together', () => {
  const textOf = counted();
  const list = {};
  const long = 'x'.repeat(400 * 1024);
  textOf(list);
  const first = textOf(list, '0', long);
  expect(textOf(list, '0', long)).toBe(first);
  for (let key = 1; key < 12; key += 1) textOf(list, String(key), long);
  const last = textOf(list, '11', long);
  expect(textOf(list, '11', long)).toBe(last);
  expect(textOf(list, '0', long)).not.toBe(first);
});
