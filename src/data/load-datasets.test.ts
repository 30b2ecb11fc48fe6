import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import currencies from 'currency-codes';
import { iso31661, iso31661Alpha2ToAlpha3 } from 'iso-3166';
import { describe, expect, test } from 'vitest';
import { loadDatasets, readDatasets } from './load-datasets.js';
import type { Datasets } from './records.js';

type DatasetName = keyof Datasets;

const datasets = loadDatasets();

/** The documented types: every field in its order; `?` may be null, `[…]` is a list. */
const types: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  User: { id: 'Int', name: 'String', job: 'String', city: 'String' },
  Product: {
    id: 'Int',
    title: 'String',
    price: 'Decimal',
    description: 'String',
    category: 'String',
    image: 'String',
    rating: 'Rating',
    inStock: 'Boolean',
    createdAt: 'String',
  },
  Rating: { rate: 'Float', count: 'Int' },
  Post: {
    id: 'Int',
    userId: 'Int',
    title: 'String',
    body: 'String',
    tags: '[String]',
    publishedAt: 'String',
    likes: 'Int',
  },
  Todo: {
    id: 'Int',
    userId: 'Int',
    title: 'String',
    completed: 'Boolean',
    priority: 'String',
    dueDate: 'String',
  },
  Employee: {
    id: 'Int',
    firstName: 'String',
    lastName: 'String',
    email: 'String',
    phone: 'String',
    department: 'String',
    title: 'String',
    salary: 'Decimal',
    hireDate: 'String',
    managerId: 'Int?',
    companyId: 'Int',
    skills: '[String]',
    address: 'Address',
    active: 'Boolean',
  },
  Address: {
    street: 'String',
    city: 'String',
    state: 'String',
    zip: 'String',
    country: 'String',
    geo: 'GeoLocation?',
  },
  GeoLocation: { lat: 'Float', lng: 'Float' },
  Company: {
    id: 'Int',
    name: 'String',
    industry: 'String',
    founded: 'Int',
    website: 'String',
    headquarters: 'CompanyHeadquarters',
    revenue: 'Decimal',
    employeeCount: 'Int',
  },
  CompanyHeadquarters: { city: 'String', country: 'String' },
  Book: {
    id: 'Int',
    title: 'String',
    author: 'String',
    isbn: 'String',
    genre: 'String',
    publishedYear: 'Int',
    pages: 'Int',
    language: 'String',
    price: 'Decimal',
    rating: 'Float',
    available: 'Boolean',
    tags: '[String]',
  },
  Movie: {
    id: 'Int',
    title: 'String',
    director: 'String',
    year: 'Int',
    genres: '[String]',
    runtimeMinutes: 'Int',
    rating: 'Float',
    cast: '[String]',
    boxOffice: 'Long',
    poster: 'String',
  },
  Country: {
    id: 'Int',
    name: 'String',
    code: 'String',
    code3: 'String',
    capital: 'String',
    region: 'String',
    population: 'Long',
    area: 'Float',
    currency: 'CountryCurrency',
    languages: '[String]',
    callingCode: 'String',
    flag: 'String',
    timezones: '[String]',
  },
  CountryCurrency: { code: 'String', name: 'String', symbol: 'String' },
  Person: {
    id: 'Int',
    firstName: 'String',
    lastName: 'String',
    username: 'String',
    email: 'String',
    gender: 'String',
    dateOfBirth: 'String',
    phone: 'String',
    avatar: 'String',
    address: 'Address',
    company: 'PersonCompany',
  },
  PersonCompany: { name: 'String', title: 'String' },
  Event: {
    id: 'Int',
    name: 'String',
    category: 'String',
    venue: 'String',
    city: 'String',
    startsAt: 'String',
    endsAt: 'String',
    price: 'Decimal',
    capacity: 'Int',
    ticketsSold: 'Int',
    organizer: 'String',
    tags: '[String]',
  },
  Album: { id: 'Int', userId: 'Int', title: 'String' },
  Photo: { id: 'Int', albumId: 'Int', title: 'String', url: 'String', thumbnailUrl: 'String' },
  Item: { id: 'Int', name: 'String', category: 'String', price: 'Decimal', createdAt: 'String' },
};

