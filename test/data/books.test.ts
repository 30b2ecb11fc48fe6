import { describe, expect, test } from 'vitest';
import { loadDatasets } from '../../src/data/load-datasets.js';
import { requestText, sendAll } from '../support/raw-connection.js';
import { useService } from '../support/service.js';

const service = useService();
const { books } = loadDatasets();

const valid = {
  title: 'A Test of Books',
  author: 'T. Ester',
  isbn: '9780306406157',
  publishedYear: 2024,
  pages: 120,
};

test('a book has the fields of the GraphQL type, in their order', async () => {
  const { json } = await service.send('GET /api/Books/1');
  expect(json).toEqual(books[0]);
  const query = '{ __type(name: "Book") { fields { name } } }';
  const described = await service.send('POST /graphql', { json: { query } });
  const fields = described.json.data.__type.fields.map(({ name }: { name: string }) => name);
  expect(Object.keys(json)).toEqual(fields);
  expect(fields.slice(0, 4)).toEqual(['id', 'title', 'author', 'isbn']);
});

test('the list is filtered, searched and sorted like the list of events', async () => {
  const { json, headers } = await service.send(
    'GET /api/books?available=TRUE&rating_gte=4.5&q=the&sort=-publishedYear&limit=3',
  );
  const matching = books
    .filter((book) => book.available && book.rating >= 4.5)
    .filter(({ title, author, isbn, genre, language, tags }) =>
      [title, author, isbn, genre, language, ...tags].join('\n').toLowerCase().includes('the'),
    )
    .sort((a, b) => b.publishedYear - a.publishedYear || a.id - b.id);
  expect(headers['x-total-count']).toBe(String(matching.length));
  expect(json).toEqual(matching.slice(0, 3));
});

test.each([
  ['available=yes', 'available', 'must be true or false'],
  ['available_gte=true', 'available_gte', 'Unknown query parameter'],
  ['pages=many', 'pages', 'must be an integer'],
  ['startsAt=2027-01-01', 'startsAt', 'a field (id, title, author'],
])('?%s is 400, and the response names %s', async (query, field, message) => {
  const { status, json } = await service.send(`GET /api/Books?${query}`);
  expect(status).toBe(400);
  expect(json.errors).toEqual([{ field, message: expect.stringContaining(message) }]);
});

describe.each([
  ['genres', 'genre'],
  ['authors', 'author'],
] as const)('/api/Books/%s', (segment, field) => {
  test('lists every value once, and each is a filter that finds its books', async () => {
    const { json } = await service.send(`GET /api/Books/${segment}`);
    const expected = [...new Set(books.map((book) => book[field]))];
    expect([...json].sort()).toEqual(expected.sort());
    expect(json).toEqual([...json].sort((a: string, b: string) => a.localeCompare(b, 'en')));
    for (const value of json) {
      const found = await service.send(`GET /api/Books?${field}=${encodeURIComponent(value)}`);
      expect(found.json).toEqual(books.filter((book) => book[field] === value));
    }
  });
});

describe('by ISBN', () => {
  test.each(['9780547928227', '978-0-547-92822-7', '054792822X', '0-547-92822-x'])(
    '%s is The Hobbit',
    async (isbn) => {
      const { status, json, headers } = await service.send(`GET /api/Books/isbn/${isbn}`);
      expect(status).toBe(200);
      expect(json).toEqual(books[0]);
      const conditional = { headers: { 'If-None-Match': headers.etag as string } };
      expect((await service.send(`GET /api/Books/isbn/${isbn}`, conditional)).status).toBe(304);
    },
  );

  test('an unknown ISBN is 404', async () => {
    const { status, json } = await service.send('GET /api/Books/isbn/9791090636071');
    expect(status).toBe(404);
    expect(json.message).toContain('no book with the ISBN 9791090636071');
  });

  test.each([
    ['9780547928228', 'wrong check digit; it must end in 7'],
    ['hobbit', '13 digits'],
    ['0-547-92822-7', 'wrong check digit; it must end in X'],
    ['054792822', '13 digits'],
  ])('%s is 400, and the response says what is wrong', async (isbn, message) => {
    const { status, json } = await service.send(`GET /api/Books/isbn/${isbn}`);
    expect(status).toBe(400);
    expect(json.message).toContain(message);
  });
});

describe('a new book', () => {
  test('needs five fields, and is counted, listed and found at once', async () => {
    const { status, json, headers } = await service.send('POST /api/Books', { json: valid });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      id: 26,
      ...valid,
      genre: 'Other',
      language: 'English',
      price: 0,
      rating: 0,
      available: true,
      tags: [],
    });
    expect(headers.location).toBe(`${service.url}/api/Books/26`);
    expect((await service.send('GET /api/Books/count')).json).toEqual({ count: 26 });
    expect((await service.send('GET /api/Books/genres')).json).toContain('Other');
    expect((await service.send('GET /api/Books/isbn/0306406152')).json.id).toBe(26);
    expect((await service.send('DELETE /api/Books/26')).status).toBe(204);
    expect((await service.send('GET /api/Books/count')).json).toEqual({ count: 25 });
  });

  test.each<[string, object, string]>([
    ['isbn', { isbn: '9780306406158' }, 'has the wrong check digit; it must end in 7'],
    ['isbn', { isbn: '978-0-306-40615-7' }, 'must be an ISBN-13: 13 digits without hyphens'],
    ['isbn', { isbn: 9780306406157 }, 'must be a string; got 9780306406157'],
    ['title', { title: 'Ulysses\u0000' }, 'must hold no control characters, but U+0000'],
    ['author', { author: 'James\tJoyce' }, 'must hold no control characters, but U+0009'],
    ['genre', { genre: '\u2028' }, 'must hold no control characters, but U+2028'],
    ['language', { language: 'Irish\u009f' }, 'must hold no control characters, but U+009F'],
    ['tags.0', { tags: ['\u007f'] }, 'must hold no control characters, but U+007F'],
    ['rating', { rating: 5.1 }, 'must be a number from 0 to 5'],
    ['pages', { pages: 0 }, 'must be an integer from 1 to 100000'],
    ['publishedYear', { publishedYear: 2024.5 }, 'must be an integer'],
    ['available', { available: 'true' }, 'must be true or false'],
  ])('with an invalid %s is 400', async (field, fault, message) => {
    const { status, json } = await service.send('POST /api/Books', {
      json: { ...valid, ...fault },
    });
    expect(status).toBe(400);
    expect(json.errors).toEqual([{ field, message: expect.stringContaining(message) }]);
  });
});

test('a thousand books may be created; one more is 409 until a book is deleted', async () => {
  const create = () => service.send('POST /api/Books', { json: valid });
  const type = { 'Content-Type': 'application/json' };
  const request = requestText('POST /api/Books', type, JSON.stringify(valid));
  const before = (await service.send('GET /api/Books')).json.length;
  await sendAll(service.url, Array(1000).fill(request), 201);
  const ids = (await service.send('GET /api/Books')).json.map(({ id }: { id: number }) => id);
  expect(new Set(ids).size).toBe(before + 1000);
  const rejected = await create();
  expect(rejected.status).toBe(409);
  expect(rejected.json.message).toContain('1000 created books');
  expect((await service.send(`DELETE /api/Books/${ids.at(-500)}`)).status).toBe(204);
  expect((await create()).status).toBe(201);
});
