import { expect, test } from 'vitest';
import { ResponseMemory } from './response-memory.js';

/** Makes a text from a source, and counts how often. */
function counted(memory = new ResponseMemory()) {
  let count = 0;
  return (source: object | object[], key = '', text = '') => {
    const sources = [source].flat();
    return memory
      .get(sources, key, () => ({ body: Buffer.from(`${text}${++count}`) }))
      .body.toString();
  };
}

test('a text is made once for a repeated source', () => {
  const textOf = counted();
  const list = {};
  expect([textOf(list), textOf(list), textOf(list), textOf(list)]).toEqual(['1', '2', '2', '2']);
});

test('sources are distinguished by identity, not by content', () => {
  const textOf = counted();
  const [one, other] = [{ a: 1 }, { a: 1 }];
  for (const list of [one, other]) textOf(list);
  expect([textOf(one), textOf(other), textOf(one), textOf(other)]).toEqual(['3', '4', '3', '4']);
});

test('keys are distinguished', () => {
  const textOf = counted();
  const list = {};
  textOf(list);
  expect([textOf(list, 'a'), textOf(list, 'b'), textOf(list, 'a')]).toEqual(['2', '3', '2']);
});

test('another object among several sources makes another text', () => {
  const textOf = counted();
  const [one, two, three] = [{}, {}, {}];
  for (const source of [one, two]) textOf(source);
  expect([textOf([one, two]), textOf([one, two]), textOf([two, one])]).toEqual(['3', '3', '4']);
  // Nothing is kept if a source is new.
  expect([textOf([one, three]), textOf([one, three]), textOf([one, three])]).toEqual([
    '5',
    '6',
    '6',
  ]);
});

test('after a failure the text is made again', () => {
  const memory = new ResponseMemory();
  const list = {};
  const fail = () => {
    throw new Error('It cannot be made.');
  };
  for (let time = 0; time < 3; time += 1) expect(() => memory.get([list], '', fail)).toThrow();
  expect(String(memory.get([list], '', () => ({ body: Buffer.from('made') })).body)).toBe('made');
});

test('a body of more than 512 KiB is not kept', () => {
  const textOf = counted();
  const list = {};
  const long = 'x'.repeat(512 * 1024);
  textOf(list);
  expect(textOf(list, '', long)).not.toBe(textOf(list, '', long));
});

test('the most recently used bodies are kept, 8 MiB together', () => {
  const textOf = counted();
  const list = {};
  const long = 'x'.repeat(500 * 1024);
  textOf(list);
  const first = textOf(list, '0', long);
  expect(textOf(list, '0', long)).toBe(first);
  for (let key = 1; key < 18; key += 1) textOf(list, String(key), long);
  const last = textOf(list, '17', long);
  expect(textOf(list, '17', long)).toBe(last);
  expect(textOf(list, '0', long)).not.toBe(first);
});
