import { describe, expect, test } from 'vitest';
import { loadDatasets } from '../../src/data/load-datasets.js';
import { createService } from '../support/create-service.js';
import { send, useService } from '../support/service.js';

const service = useService();
const { items } = loadDatasets();
const allIds = items.map(({ id }) => id);

const get = (pathAndQuery: string) => service.send(`GET /api/pagination/${pathAndQuery}`);
const idsOf = (list: readonly { readonly id: number }[]) => list.map(({ id }) => id);
const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);

test('the styles are listed with URLs that work', async () => {
  const { json } = await service.send('GET /api/pagination');
  expect(json.total).toBe(100);
  expect(json.styles.map(({ name }: { name: string }) => name)).toEqual([
    'offset',
    'page',
    'cursor',
    'link',
    'keyset',
    'hal',
  ]);
  for (const { url, parameters } of json.styles) {
    const { pathname } = new URL(url);
    expect((await service.send(`GET ${pathname}`)).status).toBe(200);
    const query = parameters.map((name: string) => `${name}=x`).join('&');
    const { json: rejection } = await service.send(`GET ${pathname}?${query}`);
    const named = rejection.errors.map(({ field }: { field: string }) => field);
    // The cursor is checked last.
    expect(named).toEqual(parameters.filter((name: string) => name !== 'cursor'));
  }
});

/** Each way to walk: the ids of one page, and the URL of the next. */
const walks: Record<string, (size: number) => AsyncGenerator<readonly number[]>> = {
  async *offset(size) {
    for (let offset = 0, hasMore = true; hasMore; offset += size) {
      const { json } = await get(`offset?offset=${offset}&limit=${size}`);
      yield idsOf(json.data);
      hasMore = json.pagination.hasMore;
    }
  },
  async *page(size) {
    for (let page = 0, isLast = false; !isLast; page++) {
      const { json } = await get(`page?page=${page}&size=${size}`);
      yield idsOf(json.content);
      isLast = json.last;
    }
  },
  async *cursor(size) {
    let cursor = '';
    do {
      const { json } = await get(`cursor?limit=${size}${cursor && `&cursor=${cursor}`}`);
      yield idsOf(json.data);
      expect(json.has_more).toBe(json.next_cursor !== null);
      cursor = json.next_cursor;
    } while (cursor);
  },
  async *link(size) {
    let target: string | undefined = `/api/pagination/link?per_page=${size}`;
    while (target !== undefined) {
      const { json, headers } = await service.send(`GET ${target}`);
      yield idsOf(json);
      const [, next] = /<([^>]*)>; rel="next"/.exec(headers.link as string) ?? [];
      target = next?.slice(service.url.length);
    }
  },
  async *keyset(size) {
    let afterId = 0;
    while (afterId !== null) {
      const { json } = await get(`keyset?after_id=${afterId}&limit=${size}`);
      yield idsOf(json.data);
      expect(json.has_more).toBe(json.next_after_id !== null);
      afterId = json.next_after_id;
    }
  },
  async *hal(size) {
    let target: string | undefined = `/api/pagination/hal?size=${size}`;
    while (target !== undefined) {
      const { json } = await service.send(`GET ${target}`);
      yield idsOf(json._embedded.items);
      target = json._links.next?.href.slice(service.url.length);
    }
  },
};

describe.each(Object.keys(walks))('a walk by %s', (style) => {
  test.each([1, 7, 10, 33, 50, 99, 100])(
    'in pages of %i returns every item once, in order',
    async (size) => {
      const pages: (readonly number[])[] = [];
      for await (const page of walks[style]?.(size) ?? []) pages.push(page);
      expect(pages.flat()).toEqual(allIds);
      expect(pages).toHaveLength(Math.ceil(100 / size));
      expect(pages.every((page) => page.length <= size && page.length > 0)).toBe(true);
    },
  );

  test('begins with ten items by default', async () => {
    const { json } = await get(style);
    const list = [json, json.data, json.content, json._embedded?.items].find(Array.isArray);
    expect(list?.map(({ _links, ...item }: { _links?: unknown }) => item)).toEqual(
      items.slice(0, 10),
    );
  });
});

describe('offset', () => {
  test.each([
    [0, 10, range(1, 10), true],
    [95, 10, range(96, 100), false],
    [90, 10, range(91, 100), false],
    [89, 10, range(90, 99), true],
    [100, 10, [], false],
    [2147483647, 100, [], false],
  ])('%i with limit %i', async (offset, limit, ids, hasMore) => {
    const { json, headers } = await get(`offset?offset=${offset}&limit=${limit}`);
    expect(idsOf(json.data)).toEqual(ids);
    expect(json.pagination).toEqual({ offset, limit, total: 100, hasMore });
    expect(headers['x-total-count']).toBe('100');
  });
});

