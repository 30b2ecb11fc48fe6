/** Relations: lists below a parent, and records embedded in a response. */

import { describe, expect, test } from 'vitest';
import { loadDatasets } from '../../src/data/load-datasets.js';
import { requestText, sendAll } from '../support/raw-connection.js';
import { useService } from '../support/service.js';
import { newRecords } from './new-records.js';

const service = useService();
const { users, posts, todos, albums, photos, companies, employees } = loadDatasets();
const shown = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value).replaceAll('"/images/', `"${service.url}/images/`));
const newRecord = (name: string) => newRecords.find((each) => each.name === name)?.sent ?? {};
const inside = (sandbox: string, more: object = {}) => ({
  headers: { 'X-Sandbox': sandbox },
  ...more,
});

const children = [
  ['Users', 'Posts', 'posts', 'userId', posts],
  ['Users', 'Todos', 'todos', 'userId', todos],
  ['Users', 'Albums', 'albums', 'userId', albums],
  ['Albums', 'Photos', 'photos', 'albumId', photos],
  ['Companies', 'Employees', 'employees', 'companyId', employees],
  ['Employees', 'Reports', 'employees', 'managerId', employees],
] as const;

describe.each(children)('/api/%s/{id}/%s', (parent, segment, name, field, all) => {
  const path = `/api/${parent}/1/${segment}`;
  const own = (all as readonly Readonly<Record<string, unknown>>[]).filter(
    (each) => each[field] === 1,
  );

  test('lists the children of one parent, and filters, sorts and pages them', async () => {
    const { status, json, headers } = await service.send(`GET ${path.toLowerCase()}`);
    expect(status).toBe(200);
    expect(json).toEqual(shown(own));
    expect(headers['x-total-count']).toBe(String(own.length));
    const page = await service.send(`GET ${path}?limit=1&order=desc`);
    expect(page.json).toEqual(shown(own.slice(-1)));
    expect(page.headers.link).toContain(
      `<${service.url}${path}?limit=1&order=desc&page=2>; rel="next"`,
    );
    expect((await service.send(`GET ${path}?${field}=2`)).json).toEqual([]);
    expect((await service.send(`GET ${path}?colour=red`)).status).toBe(400);
  });

  test('below an unknown parent is 404, for reading and writing', async () => {
    const message = new RegExp(`^There is no \\w+ 9999\\. GET /api/${parent} lists`);
    for (const target of ['GET', 'POST'].map(
      (method) => `${method} /api/${parent}/9999/${segment}`,
    )) {
      const { status, json } = await service.send(target, { json: newRecord(name) });
      expect(status).toBe(404);
      expect(json.message).toMatch(message);
    }
    expect((await service.send(`GET /api/${parent}/one/${segment}`)).status).toBe(400);
    expect((await service.send(`DELETE ${path}`)).headers.allow).toBe('GET, HEAD, POST');
  });

  test('creates a child of that parent, even if the body omits it', async () => {
    const { [field]: _field, ...sent } = newRecord(name);
    const created = await service.send(`POST ${path}`, inside(`b-${segment}`, { json: sent }));
    expect(created.status, created.text).toBe(201);
    expect(created.json).toMatchObject({ ...sent, [field]: 1, id: all.length + 1 });
    expect(created.headers.location).toMatch(new RegExp(`/api/\\w+/${all.length + 1}$`));
    const again = await service.send(
      `POST ${path}`,
      inside(`b-${segment}`, { json: { ...sent, [field]: 1 } }),
    );
    expect(again.status).toBe(201);
    const other = await service.send(
      `POST ${path}`,
      inside(`b-${segment}`, { json: { ...sent, [field]: 2 } }),
    );
    expect(other.status).toBe(400);
    expect(other.json.errors).toEqual([
      { field, message: `${field} must be omitted or 1, as in the path; got 2.` },
    ]);
    const listed = await service.send(`GET ${path}`, inside(`b-${segment}`));
    expect(listed.json).toHaveLength(own.length + 2);
    expect((await service.send(`POST ${path}`, { json: [] })).status).toBe(400);
  });

  test('children stay when their parent is deleted', async () => {
    const sandbox = `c-${segment}`;
    const headers = { ...inside(sandbox).headers, 'If-Match': '*' };
    await service.send(`DELETE /api/${parent}/1`, { headers });
    expect((await service.send(`GET ${path}`, inside(sandbox))).status).toBe(404);
    const kept = await service.send(`GET /api/${name}?${field}=1`, inside(sandbox));
    expect(kept.json).toHaveLength(
      // A manager is an employee, too.
      own.filter(({ id }) => name !== 'employees' || parent !== 'Employees' || id !== 1).length,
    );
  });
});

