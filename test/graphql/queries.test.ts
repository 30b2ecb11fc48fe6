import { describe, expect, test } from 'vitest';
import { loadDatasets } from '../../src/data/load-datasets.js';
import { wholeRecord } from '../../src/data/record-schemas.js';
import { type DatasetName, datasetNames, declarations } from '../../src/data/records.js';
import { useService } from '../support/service.js';
import { useGraphQL } from './graphql.js';

const service = useService();
const graphql = useGraphQL(service);
const datasets = loadDatasets();

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
}

/** Every field of a type, and of nested types. */
function selectionOf({ properties = {} }: Shape): string {
  const fields = Object.entries(properties).map(([name, field]) =>
    field.properties === undefined ? name : `${name} { ${selectionOf(field)} }`,
  );
  return fields.join(' ');
}

/** The items of paging are not in the schema. */
const names = datasetNames.filter((name) => name !== 'items');

const selections = Object.fromEntries(
  names.map((name) => [name, selectionOf(wholeRecord(declarations[name]))]),
) as Readonly<Record<DatasetName, string>>;

/** The records in responses: with absolute image URLs. */
function sent(records: readonly object[]) {
  return JSON.parse(JSON.stringify(records).replaceAll('"/images/', `"${service.url}/images/`));
}

describe('a list returns all records with all their fields', () => {
  test.each(Object.entries(selections))('%s', async (name, selection) => {
    const data = await graphql.data(`{ ${name} { ${selection} } }`);
    expect(data[name]).toEqual(sent(datasets[name as DatasetName]));
  });
});

test('there are 25 books', async () => {
  expect((await graphql.data('{ books { id } }')).books).toHaveLength(25);
});

describe('one record by its id', () => {
  test.each([
    ['user', 'users'],
    ['product', 'products'],
    ['post', 'posts'],
    ['employee', 'employees'],
    ['book', 'books'],
    ['movie', 'movies'],
  ] as const)('%s', async (field, name) => {
    const query = `query ($id: Int!) { ${field}(id: $id) { ${selections[name]} } }`;
    for (const record of [datasets[name][0], datasets[name].at(-1)]) {
      const data = await graphql.data(query, { id: record?.id });
      expect(data[field]).toEqual(sent([record as object])[0]);
    }
    for (const id of [0, -1, 1_000_000, 2147483647, -2147483648]) {
      const { status, json } = await graphql.run(query, { id });
      expect(status).toBe(200);
      expect(json).toEqual({ data: { [field]: null } });
    }
  });
});

describe('filters', () => {
  const titles = (records: readonly { readonly title: string }[]) => records.map((r) => r.title);

  test('a filter ignores the case of letters beyond ASCII', async () => {
    const headers = { 'X-Sandbox': 'letters' };
    const json = {
      name: 'Ball',
      category: 'Straßenfest Łódź',
      venue: 'v',
      city: 'c',
      organizer: 'o',
      startsAt: '2027-01-01T10:00:00Z',
      endsAt: '2027-01-01T12:00:00Z',
      price: 1,
      capacity: 10,
    };
    expect((await service.send('POST /api/Events', { headers, json })).status).toBe(201);
    const find = async (category: string) =>
      (
        await graphql.post(
          {
            query: 'query ($c: String) { events(category: $c) { name } }',
            variables: { c: category },
          },
          headers,
        )
      ).data.events.length;
    expect(await find('straßenfest łódź')).toBe(1);
    expect(await find('STRAßENFEST ŁÓDŹ')).toBe(1);
    // Uppercasing would make these the same; they are different letters.
    expect(await find('STRASSENFEST ŁÓDŹ')).toBe(0);
  });

  test.each(['Fantasy', 'fantasy', 'FANTASY', 'fAnTaSy'])('books(genre: "%s")', async (genre) => {
    const fantasy = datasets.books.filter((book) => book.genre === 'Fantasy');
    const { books } = await graphql.data(`{ books(genre: "${genre}") { title } }`);
    expect(titles(books)).toEqual(titles(fantasy));
    expect(books.length).toBeGreaterThan(0);
  });

  const cases: readonly [call: string, expected: readonly object[]][] = [
    [
      'products(category: "electronics")',
      datasets.products.filter(({ category }) => category === 'Electronics'),
    ],
    ['posts(userId: 2)', datasets.posts.filter(({ userId }) => userId === 2)],
    ['todos(completed: true)', datasets.todos.filter(({ completed }) => completed)],
    ['todos(completed: false)', datasets.todos.filter(({ completed }) => !completed)],
    [
      'employees(department: "ENGINEERING")',
      datasets.employees.filter(({ department }) => department === 'Engineering'),
    ],
    ['movies(genre: "drama")', datasets.movies.filter(({ genres }) => genres.includes('Drama'))],
    ['countries(region: "europe")', datasets.countries.filter(({ region }) => region === 'Europe')],
    ['events(category: "music")', datasets.events.filter(({ category }) => category === 'Music')],
    ['albums(userId: 3)', datasets.albums.filter(({ userId }) => userId === 3)],
    ['photos(albumId: 4)', datasets.photos.filter(({ albumId }) => albumId === 4)],
  ];

  test.each(cases)('%s', async (call, expected) => {
    const { found } = await graphql.data(`{ found: ${call} { id } }`);
    expect(found).toEqual(expected.map((record) => ({ id: (record as { id: number }).id })));
    expect(found.length).toBeGreaterThan(0);
    const name = call.split('(')[0] as DatasetName;
    expect(found.length).toBeLessThan(datasets[name].length);
  });

  test.each([
    'books(genre: "nothing")',
    'books(genre: "fantaſy")',
    'books(genre: "")',
    'products(category: "x")',
    'posts(userId: 999)',
    'employees(department: "x")',
    'movies(genre: "x")',
    'countries(region: "x")',
    'events(category: "x")',
    'albums(userId: -1)',
    'photos(albumId: 0)',
  ])('%s matches nothing and returns an empty list', async (call) => {
    expect(await graphql.data(`{ found: ${call} { id } }`)).toEqual({ found: [] });
  });

  test.each(['NO', 'no', 'No', 'NOR', 'nor'])('country(code: "%s")', async (code) => {
    const { country } = await graphql.data(`{ country(code: "${code}") { name code code3 } }`);
    expect(country).toEqual({ name: 'Norway', code: 'NO', code3: 'NOR' });
  });

  // Uppercased, the last ones become SS, FI, IT and SS.
  test.each(['', 'N', 'XX', 'NORW', '__proto__', 'ß', 'ﬁ', 'ıt', 'ſs'])(
    'country(code: "%s") is null',
    async (code) => {
      expect(await graphql.data(`{ country(code: "${code}") { name } }`)).toEqual({
        country: null,
      });
    },
  );

  test('null, given or instead of a default, disables a filter', async () => {
    const query = 'query ($g: String = "Fantasy") { books(genre: $g) { id } }';
    expect((await graphql.data('{ books(genre: null) { id } }')).books).toHaveLength(25);
    expect((await graphql.data(query)).books.length).toBeLessThan(25);
    expect((await graphql.data(query, { g: null })).books).toHaveLength(25);
    expect((await graphql.data(query, { g: 'none' })).books).toHaveLength(0);
  });
});

