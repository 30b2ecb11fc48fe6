import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import ajvFormats from 'ajv-formats';
import currencies from 'currency-codes';
import { iso31661, iso31661Alpha2ToAlpha3 } from 'iso-3166';
import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import type { RecordDeclaration } from './declare-record.js';
import { loadDatasets } from './load-datasets.js';
import { wholeRecord } from './record-schemas.js';
import { type DatasetName, declarations } from './records.js';

const datasets = loadDatasets();

const contents: readonly { name: DatasetName; size: number }[] = [
  { name: 'users', size: 10 },
  { name: 'products', size: 30 },
  { name: 'posts', size: 100 },
  { name: 'todos', size: 200 },
  { name: 'employees', size: 50 },
  { name: 'companies', size: 10 },
  { name: 'books', size: 25 },
  { name: 'movies', size: 30 },
  { name: 'countries', size: 195 },
  { name: 'people', size: 30 },
  { name: 'events', size: 30 },
  { name: 'albums', size: 100 },
  { name: 'photos', size: 500 },
  { name: 'items', size: 100 },
];

const ajv = new Ajv({ allErrors: true, strict: false });
ajvFormats.default(ajv);

/** Lists violations of the schema, each with its path; empty if there are none. */
function findFaults(schema: TSchema, value: unknown, at: string): string[] {
  const validate = ajv.compile(schema);
  validate(value);
  const broken = (validate.errors ?? []).map(
    ({ instancePath, message }) => `${at}${instancePath} ${message}`,
  );
  return [...broken, ...findUntidy(schema, value, at)];
}

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly format?: string;
}

/** Lists flaws that a schema cannot reject, such as wrong order. */
function findUntidy(schema: Shape, value: unknown, at: string): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => findUntidy(schema.items ?? {}, item, `${at}[${index}]`));
  }
  if (typeof value === 'object' && value !== null) {
    const declared = Object.keys(schema.properties ?? {}).join();
    const names = Object.keys(value).join();
    if (names !== declared) return [`${at} has the fields ${names}, not ${declared}`];
    return Object.entries(value).flatMap(([name, member]) =>
      findUntidy(schema.properties?.[name] ?? {}, member, `${at}.${name}`),
    );
  }
  if (typeof value === 'string') {
    const isTidy =
      /^\S(.*\S)?$/u.test(value) &&
      value === value.normalize('NFC') &&
      // A schema accepts any offset, and any day up to 31.
      (schema.format !== 'date-time' || isTimestamp(value)) &&
      (schema.format !== 'date' || isDate(value));
    return isTidy ? [] : [`${at} is untidy: ${JSON.stringify(value)}`];
  }
  const isMoney = typeof value === 'number' && schema.format !== 'double';
  return isMoney && value !== Number(value.toFixed(2)) ? [`${at} is no amount: ${value}`] : [];
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

// `new Date` turns 30 February into 2 March; only a real day is unchanged.
function isSameInstant(text: string, expected: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString() === expected;
}