describe('a reference', () => {
  test.each([
    ['Posts', 'posts', 'userId', 'users'],
    ['Todos', 'todos', 'userId', 'users'],
    ['Albums', 'albums', 'userId', 'users'],
    ['Photos', 'photos', 'albumId', 'albums'],
    ['Employees', 'employees', 'companyId', 'companies'],
    ['Employees', 'employees', 'managerId', 'employees'],
  ])(
    'of %s to an unknown record is 400, with every other error',
    async (title, name, field, of) => {
      const sent = { ...newRecord(name), [field]: 9999 };
      const message = `${field} must be the id of one of the ${of}; 9999 does not exist.`;
      for (const [method, path, json] of [
        ['POST', `/api/${title}`, sent],
        ['PUT', `/api/${title}/1`, sent],
        ['PATCH', `/api/${title}/1`, { [field]: 9999 }],
      ] as const) {
        const { status, json: response } = await service.send(`${method} ${path}`, { json });
        expect(status).toBe(400);
        expect(response.errors).toEqual([{ field, message }]);
      }
      const faulty = await service.send(`POST /api/${title}`, { json: { ...sent, colour: 'red' } });
      expect(faulty.json.errors.map((each: { field: string }) => each.field)).toEqual([
        'colour',
        field,
      ]);
    },
  );

  test('to a missing record may stay unchanged, and GraphQL creates such todos', async () => {
    await service.send('DELETE /api/Users/1', inside('orphans'));
    const changed = await service.send(
      'PATCH /api/Posts/1',
      inside('orphans', { json: { likes: 1 } }),
    );
    expect([changed.status, changed.json.userId]).toEqual([200, 1]);
    const query = 'mutation { addTodo(title: "x", userId: 4711, priority: "low") { id } }';
    const { json } = await service.send('POST /graphql', inside('orphans', { json: { query } }));
    const todo = await service.send(
      `GET /api/Todos/${json.data.addTodo.id}?embed=user`,
      inside('orphans'),
    );
    expect(todo.json).toMatchObject({ userId: 4711, user: null });
  });
});

describe('?embed=', () => {
  test('embeds the parent of each record, or null if it was deleted', async () => {
    const { json } = await service.send('GET /api/Posts?embed=user&limit=100');
    expect(json).toEqual(
      posts.map((post) => ({ ...post, user: users.find(({ id }) => id === post.userId) })),
    );
    await service.send('DELETE /api/Users/1', inside('embeds'));
    const { json: orphan } = await service.send('GET /api/Posts/1?embed=user', inside('embeds'));
    expect(orphan).toEqual({ ...posts[0], user: null });
  });

  test('embeds the children of each record, and several kinds of relations', async () => {
    const of = <Child extends { userId: number }>(all: readonly Child[], id: number) =>
      all.filter(({ userId }) => userId === id);
    const { json } = await service.send('GET /api/Users?embed=todos,posts,albums');
    expect(json).toEqual(
      users.map((user) => ({
        ...user,
        posts: of(posts, user.id),
        todos: of(todos, user.id),
        albums: of(albums, user.id),
      })),
    );
    const employee = await service.send('GET /api/Employees/2?embed=company,manager,reports');
    const second = employees[1];
    expect(employee.json).toEqual({
      ...second,
      company: companies.find(({ id }) => id === second?.companyId),
      manager: employees.find(({ id }) => id === second?.managerId) ?? null,
      reports: employees.filter(({ managerId }) => managerId === 2),
    });
    const album = await service.send('GET /api/Albums/1?embed=photos,user');
    expect(album.json.photos).toEqual(shown(photos.filter(({ albumId }) => albumId === 1)));
  });

  test.each([
    ['/api/Posts?embed=author', 'must be one or more of user, separated by commas; got "author"'],
    ['/api/Posts/1?embed=author', 'must be one or more of user, separated by commas; got "author"'],
    [
      '/api/Users?embed=posts,',
      'must be one or more of posts, todos, albums, separated by commas; got ""',
    ],
    ['/api/Posts?embed=user.posts', '; got "user.posts"'],
    ['/api/Posts?embed=__proto__', '; got "__proto__"'],
    ['/api/Books?embed=author', 'has no valid names here'],
    ['/api/Posts?embed=user&embed=user', 'must be given once; got 2 values'],
    ['/api/Posts/1?embed=user&embed=user', 'must be given once; got 2 values'],
    ['/api/Users/1/Posts?embed=users', 'must be one or more of user, separated by commas'],
  ])('with %s is 400: %s', async (path, says) => {
    const { status, json } = await service.send(`GET ${path}`);
    expect(status).toBe(400);
    expect(json.errors).toEqual([{ field: 'embed', message: expect.stringContaining(says) }]);
  });

  test('beyond a response of 8 MiB is 400, and the response says what helps', async () => {
    const body = { userId: 1, title: 'x', body: '€'.repeat(10_000) };
    const headers = { 'Content-Type': 'application/json', 'X-Sandbox': 'large' };
    const request = requestText('POST /api/Posts', headers, JSON.stringify(body));
    await sendAll(service.url, Array(290).fill(request), 201);
    for (const path of [
      '/api/Posts',
      '/api/Users?limit=1&embed=posts',
      '/api/Users/1?embed=posts',
    ]) {
      for (const accept of ['application/json', 'application/vnd.api+json']) {
        const { status, json } = await service.send(`GET ${path}`, {
          headers: { 'X-Sandbox': 'large', Accept: accept },
        });
        const error = json.errors?.[0]?.detail ?? json.message;
        expect([path, accept, status]).toEqual([path, accept, 400]);
        expect(error).toContain('Request fewer records with limit');
      }
    }
    const page = await service.send('GET /api/Posts?limit=100&embed=user', inside('large'));
    expect(page.json).toHaveLength(100);
  });
});