describe('page', () => {
  test.each([
    [0, 30, range(1, 30), { first: true, last: false, empty: false, offset: 0 }],
    [3, 30, range(91, 100), { first: false, last: true, empty: false, offset: 90 }],
    [4, 30, [], { first: false, last: true, empty: true, offset: 120 }],
    [0, 100, range(1, 100), { first: true, last: true, empty: false, offset: 0 }],
  ])('%i of %i', async (page, size, ids, { offset, ...flags }) => {
    const { json } = await get(`page?page=${page}&size=${size}`);
    expect(json).toEqual({
      content: items.filter(({ id }) => ids.includes(id)),
      pageable: { pageNumber: page, pageSize: size, offset, paged: true },
      totalElements: 100,
      totalPages: Math.ceil(100 / size),
      number: page,
      size,
      numberOfElements: ids.length,
      ...flags,
    });
  });
});

describe('cursor', () => {
  test('is an envelope with the URL of the list', async () => {
    const { json } = await get('cursor?limit=2');
    expect(json).toEqual({
      object: 'list',
      url: `${service.url}/api/pagination/cursor`,
      data: items.slice(0, 2),
      has_more: true,
      next_cursor: expect.stringMatching(/^[\w-]{24}$/),
    });
  });

  test('remains valid for another page size', async () => {
    const { json } = await get('cursor?limit=3');
    const next = await get(`cursor?limit=5&cursor=${json.next_cursor}`);
    expect(idsOf(next.json.data)).toEqual(range(4, 8));
  });

  test('that is empty selects the first page', async () => {
    expect((await get('cursor?cursor=')).json).toEqual((await get('cursor')).json);
  });

  test.each([
    ['made up', () => 'eyJpZCI6MTB9'],
    ['an id', () => '10'],
    ['changed', (cursor: string) => (cursor[0] === 'A' ? 'B' : 'A') + cursor.slice(1)],
    [
      'changed at its end',
      (cursor: string) => cursor.slice(0, -1) + (cursor.endsWith('A') ? 'B' : 'A'),
    ],
    ['cut', (cursor: string) => cursor.slice(0, -1)],
    ['prolonged', (cursor: string) => `${cursor}A`],
    ['sent twice', (cursor: string) => `${cursor}&cursor=${cursor}`],
  ])('that is %s is 400', async (_case, change) => {
    const { next_cursor: cursor } = (await get('cursor')).json;
    const { status, json } = await get(`cursor?cursor=${change(cursor)}`);
    expect(status).toBe(400);
    expect(json.errors).toMatchObject([{ field: 'cursor' }]);
  });

  test('works on every replica with the same key, and on no other', async () => {
    const cursorKey = 'the same key on all of the replicas';
    const services = await Promise.all([
      createService({ cursorKey }),
      createService({ cursorKey }),
      createService(),
    ]);
    try {
      const [first, second, stranger] = services.map(({ url }) => url);
      const { json } = await send(first ?? '', 'GET /api/pagination/cursor');
      const target = `GET /api/pagination/cursor?cursor=${json.next_cursor}`;
      expect(idsOf((await send(second ?? '', target)).json.data)).toEqual(range(11, 20));
      expect((await send(stranger ?? '', target)).status).toBe(400);
    } finally {
      await Promise.all(services.map((each) => each.close()));
    }
  });
});

describe('link', () => {
  test.each([
    [1, 30, range(1, 30), { first: 1, next: 2, last: 4 }],
    [2, 30, range(31, 60), { first: 1, prev: 1, next: 3, last: 4 }],
    [4, 30, range(91, 100), { first: 1, prev: 3, last: 4 }],
    [9, 30, [], { first: 1, prev: 4, last: 4 }],
    [1, 100, range(1, 100), { first: 1, last: 1 }],
  ])('page %i of %i', async (page, perPage, ids, links) => {
    const { json, headers } = await get(`link?page=${page}&per_page=${perPage}`);
    expect(idsOf(json)).toEqual(ids);
    expect(headers['x-total-count']).toBe('100');
    const address = `${service.url}/api/pagination/link`;
    const expected = Object.entries(links).map(
      ([relation, target]) => `<${address}?page=${target}&per_page=${perPage}>; rel="${relation}"`,
    );
    expect(headers.link).toBe(expected.join(', '));
  });
});

