import { describe, expect, test } from 'vitest';
import { Shares } from './shares.js';

function sharesOf(places: readonly string[], limit = 10, perOwner = limit) {
  const shares = new Shares<string>(limit, perOwner);
  for (const place of places) shares.add(place.charAt(0), place);
  return shares;
}

test.each([
  ['nothing is taken', [], 'a', false, false],
  ['there is one place left', ['a1'], 'a', false, false],
  ['the share of the owner is used up', ['a1', 'a2'], 'a', true, false],
  ['the share of another owner is used up', ['a1', 'a2'], 'b', false, false],
  ['all places are taken', ['a1', 'a2', 'b1', 'c1'], 'b', false, true],
])('%s', (_name, places, owner, isUsedUp, isFull) => {
  const shares = sharesOf(places, 4, 2);
  expect([shares.isUsedUpBy(owner), shares.isFull, shares.size]).toEqual([
    isUsedUp,
    isFull,
    places.length,
  ]);
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
])('rivals: %s', (_name, places, owner, rivals) => {
  expect(sharesOf(places).rivalsOf(owner)).toEqual(rivals && new Set(rivals));
});

test('a place is removed once, and is no longer counted', () => {
  const shares = sharesOf(['a1', 'a2', 'b1']);
  expect([shares.remove('a', 'a1'), shares.remove('a', 'a1'), shares.remove('x', 'x1')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(shares.size).toBe(2);
  expect(shares.rivalsOf('c')).toBeUndefined();
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
    [[], []],
  ])('of %j follow the order %j', (places, order) => {
    const shares = sharesOf(places);
    expect(places.map(() => shares.takeNext())).toEqual(order);
    expect([shares.takeNext(), shares.size]).toEqual([undefined, 0]);
  });

  test('an owner who arrives later waits for one turn of each', () => {
    const shares = sharesOf(['a1', 'a2', 'a3', 'a4']);
    const taken = [shares.takeNext()];
    shares.add('b', 'b1');
    for (let turn = 0; turn < 2; turn++) taken.push(shares.takeNext());
    expect(taken).toEqual(['a1', 'a2', 'b1']);
  });
});