describe('?fields=', () => {
  test.each([
    [
      '/api/Posts?fields=title,id&limit=2',
      posts.slice(0, 2).map(({ id, title }) => ({ id, title })),
    ],
    ['/api/Posts/3?fields=title', { title: posts[2]?.title }],
    ['/api/People/1?fields=address', { address: loadDatasets().people[0]?.address }],
    [
      '/api/Posts/3?fields=title&embed=user',
      { title: posts[2]?.title, user: users.find(({ id }) => id === posts[2]?.userId) },
    ],
    [
      '/api/Users/1/Posts?fields=id&limit=1',
      [{ id: posts.find(({ userId }) => userId === 1)?.id }],
    ],
  ])('%s', async (path, expected) => {
    const { status, json } = await service.send(`GET ${path}`);
    expect(status).toBe(200);
    expect(json).toEqual(expected);
  });

  test('with an unknown field is 400, and the response lists the fields', async () => {
    for (const path of ['/api/Posts', '/api/Posts/1']) {
      const { status, json } = await service.send(`GET ${path}?fields=id,author`);
      expect(status).toBe(400);
      expect(json.errors).toEqual([
        {
          field: 'fields',
          message:
            'fields must be one or more of id, userId, title, body, tags, publishedAt, likes, separated by commas; got "author".',
        },
      ]);
    }
  });

  test('and embeds have separate entity tags, each valid for a write', async () => {
    const plain = await service.send('GET /api/Posts/5', inside('tags'));
    const some = await service.send('GET /api/Posts/5?fields=id', inside('tags'));
    const whole = await service.send('GET /api/Posts/5?embed=user', inside('tags'));
    expect(new Set([plain, some, whole].map(({ headers }) => headers.etag)).size).toBe(3);
    const tag = whole.headers.etag as string;
    const known = { headers: { 'X-Sandbox': 'tags', 'If-None-Match': tag } };
    expect((await service.send('GET /api/Posts/5?embed=user', known)).status).toBe(304);
    await service.send(
      `PATCH /api/Users/${posts[4]?.userId}`,
      inside('tags', { json: { city: 'Oslo' } }),
    );
    expect((await service.send('GET /api/Posts/5?embed=user', known)).status).toBe(200);
    const write = { headers: { 'X-Sandbox': 'tags', 'If-Match': tag }, json: { likes: 1 } };
    expect((await service.send('PATCH /api/Posts/5', write)).status).toBe(200);
    expect((await service.send('PATCH /api/Posts/5', write)).status).toBe(412);
  });
});

