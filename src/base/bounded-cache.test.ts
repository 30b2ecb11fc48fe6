import { expect, test } from 'vitest';
import { createBoundedCache } from './bounded-cache.js';

function counting(limits: { maxEntries: number; maxWeight: number }) {
  const made: string[] = [];
  const cache = createBoundedCache<string>({ ...limits, weigh: (value) => value.length });
  return {
    cache,
    made,
    get: (text: string) =>
      cache.get(text, (missing) => {
        made.push(missing);
        return missing;
      }),
  };
}

test('makes a value once, however often it is requested', () => {
  const { made, get } = counting({ maxEntries: 10, maxWeight: 100 });
  expect([get('a'), get('a'), get('b'), get('a')]).toEqual(['a', 'a', 'b', 'a']);
  expect(made).toEqual(['a', 'b']);
});

test('drops the least recently used values when there are too many', () => {
  const { cache, made, get } = counting({ maxEntries: 2, maxWeight: 100 });
  for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) get(text);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
  expect(cache.size).toBe(2);
});

test('drops the least recently used values when they weigh too much', () => {
  const { cache, made, get } = counting({ maxEntries: 100, maxWeight: 10 });
  for (const text of ['aaaa', 'bbbb', 'aaaa', 'cccc', 'aaaa', 'bbbb']) get(text);
  expect(made).toEqual(['aaaa', 'bbbb', 'cccc', 'bbbb']);
  expect(cache.weight).toBe(8);
});

test('does not keep a value heavier than the whole limit, nor drop others for it', () => {
  const { cache, made, get } = counting({ maxEntries: 100, maxWeight: 10 });
  for (const text of ['a', 'b'.repeat(11), 'b'.repeat(11), 'a']) get(text);
  expect(made).toEqual(['a', 'b'.repeat(11), 'b'.repeat(11)]);
  expect(cache.size).toBe(1);
});

test('replaces the kept value', () => {
  const { cache } = counting({ maxEntries: 100, maxWeight: 10 });
  cache.keep('a', 'old!');
  cache.keep('a', 'new');
  expect([cache.find('a'), cache.find('b')]).toEqual(['new', undefined]);
  expect([cache.size, cache.weight]).toEqual([1, 3]);
});

test('stays within its limits for any sequence of calls', () => {
  const { cache, get } = counting({ maxEntries: 50, maxWeight: 500 });
  for (let index = 0; index < 5000; index++) {
    get(String(index % 777).repeat(1 + (index % 13)));
    expect(cache.size).toBeLessThanOrEqual(50);
    expect(cache.weight).toBeLessThanOrEqual(500);
  }
});
