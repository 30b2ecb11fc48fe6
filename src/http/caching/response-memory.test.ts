import { expect, test } from 'vitest';
import { ResponseMemory } from './response-memory.js';

/** Makes a text of a source that says how often one was made. */
function counted(memory = new ResponseMemory()) {
  let count = 0;
  return (source: object | object[], key = '', text = '') => {
    const sources = [source].flat();
    return memory
      .get(sources, key, () => ({ body: Buffer.from(`${text}${++count}`) }))
      .body.toString();
  };
}

test('a text is made once of a source that comes again', () => {
  const textOf = counted();
  const list = {};
  expect([textOf(list), textOf(list), textOf(list), textOf(list)]).toEqual(['1', '2', '2', '2']);
});

test('sources are told apart by what they are, not by what is in them', () => {
  const textOf = counted();
  const [one, other] = [{ a: 1 }, { a: 1 }];
  for (const list of [one, other]) textOf(list);
  expect([textOf(one), textOf(other), textOf(one), textOf(other)]).toEqual(['3', '4', '3', '4']);
});

test('keys are told apart', () => {
  const textOf = counted();
  const list = {};
  textOf(list);
  expect([textOf(list, 'a'), textOf(list, 'b'), textOf(list, 'a')]).toEqual(['2', '3', '2']);
});

test('one of several sources that is another makes another', () => {
  const textOf = counted();
  const [one, two, three] = [{}, {}, {}];
  for (const source of [one, two]) textOf(source);
  expect([textOf([one, two]), textOf([one, two]), textOf([two, one])]).toEqual(['3', '3', '4']);
  // Nothing is kept of those with one that is seen for the first time.
  expect([textOf([one, three]), textOf([one, three]), textOf([one, three])]).toEqual([
    '5',
    '6',
    '6',
  ]);
});

test('what failed to be made is made anew', () => {
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

test('of many the ones that were used last are kept, 8 MiB together', () => {
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
