import { expect, test } from 'vitest';
import type { Services } from '../services.js';
import { Offers, OfferToken } from './offers.js';

const numbers = new OfferToken<number>('numbers');
const sums = new OfferToken<number>('sums');
const services = {} as Services;

test('offers are made once, on first use, in the order of the areas', () => {
  let made = 0;
  const offers = new Offers(
    [
      { name: 'a', offers: [numbers.of(() => ++made)] },
      { name: 'b', offers: [numbers.of(() => 7)] },
    ],
    services,
  );
  expect(made).toBe(0);
  expect(offers.one(numbers)).toBe(1);
  expect(offers.all(numbers)).toEqual([1, 7]);
});

test('without the area, its offer is absent', () => {
  const offers = new Offers([], services);
  expect(offers.one(numbers)).toBeUndefined();
  expect(offers.all(numbers)).toEqual([]);
});

test('an offer can use others, of any area', () => {
  const sum = sums.of((_services, offered) => offered.all(numbers).reduce((a, b) => a + b, 0));
  const areas = [
    { name: 'sum', needs: [numbers], offers: [sum] },
    { name: 'number', offers: [numbers.of(() => 3), numbers.of(() => 4)] },
  ];
  expect(new Offers(areas, services).one(sums)).toBe(7);
});

test('an area gets only offers that it declares as needs', () => {
  const number = { name: 'number', offers: [numbers.of(() => 3)] };
  const offers = new Offers([number], services);
  expect(offers.to({ name: 'declares', needs: [numbers] }).one(numbers)).toBe(3);
  expect(() => offers.to({ name: 'forgets' }).all(numbers)).toThrow(
    'The needs of forgets do not list the offer "numbers".',
  );
});