describe('loadDatasets', () => {
  test('returns the same datasets to every caller', () => {
    expect(loadDatasets()).toBe(loadDatasets());
    expect(loadDatasets().photos).toBe(loadDatasets().photos);
  });

  test('freezes every dataset deeply', () => {
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

describe.each(contents)('$name', ({ name, size }) => {
  const records: readonly { readonly id: number }[] = datasets[name];

  test(`are ${size}`, () => {
    expect(records).toHaveLength(size);
  });

  test('are numbered from 1 without a gap', () => {
    expect(records.map(({ id }) => id)).toEqual(records.map((_, index) => index + 1));
  });

  test('have exactly the declared fields, in order, each as declared', () => {
    const schema = wholeRecord(declarations[name]);
    const faults = records.flatMap((record) => findFaults(schema, record, `${name} ${record.id}`));
    expect(faults).toEqual([]);
  });

  test('obey the declared rules', () => {
    const { checkRules } = declarations[name] as RecordDeclaration;
    expect(records.flatMap((record) => checkRules(record))).toEqual([]);
  });

  test('are all different', () => {
    // Records that differ only in a number or an image path look equal to a reader.
    const picture = /^\/images\//;
    const describeRecord = (record: object) =>
      JSON.stringify(record, (key, value) =>
        key === 'id' || (typeof value === 'string' && picture.test(value)) ? undefined : value,
      );
    expect(findRepeated(records, describeRecord)).toEqual([]);
  });

  test('are in their file as one compact record per line', () => {
    const text = readFileSync(new URL(`../../data/${name}.json`, import.meta.url), 'utf8');
    const lines = records.map((record) => JSON.stringify(record));
    expect(text).toBe(`[\n${lines.join(',\n')}\n]\n`);
  });
});

test.each<[string, object]>([
  ['name 1/isbn must be string', { isbn: 9780547928227 }],
  ['name 1/rating must be <= 5', { rating: 5.5 }],
  ['name 1/pages must be integer', { pages: 1.5 }],
  ["name 1 must have required property 'title'", { title: undefined }],
  ['name 1.title is untidy', { title: 'Ulysses ' }],
  ['name 1.price is no amount', { price: 9.999 }],
  ['name 1 has the fields', { shelf: 'B2' }],
])('books can be found by %s', (fault, change) => {
  const book = JSON.parse(JSON.stringify({ ...datasets.books[0], ...change }));
  const faults = findFaults(wholeRecord(declarations.books), book, 'name 1');
  expect(faults.join('\n')).toContain(fault);
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

  test.each(references)(
    'each $from refers to one of the $to, and each of them is referred to',
    ({ ids, to }) => {
      expect([...new Set(ids)].sort((a, b) => a - b)).toEqual(datasets[to].map(({ id }) => id));
    },
  );

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

  test('have a manager at the top of their chain, without cycles', () => {
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

  test('have several books per genre, some available and some not', () => {
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

  test('lie in the five regions, are inhabited and have languages', () => {
    const regions = new Set(countries.map(({ region }) => region));
    expect([...regions].sort()).toEqual(['Africa', 'Americas', 'Asia', 'Europe', 'Oceania']);
    expect(
      countries.filter(
        ({ population, area, languages }) => population <= 0 || area <= 0 || languages.length === 0,
      ),
    ).toEqual([]);
  });
});

describe('events', () => {
  test('include a free one, a sold out one and one without a buyer', () => {
    expect(datasets.events.some((event) => event.price === 0)).toBe(true);
    expect(datasets.events.some((event) => event.ticketsSold === event.capacity)).toBe(true);
    expect(datasets.events.some((event) => event.ticketsSold === 0)).toBe(true);
  });
});

test('a box office exceeds a signed 32-bit integer', () => {
  expect(Math.max(...datasets.movies.map((movie) => movie.boxOffice))).toBeGreaterThan(2 ** 31);
});

test('todos have each priority, both done and undone', () => {
  const kinds = new Set(datasets.todos.map((todo) => `${todo.priority} ${todo.completed}`));
  const priorities = ['high', 'low', 'medium'];
  expect([...kinds].sort()).toEqual(priorities.flatMap((p) => [`${p} false`, `${p} true`]));
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

test('email addresses, phone numbers and websites are reserved ones', () => {
  const contacts = [...datasets.employees, ...datasets.people];
  const reservedEmail = /^[a-z.]+@([a-z-]+\.example|example\.(com|net|org))$/;
  const fictionalPhone = /^\+1-[2-9]\d\d-555-01\d\d$/;
  expect(contacts.filter(({ email }) => !reservedEmail.test(email))).toEqual([]);
  expect(contacts.filter(({ phone }) => !fictionalPhone.test(phone))).toEqual([]);
  const websites = datasets.companies.map((company) => company.website);
  expect(websites.filter((website) => !/^https:\/\/[a-z-]+\.example$/.test(website))).toEqual([]);
});
