import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Unordered } from './unordered.js';

const itemsOf = (count: number) => Array.from({ length: count }, () => ({ place: -1 }));

test('it has the members of a Set, whatever is added and removed', () => {
  const step = fc.tuple(fc.boolean(), fc.nat({ max: 9 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const items = itemsOf(10);
      const [expected, actual] = [new Set<object>(), new Unordered<{ place: number }>()];
      for (const [isAdded, which] of steps) {
        const item = items[which] as { place: number };
        if (isAdded) expected.add(item);
        else expected.delete(item);
        if (isAdded) actual.add(item);
        else actual.delete(item);
        expect(actual.size).toBe(expected.size);
        expect(new Set(actual)).toEqual(expected);
        expect(items.filter(({ place }) => place >= 0)).toHaveLength(expected.size);
      }
    }),
  );
});

test('members may be removed while they are visited, and each is visited once', () => {
  const items = itemsOf(5);
  const all = new Unordered<{ place: number }>();
  for (const item of items) all.add(item);
  const visited: object[] = [];
  for (const item of all) {
    visited.push(item);
    all.delete(item);
  }
  expect(new Set(visited).size).toBe(5);
  expect(all.size).toBe(0);
});