const contents: readonly { name: DatasetName; type: string; size: number }[] = [
  { name: 'users', type: 'User', size: 10 },
  { name: 'products', type: 'Product', size: 30 },
  { name: 'posts', type: 'Post', size: 100 },
  { name: 'todos', type: 'Todo', size: 200 },
  { name: 'employees', type: 'Employee', size: 50 },
  { name: 'companies', type: 'Company', size: 10 },
  { name: 'books', type: 'Book', size: 25 },
  { name: 'movies', type: 'Movie', size: 30 },
  { name: 'countries', type: 'Country', size: 195 },
  { name: 'people', type: 'Person', size: 30 },
  { name: 'events', type: 'Event', size: 30 },
  { name: 'albums', type: 'Album', size: 100 },
  { name: 'photos', type: 'Photo', size: 500 },
  { name: 'items', type: 'Item', size: 100 },
];

const scalars: Readonly<Record<string, (value: unknown) => boolean>> = {
  // Blank or untidy text would be a fault in the data even where the type allows it.
  String: (value) =>
    typeof value === 'string' && /^\S(.*\S)?$/u.test(value) && value === value.normalize('NFC'),
  Boolean: (value) => typeof value === 'boolean',
  Int: (value) => Number.isInteger(value) && value === ((value as number) | 0),
  Long: (value) => Number.isSafeInteger(value),
  Float: (value) => Number.isFinite(value),
  Decimal: (value) => Number.isFinite(value) && value === Number((value as number).toFixed(2)),
};

