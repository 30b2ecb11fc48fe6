import { describe, expect, test } from 'vitest';
import { loadDatasets } from './load-datasets.js';
import { type Seed, seedDatasets } from './seed-datasets.js';

const packaged = loadDatasets();
const [book] = packaged.books;
const [employee] = packaged.employees;

function seed(seed: unknown) {
  const faults: string[] = [];
  return { datasets: seedDatasets(packaged, seed as Seed, faults), faults };
}

describe('a seed', () => {
  test('that is empty leaves the packaged records', () => {
    const { datasets, faults } = seed({});
    expect(faults).toEqual([]);
    expect(datasets.books).toBe(packaged.books);
  });

  test('replaces the datasets that it names by frozen copies in order of id', () => {
    const mine = [
      { ...book, id: 7 },
      { ...book, id: 2 },
    ];
    const { datasets, faults } = seed({ books: mine, users: [] });
    expect(faults).toEqual([]);
    expect(datasets.books.map(({ id }) => id)).toEqual([2, 7]);
    expect(datasets.users).toEqual([]);
    expect(datasets.events).toBe(packaged.events);
    expect(Object.isFrozen(datasets.books[0]?.tags)).toBe(true);
    expect(Object.isFrozen(mine[0])).toBe(false);
  });

  test('may omit optional fields of packaged records', () => {
    const address = { ...employee?.address, geo: null };
    expect(seed({ employees: [{ ...employee, managerId: null, address }] }).faults).toEqual([]);
  });

  test.each([
    [{ authors: [] }, 'seed.authors is not a dataset of this service.'],
    [{ toString: [{}] }, 'seed.toString is not a dataset of this service.'],
    [{ items: [] }, 'seed.items is not a dataset of this service.'],
    [{ books: {} }, 'seed.books must be an array of records.'],
    [{ books: [null] }, 'seed.books[0] must be of type object; got null.'],
    [
      { books: [{ ...book, pages: '9' }] },
      'seed.books[0].pages must be of type integer; got string.',
    ],
    [
      { books: [{ ...book, pages: 9.5 }] },
      'seed.books[0].pages must be of type integer; got number.',
    ],
    [{ books: [{ ...book, price: Number.NaN }] }, /price must be of type number/],
    [
      { books: [{ ...book, tags: [1] }] },
      'seed.books[0].tags[0] must be of type string; got number.',
    ],
    [{ books: [{ ...book, title: undefined }] }, /title must be of type string; got undefined/],
    [{ books: [{ ...book, shelf: 1 }] }, 'seed.books[0].shelf is not a field of these records.'],
    [{ books: [{ ...book, id: 0 }] }, /^seed\.books\[0\]\.id must be a unique integer from 1/],
    [{ books: [{ ...book, id: 1.5 }] }, /^seed\.books\[0\]\.id must be/],
    [{ books: [{ ...book, id: 2 ** 31 }] }, /^seed\.books\[0\]\.id must be/],
    [{ books: [book, book] }, /^seed\.books\[1\]\.id must be a unique integer/],
    [
      { employees: [{ ...employee, address: { ...employee?.address, geo: { lat: 1 } } }] },
      'seed.employees[0].address.geo.lng must be of type number; got undefined.',
    ],
  ])('is rejected with a message about each fault', (faulty, message) => {
    const [fault] = seed(faulty).faults;
    expect(fault).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  });
});
