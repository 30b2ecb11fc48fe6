import { describe, expect, test } from 'vitest';
import { Shares } from './shares.js';

/** The place `a1` belongs to the owner `a`, and `ax1` to its part `x`. */
function ownerOf(place: string) {
  const [name = '', part = ''] = place.replace(/\d/g, '');
  return { name, part };
}

function sharesOf(places: readonly string[], limit = 10) {
  const shares = new Shares<string>(limit);
  for (const place of places) shares.add(ownerOf(place), place);
  return shares;
}

test.each([
  ['nothing is taken', [], false],
  ['there is one place left', ['a1', 'ax1', 'b1'], false],
  ['all places are taken', ['a1', 'ax1', 'b1', 'c1'], true],
])('%s', (_name, places, isFull) => {
  const shares = sharesOf(places, 4);
  expect([shares.isFull, shares.size]).toEqual([isFull, places.length]);
});

test.each([
  ['of nothing there are none', [], 'a', undefined],
  ['an owner does not displace its own places', ['a1', 'a2'], 'a', undefined],
  [
    'a new owner displaces the places of the owner with most',
    ['a1', 'a2', 'b1'],
    'c',
    ['a1', 'a2'],
  ],
  ['no owner displaces when it would have as many then', ['a1', 'a2', 'b1'], 'b', undefined],
  ['a new owner displaces no only place', ['a1', 'b1'], 'c', undefined],
  [
    'a place without an owner displaces as a new owner would',
    ['a1', 'a2'],
    undefined,
    ['a1', 'a2'],
  ],
  [
    'the parts of an owner count together, and the largest makes room',
    ['ax1', 'ay1', 'ay2', 'b1', 'b2'],
    'c',
    ['ay1', 'ay2'],
  ],
  ['as many parts as there are make no owner smaller', ['ax1', 'ay1', 'b1'], 'b', undefined],
  ['a part displaces the largest part of its owner', ['ax1', 'ax2', 'b1'], 'ay', ['ax1', 'ax2']],
  ['a part displaces no part that has no more', ['ax1', 'ay1', 'b1'], 'az', undefined],
  ['a part displaces nothing of a smaller owner', ['ax1', 'b1', 'b2'], 'ay', undefined],
])('rivals: %s', (_name, places, owner, rivals) => {
  const wanted = owner === undefined ? undefined : ownerOf(owner);
  expect(sharesOf(places).rivalsOf(wanted)).toEqual(rivals && new Set(rivals));
});

test('a place is removed once, and is no longer counted', () => {
  const shares = sharesOf(['a1', 'a2', 'b1']);
  const remove = (place: string) => shares.remove(ownerOf(place), place);
  expect(['a1', 'a1', 'x1', 'ax1'].map(remove)).toEqual([true, false, false, false]);
  expect(shares.size).toBe(2);
  expect(shares.rivalsOf(ownerOf('c'))).toBeUndefined();
});

describe('turns', () => {
  test.each([
    [
      ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'],
      ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'],
    ],
    [
      ['a1', 'b1', 'a2'],
      ['a1', 'b1', 'a2'],
    ],
    [
      ['ax1', 'ax2', 'ax3', 'ay1', 'b1', 'b2', 'b3'],
      ['ax1', 'b1', 'ay1', 'b2', 'ax2', 'b3', 'ax3'],
    ],
    [[], []],
  ])('of %j follow the order %j', (places, order) => {
    const shares = sharesOf(places);
    expect(places.map(() => shares.takeNext())).toEqual(order);
    expect([shares.takeNext(), shares.size]).toEqual([undefined, 0]);
  });

  test('an owner who arrives later waits for one turn of each', () => {
    const shares = sharesOf(['a1', 'a2', 'a3', 'a4']);
    const taken = [shares.takeNext()];
    shares.add(ownerOf('b1'), 'b1');
    for (let turn = 0; turn < 2; turn++) taken.push(shares.takeNext());
    expect(taken).toEqual(['a1', 'a2', 'b1']);
  });
});