/** What in `value` is not as its type says, each fault with where it is; empty when all is well. */
function findTypeFaults(value: unknown, type: string, at: string): string[] {
  if (type.endsWith('?')) return value === null ? [] : findTypeFaults(value, type.slice(0, -1), at);
  if (type.startsWith('[')) {
    if (!Array.isArray(value)) return [`${at} is no list`];
    return value.flatMap((item, index) =>
      findTypeFaults(item, type.slice(1, -1), `${at}[${index}]`),
    );
  }
  const isScalar = scalars[type];
  if (isScalar) return isScalar(value) ? [] : [`${at} is no ${type}: ${JSON.stringify(value)}`];
  if (typeof value !== 'object' || value === null) return [`${at} is no ${type}`];
  const fields = types[type] ?? {};
  const names = Object.keys(value).join();
  if (names !== Object.keys(fields).join()) return [`${at} has the fields ${names}`];
  return Object.entries(value).flatMap(([name, member]) =>
    findTypeFaults(member, fields[name] ?? '', `${at}.${name}`),
  );
}

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => unknown) {
  const counts = new Map<unknown, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

function findRepeated<Item>(items: readonly Item[], keyOf: (item: Item) => unknown): unknown[] {
  return [...countBy(items, keyOf)].filter(([, count]) => count > 1).map(([key]) => key);
}

function isTimestamp(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && isSameInstant(text, text);
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && isSameInstant(text, `${text}T00:00:00.000Z`);
}

// `new Date` rolls 30 February over into March; only a real day comes back as it went in.
function isSameInstant(text: string, expected: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString() === expected;
}

describe('loadDatasets', () => {
  test('gives every caller the same datasets', () => {
    expect(loadDatasets()).toBe(loadDatasets());
    expect(loadDatasets().photos).toBe(loadDatasets().photos);
  });

  test('freezes every dataset to its depth', () => {
    const findUnfrozen = (value: unknown, at: string): string[] => {
      if (typeof value !== 'object' || value === null) return [];
      const inside = Object.entries(value).flatMap(([name, member]) =>
        findUnfrozen(member, `${at}.${name}`),
      );
      return Object.isFrozen(value) ? inside : [at, ...inside];
    };
    expect(findUnfrozen(datasets, 'datasets')).toEqual([]);
  });

  test('offers exactly the documented datasets', () => {
    expect(Object.keys(datasets)).toEqual(contents.map(({ name }) => name));
  });
});

describe('readDatasets', () => {
  test('reads a file when its dataset is first used, and only once', () => {
    const directory = mkdtempSync(join(tmpdir(), 'datasets-'));
    try {
      const albums = [{ id: 1, userId: 1, title: 'Only album' }];
      const read = readDatasets(pathToFileURL(`${directory}/`));
      expect(() => read.albums).toThrow('albums.json');
      writeFileSync(join(directory, 'albums.json'), JSON.stringify(albums));
      const first = read.albums;
      rmSync(join(directory, 'albums.json'));
      expect(first).toEqual(albums);
      expect(read.albums).toBe(first);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

describe.each(contents)('$name', ({ name, type, size }) => {
  const records: readonly { readonly id: number }[] = datasets[name];

  test(`are ${size}`, () => {
    expect(records).toHaveLength(size);
  });

  test('are numbered from 1 without a gap', () => {
    expect(records.map(({ id }) => id)).toEqual(records.map((_, index) => index + 1));
  });

  test(`have exactly the fields of ${type}, in order, each of its type`, () => {
    expect(findTypeFaults(records, `[${type}]`, name)).toEqual([]);
  });

  test('are all different', () => {
    // A number or a picture named after it makes no difference to a reader.
    const picture = /^\/images\//;
    const describeRecord = (record: object) =>
      JSON.stringify(record, (key, value) =>
        key === 'id' || (typeof value === 'string' && picture.test(value)) ? undefined : value,
      );
    expect(findRepeated(records, describeRecord)).toEqual([]);
  });

  test('stand in their file one compact record a line', () => {
    const text = readFileSync(new URL(`../../data/${name}.json`, import.meta.url), 'utf8');
    const lines = records.map((record) => JSON.stringify(record));
    expect(text).toBe(`[\n${lines.join(',\n')}\n]\n`);
  });
});

describe('every reference resolves', () => {
  const references: readonly {
    from: string;
    ids: readonly number[];
    to: DatasetName;
  }[] = [
    { from: 'Post.userId', ids: datasets.posts.map((post) => post.userId), to: 'users' },
    { from: 'Todo.userId', ids: datasets.todos.map((todo) => todo.userId), to: 'users' },
    { from: 'Album.userId', ids: datasets.albums.map((album) => album.userId), to: 'users' },
    { from: 'Photo.albumId', ids: datasets.photos.map((photo) => photo.albumId), to: 'albums' },
    {
      from: 'Employee.companyId',
      ids: datasets.employees.map((e) => e.companyId),
      to: 'companies',
    },
  ];

  test.each(references)('$from names one of the $to, and each of them is named', ({ ids, to }) => {
    expect([...new Set(ids)].sort((a, b) => a - b)).toEqual(datasets[to].map(({ id }) => id));
  });

  test('every user has 10 albums, and every album 5 photos', () => {
    const albumCounts = countBy(datasets.albums, (album) => album.userId);
    const photoCounts = countBy(datasets.photos, (photo) => photo.albumId);
    expect(new Set(albumCounts.values())).toEqual(new Set([10]));
    expect(new Set(photoCounts.values())).toEqual(new Set([5]));
  });
});

describe('employees', () => {
  const { employees, companies } = datasets;
  const byId = new Map(employees.map((employee) => [employee.id, employee]));

  test('have no geo in Engineering, and have it in every other department', () => {
    const isWithoutGeo = employees.map((employee) => employee.address.geo === null);
    expect(isWithoutGeo).toEqual(employees.map((e) => e.department === 'Engineering'));
    expect(new Set(isWithoutGeo)).toEqual(new Set([true, false]));
  });

  test('have managers in their own company', () => {
    const managed = employees.filter((employee) => employee.managerId !== null);
    const managerCompanies = managed.map(({ managerId }) => byId.get(managerId ?? 0)?.companyId);
    expect(managerCompanies).toEqual(managed.map((employee) => employee.companyId));
  });

  test('have someone without a manager in every company', () => {
    const topPeople = employees.filter((employee) => employee.managerId === null);
    expect(new Set(topPeople.map((person) => person.companyId)).size).toBe(companies.length);
  });

  test('report to someone at the top in the end, never in a circle', () => {
    const findLoop = (start: (typeof employees)[number]) => {
      const seen = new Set<number>();
      for (let id: number | null = start.id; id !== null; id = byId.get(id)?.managerId ?? null) {
        if (seen.has(id)) return [start.id];
        seen.add(id);
      }
      return [];
    };
    expect(employees.flatMap(findLoop)).toEqual([]);
  });

  test('were hired when their company existed, and write from its domain', () => {
    for (const employee of employees) {
      const company = companies[employee.companyId - 1];
      expect(Number(employee.hireDate.slice(0, 4))).toBeGreaterThanOrEqual(company?.founded ?? 0);
      expect(`https://${employee.email.split('@')[1]}`).toBe(company?.website);
    }
  });

  test('spread over at least six departments and have two to four skills', () => {
    expect(new Set(employees.map((e) => e.department)).size).toBeGreaterThanOrEqual(6);
    expect(employees.filter(({ skills }) => skills.length < 2 || skills.length > 4)).toEqual([]);
  });
});

describe('books', () => {
  test.each(datasets.books)('$title has a right ISBN-13: $isbn', ({ isbn }) => {
    expect(isbn).toMatch(/^97[89]\d{10}$/);
    const sum = [...isbn].reduce((total, digit, i) => total + Number(digit) * (i % 2 ? 3 : 1), 0);
    expect(sum % 10).toBe(0);
  });

  test('come several to a genre, some available and some not', () => {
    const genres = countBy(datasets.books, (book) => book.genre);
    expect([...genres].filter(([, count]) => count < 2)).toEqual([]);
    expect(new Set(datasets.books.map((book) => book.available)).size).toBe(2);
  });
});

describe('countries', () => {
  const { countries } = datasets;

  test.each(countries)(
    '$name has its ISO 3166 codes and its flag: $code $code3 $flag',
    (country) => {
      const assigned = iso31661.find(({ alpha2 }) => alpha2 === country.code);
      expect(assigned?.state).toBe('assigned');
      expect(country.code3).toBe(iso31661Alpha2ToAlpha3[country.code]);
      // A flag emoji spells the code in regional indicators, which start at U+1F1E6 for A.
      const letters = [...country.flag].map(
        (symbol) => (symbol.codePointAt(0) ?? 0) - 0x1f1e6 + 65,
      );
      expect(String.fromCodePoint(...letters)).toBe(country.code);
    },
  );

  test('have currencies of ISO 4217, always under one name and symbol', () => {
    const used = countries.map(({ currency }) => currency);
    expect(used.filter(({ code }) => currencies.code(code)?.code !== code)).toEqual([]);
    const distinct = new Set(used.map((currency) => JSON.stringify(currency)));
    expect(distinct.size).toBe(new Set(used.map(({ code }) => code)).size);
  });

  test('pay with the currency of today where it changed lately', () => {
    const codes = new Map(countries.map(({ code, currency }) => [code, currency.code]));
    const recent = { BG: 'EUR', HR: 'EUR', MR: 'MRU', SL: 'SLE', ST: 'STN', VE: 'VES', ZW: 'ZWG' };
    expect(Object.keys(recent).map((code) => [code, codes.get(code)])).toEqual(
      Object.entries(recent),
    );
  });

  test('have time zones that Intl knows', () => {
    const isUnknown = (timeZone: string) => {
      try {
        return !new Intl.DateTimeFormat('en', { timeZone });
      } catch {
        return true;
      }
    };
    expect(countries.filter(({ timezones }) => timezones.length === 0)).toEqual([]);
    expect(countries.flatMap(({ timezones }) => timezones).filter(isUnknown)).toEqual([]);
  });

  test('lie in the five regions, are inhabited and have languages and a calling code', () => {
    const regions = new Set(countries.map(({ region }) => region));
    expect([...regions].sort()).toEqual(['Africa', 'Americas', 'Asia', 'Europe', 'Oceania']);
    expect(
      countries.filter(
        (country) =>
          country.population <= 0 ||
          country.area <= 0 ||
          country.languages.length === 0 ||
          !/^\+[1-9]\d{0,3}$/.test(country.callingCode),
      ),
    ).toEqual([]);
  });
});

describe('events', () => {
  test('end after they start, and sell no more tickets than there are', () => {
    const isImpossible = (event: (typeof datasets.events)[number]) =>
      event.endsAt < event.startsAt ||
      event.price < 0 ||
      event.ticketsSold < 0 ||
      event.ticketsSold > event.capacity;
    expect(datasets.events.filter(isImpossible)).toEqual([]);
  });

  test('include a free one, a sold out one and one without a buyer', () => {
    expect(datasets.events.some((event) => event.price === 0)).toBe(true);
    expect(datasets.events.some((event) => event.ticketsSold === event.capacity)).toBe(true);
    expect(datasets.events.some((event) => event.ticketsSold === 0)).toBe(true);
  });
});

test('a box office goes beyond a signed 32-bit integer', () => {
  expect(Math.max(...datasets.movies.map((movie) => movie.boxOffice))).toBeGreaterThan(2 ** 31);
});

test('todos have each priority, both done and undone', () => {
  const kinds = new Set(datasets.todos.map((todo) => `${todo.priority} ${todo.completed}`));
  const priorities = ['high', 'low', 'medium'];
  expect([...kinds].sort()).toEqual(priorities.flatMap((p) => [`${p} false`, `${p} true`]));
});

test.each([
  { field: 'Product.createdAt', texts: datasets.products.map((product) => product.createdAt) },
  { field: 'Item.createdAt', texts: datasets.items.map((item) => item.createdAt) },
  { field: 'Post.publishedAt', texts: datasets.posts.map((post) => post.publishedAt) },
  { field: 'Event.startsAt', texts: datasets.events.map((event) => event.startsAt) },
  { field: 'Event.endsAt', texts: datasets.events.map((event) => event.endsAt) },
])('$field is an ISO 8601 timestamp in UTC with milliseconds', ({ texts }) => {
  expect(texts.filter((text) => !isTimestamp(text))).toEqual([]);
});

test.each([
  { field: 'Todo.dueDate', texts: datasets.todos.map((todo) => todo.dueDate) },
  { field: 'Employee.hireDate', texts: datasets.employees.map((employee) => employee.hireDate) },
  { field: 'Person.dateOfBirth', texts: datasets.people.map((person) => person.dateOfBirth) },
])('$field is a day of the calendar', ({ texts }) => {
  expect(texts.filter((text) => !isDate(text))).toEqual([]);
});

test.each([
  { field: 'Product.rating.rate', values: datasets.products.map((p) => p.rating.rate), most: 5 },
  { field: 'Book.rating', values: datasets.books.map((book) => book.rating), most: 5 },
  { field: 'Movie.rating', values: datasets.movies.map((movie) => movie.rating), most: 10 },
])('$field is from 0 to $most', ({ values, most }) => {
  expect(values.filter((value) => value < 0 || value > most)).toEqual([]);
});

test.each([
  {
    field: 'Product.image',
    paths: datasets.products.map((product) => product.image),
    form: '/images/products/{id}.svg',
  },
  {
    field: 'Movie.poster',
    paths: datasets.movies.map((movie) => movie.poster),
    form: '/images/movies/{id}.svg',
  },
  {
    field: 'Person.avatar',
    paths: datasets.people.map((person) => person.avatar),
    form: '/images/people/{id}.svg',
  },
  {
    field: 'Photo.url',
    paths: datasets.photos.map((photo) => photo.url),
    form: '/images/photos/{id}.svg',
  },
  {
    field: 'Photo.thumbnailUrl',
    paths: datasets.photos.map((photo) => photo.thumbnailUrl),
    form: '/images/photos/{id}-thumbnail.svg',
  },
])('$field is $form', ({ paths, form }) => {
  expect(paths).toEqual(paths.map((_, index) => form.replace('{id}', String(index + 1))));
});

test.each([
  { what: 'user name', keys: datasets.users.map((user) => user.name) },
  { what: 'product title', keys: datasets.products.map((product) => product.title) },
  { what: 'post title', keys: datasets.posts.map((post) => post.title) },
  { what: 'post body', keys: datasets.posts.map((post) => post.body) },
  { what: 'todo title', keys: datasets.todos.map((todo) => todo.title) },
  { what: 'company name', keys: datasets.companies.map((company) => company.name) },
  { what: 'ISBN', keys: datasets.books.map((book) => book.isbn) },
  { what: 'movie title', keys: datasets.movies.map((movie) => movie.title) },
  { what: 'country name', keys: datasets.countries.map((country) => country.name) },
  { what: 'alpha-2 code', keys: datasets.countries.map((country) => country.code) },
  { what: 'username', keys: datasets.people.map((person) => person.username) },
  { what: 'event name', keys: datasets.events.map((event) => event.name) },
  { what: 'album title', keys: datasets.albums.map((album) => album.title) },
  { what: 'photo title', keys: datasets.photos.map((photo) => photo.title) },
  { what: 'item name', keys: datasets.items.map((item) => item.name) },
  {
    what: 'email address',
    keys: [...datasets.employees, ...datasets.people].map((person) => person.email),
  },
  {
    what: 'phone number',
    keys: [...datasets.employees, ...datasets.people].map((person) => person.phone),
  },
])('no $what occurs twice', ({ keys }) => {
  expect(findRepeated(keys, (key) => key)).toEqual([]);
});

test('nobody real is reached by an email address, a phone number or a website', () => {
  const contacts = [...datasets.employees, ...datasets.people];
  const reservedEmail = /^[a-z.]+@([a-z-]+\.example|example\.(com|net|org))$/;
  const fictionalPhone = /^\+1-[2-9]\d\d-555-01\d\d$/;
  expect(contacts.filter(({ email }) => !reservedEmail.test(email))).toEqual([]);
  expect(contacts.filter(({ phone }) => !fictionalPhone.test(phone))).toEqual([]);
  const websites = datasets.companies.map((company) => company.website);
  expect(websites.filter((website) => !/^https:\/\/[a-z-]+\.example$/.test(website))).toEqual([]);
});

test('every geo lies on the globe', () => {
  const places = [...datasets.employees, ...datasets.people].flatMap(({ address }) =>
    address.geo === null ? [] : [address.geo],
  );
  expect(places.filter(({ lat, lng }) => Math.abs(lat) > 90 || Math.abs(lng) > 180)).toEqual([]);
});