test('a date filters a time by its whole day', async () => {
  const json = {
    ...newRecord('events'),
    startsAt: '2031-03-12T18:00:00Z',
    endsAt: '2031-03-13T00:00:00Z',
  };
  const { json: made } = await service.send('POST /api/Events', inside('days', { json }));
  const found = async (query: string) =>
    (await service.send(`GET /api/Events/count?id=${made.id}&${query}`, inside('days'))).json.count;
  const queries = [
    'startsAt',
    'startsAt_in',
    'startsAt_gte',
    'startsAt_lte',
    'endsAt_gt',
    'endsAt_ne',
  ];
  for (const name of queries) expect([name, await found(`${name}=2031-03-12`)]).toEqual([name, 1]);
  for (const name of ['startsAt_gt', 'startsAt_lt', 'startsAt_ne', 'endsAt', 'endsAt_lte'])
    expect([name, await found(`${name}=2031-03-12`)]).toEqual([name, 0]);
});

test.each([
  ['Books?isbn=978-0-547-92822-7', [1]],
  ['Books?isbn=0-547-92822-X', [1]],
  ['Books?isbn_in=978-0-547-92822-7,x', [1]],
  [`Events?q=${encodeURIComponent('Reykjavi\u0301k')}&limit=1`, undefined],
  ['People?address.city=lagos', [1]],
  ['People?sort=-address.geo.lat&limit=1&fields=id', undefined],
  ['Employees?managerId=null&companyId=1&limit=1', undefined],
  ['Todos?dueDate_lt=2020-01-01', []],
])('%s is parsed leniently', async (query, ids) => {
  const { status, json } = await service.send(`GET /api/${query}`);
  expect(status).toBe(200);
  if (ids === undefined) expect(json).toHaveLength(1);
  else expect(json.map(({ id }: { id: number }) => id)).toEqual(ids);
});

test('defaults with the current time use the clock of the sandbox', async () => {
  const clock = { json: { offsetSeconds: 10 * 365 * 24 * 3600 } };
  await service.send('PUT /api/sandbox/clock', inside('clock', clock));
  const year = new Date().getUTCFullYear() + 10;
  const create = async (title: string) =>
    (
      await service.send(
        `POST /api/${title}`,
        inside('clock', { json: newRecord(title.toLowerCase()) }),
      )
    ).json;
  expect(Math.abs(Date.parse((await create('Posts')).publishedAt) - Date.now())).toBeGreaterThan(
    9 * 365 * 24 * 3600_000,
  );
  expect((await create('Todos')).dueDate).toMatch(
    new RegExp(`^(?:${year - 1}|${year}|${year + 1})-\\d\\d-\\d\\d$`),
  );
  expect((await create('Products')).createdAt > '2030').toBe(true);
  expect((await create('Employees')).hireDate).toMatch(/^\d{4}-\d\d-\d\d$/);
});

test('image URLs are returned as absolute URLs, and may be URLs of other hosts', async () => {
  const image = 'https://pictures.example/tea.png';
  const product = { title: 'Tea', price: 3, image };
  const { json } = await service.send('POST /api/Products', inside('pictures', { json: product }));
  expect(json.image).toBe(image);
  const again = await service.send(
    `PUT /api/Products/${json.id}`,
    inside('pictures', { json: { ...product, image: `${service.url}/images/products/2.svg` } }),
  );
  expect(again.json.image).toBe(`${service.url}/images/products/2.svg`);
  const query = `{ product(id: ${json.id}) { image } first: product(id: 1) { image } }`;
  const graphql = await service.send('POST /graphql', inside('pictures', { json: { query } }));
  expect(graphql.json.data.product.image).toBe(`${service.url}/images/products/2.svg`);
  await service.send(`PATCH /api/Products/1`, inside('pictures', { json: { image } }));
  const other = await service.send('POST /graphql', inside('pictures', { json: { query } }));
  expect(other.json.data.first.image).toBe(image);
  for (const wrong of [
    'javascript:alert(1)',
    '/etc/passwd',
    'https://x y',
    '/images/products/x.svg',
  ]) {
    const { status } = await service.send('POST /api/Products', {
      json: { ...product, image: wrong },
    });
    expect([wrong, status]).toEqual([wrong, 400]);
  }
});
