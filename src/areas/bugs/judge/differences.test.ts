import { expect, test } from 'vitest';
import { differencesOf, type Outcome, withoutVolatile } from './differences.js';

const outcome = (body: unknown): Outcome => ({ status: 200, headers: {}, body, state: null });
const between = (one: unknown, other: unknown) => [...differencesOf(outcome(one), outcome(other))];

test.each<[string, unknown, unknown, string[]]>([
  ['equal values', { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, []],
  ['a member', { a: 1, b: 2 }, { a: 1, b: 3 }, ['body.b']],
  ['a missing member', { a: 1 }, {}, ['body.a']],
  ['an item', [1, 2], [1, 3], ['body.1']],
  ['the order of items', [1, 2], [2, 1], ['body.0', 'body.1']],
  ['one more item', [1, 2], [1, 2, 3], ['body']],
  ['one item less', [1, 2], [1], ['body']],
  ['an empty list and one with an item', [], [1], ['body']],
  ['a list and an object with the same members', [1], { 0: 1 }, ['body']],
  ['null and an object', null, {}, ['body']],
  ['a number and its text', { a: 1 }, { a: '1' }, ['body.a']],
])('%s: the paths that differ', (_name, one, other, paths) => {
  expect(between(one, other)).toEqual(paths);
  expect(between(other, one)).toEqual(paths);
});

test.each([
  [59, 59],
  [60, 59],
  [10_000, 59],
])('in %i objects, a difference is found in the %ith', (depth, found) => {
  const deep = (leaf: number) => {
    let value: unknown = leaf;
    for (let count = 0; count < depth; count++) value = { a: value };
    return value;
  };
  expect(between(deep(1), deep(2))).toEqual([['body', ...Array(found).fill('a')].join('.')]);
});

test.each([
  [499, 499],
  [500, 500],
  [501, 500],
])('of %i differences, %i are found', (count, found) => {
  const list = (value: number) => Array(count).fill(value);
  expect(between(list(1), list(2))).toHaveLength(found);
});

test('what two right outcomes differ in counts for nothing, with all below it', () => {
  const found = new Set(['body.id', 'body.a.b', 'body.ab', 'status']);
  expect(withoutVolatile(found, new Set(['body.id', 'body.a']))).toEqual(['body.ab', 'status']);
  expect(withoutVolatile(found, new Set())).toEqual([...found]);
});
