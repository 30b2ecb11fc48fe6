/** Files of various shapes, as users of json-server have them. */

import { shapes } from '../data/own/shapes.js';

export type File = Readonly<Record<string, unknown>>;

const list = <Item>(length: number, item: (index: number) => Item) =>
  Array.from({ length }, (_, index) => item(index));

const words = ['amber', 'Birch', 'cedar', 'Dune', 'ember', 'Fjord', 'grove'];

const own: readonly (readonly [string, File])[] = [
  [
    'a shop with many products, some of them without a price',
    {
      products: list(45, (n) => ({
        id: n + 1,
        name: `${words[n % 7]} ${n}`,
        ...(n % 5 !== 0 && { price: (n * 37) % 100 }),
        categoryId: (n % 3) + 1,
        tags: list(n % 4, (t) => words[t]),
        stock: { count: n % 10, place: n % 2 === 0 ? 'north' : null },
      })),
      categories: list(3, (n) => ({ id: n + 1, name: words[n] })),
    },
  ],
  [
    'ids that are strings, and references of both types',
    {
      users: [
        { id: 'ada', name: 'Ada' },
        { id: 'Bob', name: 'Bob' },
        { id: '3', name: 'Eve' },
      ],
      notes: [
        { id: 'n1', userId: 'ada', text: 'Hello, world' },
        { id: 'n2', userId: 'Bob', text: 'hello again' },
        { id: 'n3', userId: 3, text: 'HELLO' },
      ],
    },
  ],
  ['nothing but empty collections', { posts: [], comments: [] }],
  [
    'records in records, and lists of records',
    {
      orders: [
        {
          id: 7,
          customer: { name: 'Ada', address: { city: 'Oslo' } },
          lines: [{ sku: 'a', n: 2 }],
        },
        { id: 3, customer: { name: 'Bob', address: { city: 'Rome' } }, lines: [] },
        {
          id: 11,
          customer: null,
          lines: [
            { sku: 'b', n: 1 },
            { sku: 'c', n: 5 },
          ],
        },
      ],
    },
  ],
  [
    'fields of several types',
    {
      things: [
        { id: 1, v: 2 },
        { id: 2, v: '15' },
        { id: 3, v: null },
        { id: 4 },
        { id: 5, v: true },
        { id: 6, v: ['x', 'y'] },
        { id: 7, v: 10.5 },
        { id: 8, v: '' },
      ],
    },
  ],
  [
    'two levels of dependents',
    {
      authors: [{ id: 1 }, { id: 2 }],
      books: [
        { id: 1, authorId: 1, title: 'One' },
        { id: 2, authorId: 2, title: 'Two' },
        { id: 3, authorId: 1, title: 'Three' },
      ],
      reviews: [
        { id: 1, bookId: 1, stars: 5 },
        { id: 2, bookId: 2, stars: 3 },
        { id: 3, bookId: 3, stars: 4 },
      ],
    },
  ],
  [
    'single resources and a collection of a similar name',
    {
      profile: { name: 'typicode', theme: { dark: true } },
      settings: { language: 'en', sizes: [1, 2] },
      people: [
        { id: 1, name: 'Åsa', email: 'asa@example.com' },
        { id: 2, name: 'Çelik', email: 'celik@example.com' },
      ],
      pets: [{ id: 1, personId: 2, name: 'Rex' }],
    },
  ],
  [
    'names with other letters, and long strings',
    {
      'blog-posts': [
        { id: 1, 'full title': 'With a space', body: 'x'.repeat(2000) },
        { id: 2, 'full title': 'Ünï\u2028code', body: '"quoted" \\ back' },
      ],
      Todos: [
        { id: 1, done: false, title: 'a' },
        { id: 2, done: true, title: 'b' },
      ],
    },
  ],
  [
    'ids out of order, and one of them a fraction',
    {
      rows: [
        { id: 30, n: 1 },
        { id: 4.5, n: 2 },
        { id: -2, n: 3 },
        { id: 30000, n: 4 },
      ],
    },
  ],
];

export const files: readonly (readonly [string, File])[] = [
  // The URL of a schema for editors is not served.
  ...shapes.map(([name, { $schema: _schema, ...data }]) => [name, data] as const),
  ...own,
];