describe('keyset', () => {
  test.each([
    [0, 10, range(1, 10), 10],
    [37, 3, range(38, 40), 40],
    [90, 10, range(91, 100), null],
    [100, 10, [], null],
    [5000, 10, [], null],
  ])('after %i with limit %i', async (afterId, limit, ids, next) => {
    const { json } = await get(`keyset?after_id=${afterId}&limit=${limit}`);
    expect(idsOf(json.data)).toEqual(ids);
    expect(json).toMatchObject({ has_more: next !== null, next_after_id: next });
  });
});

describe('hal', () => {
  test.each([
    [0, 30, range(1, 30), { self: 0, first: 0, next: 1, last: 3 }],
    [1, 30, range(31, 60), { self: 1, first: 0, prev: 0, next: 2, last: 3 }],
    [3, 30, range(91, 100), { self: 3, first: 0, prev: 2, last: 3 }],
    [7, 30, [], { self: 7, first: 0, prev: 3, last: 3 }],
  ])('page %i of %i', async (page, size, ids, links) => {
    const { json, headers } = await get(`hal?page=${page}&size=${size}`);
    expect(headers['content-type']).toBe('application/hal+json');
    expect(idsOf(json._embedded.items)).toEqual(ids);
    expect(json.page).toEqual({ size, totalElements: 100, totalPages: 4, number: page });
    const address = `${service.url}/api/pagination/hal`;
    expect(json._links).toEqual(
      Object.fromEntries(
        Object.entries(links).map(([relation, target]) => [
          relation,
          { href: `${address}?page=${target}&size=${size}` },
        ]),
      ),
    );
  });

  test('links every item to itself', async () => {
    const { json } = await get('hal?size=100');
    for (const { _links, ...item } of json._embedded.items) {
      const response = await service.send(`GET ${_links.self.href.slice(service.url.length)}`);
      expect(response.headers['content-type']).toBe('application/hal+json');
      expect(response.json).toEqual({
        ...item,
        _links: { self: _links.self, collection: { href: `${service.url}/api/pagination/hal` } },
      });
    }
  });

  test.each([
    ['0', 404],
    ['101', 404],
    ['-3', 404],
    ['x', 400],
    ['1e999', 400],
  ])('has no item %s: %i', async (id, status) => {
    expect((await get(`items/${id}`)).status).toBe(status);
  });
});

test.each([
  ['offset', 'limit'],
  ['page', 'size'],
  ['cursor', 'limit'],
  ['link', 'per_page'],
  ['keyset', 'limit'],
  ['hal', 'size'],
])('%s accepts a %s from 1 to 100 and nothing else', async (style, name) => {
  for (const value of ['0', '101', '-1', 'ten', '', '1.5', 'NaN', 'Infinity', '1e999', '5,5']) {
    const { status, json } = await get(`${style}?${name}=${encodeURIComponent(value)}`);
    expect(status).toBe(400);
    expect(json.message).toBe(`${name} must be an integer from 1 to 100; got "${value}".`);
    expect(json.errors).toEqual([{ field: name, message: json.message }]);
  }
  const repeated = await get(`${style}?${name}=5&${name}=6`);
  expect(repeated.status).toBe(400);
  expect((await get(`${style}?${name}=100`)).status).toBe(200);
});

test.each([
  ['offset?offset=-1', 'offset', 0, '-1'],
  ['page?page=-1', 'page', 0, '-1'],
  ['link?page=0', 'page', 1, '0'],
  ['keyset?after_id=-1', 'after_id', 0, '-1'],
  ['hal?page=02147483648', 'page', 0, '02147483648'],
  ['offset?offset=1e999', 'offset', 0, '1e999'],
])('%s is 400, and the response says where to begin', async (target, name, first, sent) => {
  const { status, json } = await get(target);
  expect(status).toBe(400);
  expect(json.message).toBe(
    `${name} must be an integer from ${first} to 2147483647; got "${sent}".`,
  );
});

test('a parameter of another style is named, with the parameters of this style', async () => {
  const { status, json } = await get('keyset?page=2&__proto__=1');
  expect(status).toBe(400);
  expect(json.message).toContain('Unknown query parameter page. Use after_id, limit');
  expect(json.errors).toHaveLength(2);
});

test('links begin with the configured base URL', async () => {
  const other = await createService({ baseUrl: 'https://api.example.com/practice/' });
  try {
    const hal = await send(other.url, 'GET /api/pagination/hal');
    expect(hal.json._links.self.href).toBe(
      'https://api.example.com/practice/api/pagination/hal?page=0&size=10',
    );
    const events = await send(other.url, 'GET /api/Events?limit=1');
    expect(events.headers.link).toMatch(/^<https:\/\/api\.example\.com\/practice\/api\/Events\?/);
  } finally {
    await other.close();
  }
});