describe('the language', () => {
  test('aliases request a field twice', async () => {
    const query = '{ first: book(id: 1) { title } second: book(id: 2) { title } }';
    const [first, second] = datasets.books.map(({ title }) => ({ title }));
    expect(await graphql.data(query)).toEqual({ first, second });
  });

  test('@include and @skip omit a field from the response', async () => {
    const query = `query ($yes: Boolean!, $no: Boolean!) { user(id: 1) {
      id
      a: name @include(if: $yes) b: name @include(if: $no)
      c: name @skip(if: $yes) d: name @skip(if: $no)
      e: name @include(if: true) @skip(if: true)
    } }`;
    const { user } = await graphql.data(query, { yes: true, no: false });
    expect(Object.keys(user)).toEqual(['id', 'a', 'd']);
  });

  test('fragments do not show in the response', async () => {
    const query = `
      query { user(id: 1) { ...Name ... on User { city } ... { job } } }
      fragment Name on User { id name }
    `;
    expect(await graphql.data(query)).toEqual({
      user: (({ id, name, city, job }) => ({ id, name, city, job }))(
        datasets.users[0] as (typeof datasets.users)[number],
      ),
    });
  });

  test('comments are ignored and commas optional', async () => {
    const query = '# one user\n{ user(id: 1,) { id, # the id\n name } }';
    expect(Object.keys((await graphql.data(query)).user)).toEqual(['id', 'name']);
  });

  test('extra variables are ignored', async () => {
    const query = 'query ($id: Int!) { user(id: $id) { id } }';
    expect(await graphql.data(query, { id: 1, more: 2 })).toEqual({ user: { id: 1 } });
  });

  test('operationName chooses between operations', async () => {
    const query = 'query A { user(id: 1) { id } } query B { user(id: 2) { id } }';
    const response = await graphql.post({ query, operationName: 'B' });
    expect(response.data).toEqual({ user: { id: 2 } });
  });

  test('every object has __typename', async () => {
    const data = await graphql.data(`{
      __typename
      users { __typename }
      products { __typename rating { __typename } }
      employees { __typename address { __typename geo { __typename } } }
      companies { headquarters { __typename } }
      countries { currency { __typename } }
      people { company { __typename } }
    }`);
    const names = new Set(JSON.stringify(data).match(/(?<="__typename":")\w+/g));
    expect([...names].sort()).toEqual([
      'Address',
      'CompanyHeadquarters',
      'CountryCurrency',
      'Employee',
      'GeoLocation',
      'PersonCompany',
      'Product',
      'Query',
      'Rating',
      'User',
    ]);
  });

  test('a Long above 2^31 is a plain JSON number', async () => {
    const { text } = await graphql.run('{ movies { boxOffice } countries { population } }');
    expect(text).toMatch(/"boxOffice":[2-9]\d{9}[,}]/);
    expect(text).toMatch(/"population":1\d{9}[,}]/);
  });

  test('geo is null exactly for employees in Engineering', async () => {
    const { employees } = await graphql.data(
      '{ employees { department address { geo { lat } } } }',
    );
    for (const { department, address: place } of employees) {
      expect(place.geo === null).toBe(department === 'Engineering');
    }
  });
});
