/** json-server's paths over own data. test/clients compares the responses with json-server's. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createService, type Service } from '../../../src/index.js';
import { isProxied } from '../../support/create-service.js';
import { send as sendTo, useService } from '../../support/service.js';

const { send } = useService();

let count = 0;
async function withData(data: unknown) {
  const sandbox = `json-server-${++count}`;
  const headers = { 'X-Sandbox': sandbox };
  expect((await send('PUT /api/sandbox/data', { headers, json: data })).status).toBe(200);
  const ask = (target: string, json?: unknown, more: Record<string, string> = {}) =>
    send(target.replace(' ', ' /json-server'), {
      headers: { ...headers, ...more },
      ...(json !== undefined && { json }),
    });
  return Object.assign(ask, { sandbox });
}

const blog = {
  posts: [
    { id: 1, title: 'Hello', views: 100 },
    { id: 2, title: 'Again', views: 7 },
    { id: 3, title: 'More', views: 30 },
  ],
  comments: [{ id: 1, postId: 1 }],
  profile: { name: 'Ada' },
  tags: ['a', 'b', 'c'],
};

const idsOf = ({ json }: { readonly json: { readonly id: unknown }[] }) => json.map(({ id }) => id);

test('works on the data of /my', async () => {
  const ask = await withData(blog);
  const created = await ask('POST /posts', { title: 'New' });
  expect([created.status, created.json]).toEqual([201, { title: 'New', id: 4 }]);
  const headers = { 'X-Sandbox': ask.sandbox };
  expect((await send('GET /my/posts/4', { headers })).json).toEqual({ title: 'New', id: 4 });
  await send('DELETE /my/posts/4', { headers });
  expect((await ask('GET /posts/4')).text).toBe('{}');
  expect(idsOf(await ask('POST /posts', {}).then(() => ask('GET /posts')))).toEqual([1, 2, 3, 4]);
  const changes = await send('GET /my/posts/changes', { headers });
  expect(changes.json.token).toBeTypeOf('string');
});

test('links keep the sandbox in the URL', async () => {
  const { sandbox } = await withData(blog);
  const { headers } = await send(`GET /s/${sandbox}/json-server/posts?_page=1&_limit=2`);
  expect([headers['x-total-count'], String(headers.link).split(', ')[1]]).toEqual([
    '3',
    expect.stringMatching(
      new RegExp(`/s/${sandbox}/json-server/posts\\?_page=2&_limit=2>; rel="next"$`),
    ),
  ]);
  const index = await send(`GET /s/${sandbox}/json-server`);
  expect(new URL(index.json.posts).pathname).toBe(`/s/${sandbox}/json-server/posts`);
  const created = await send(`POST /s/${sandbox}/json-server/posts/1/comments`, { json: {} });
  expect(new URL(created.headers.location ?? '').pathname).toBe(
    `/s/${sandbox}/json-server/posts/1/comments/2`,
  );
  expect(created.json).toEqual({ postId: '1', id: 2 });
});

test('dependents are deleted with their parent', async () => {
  const ask = await withData(blog);
  expect((await ask('DELETE /posts/1')).text).toBe('{}');
  expect((await ask('GET /comments')).json).toEqual([]);
  expect((await ask('DELETE /posts/1')).status).toBe(404);
});

test('v=1 selects version 1', async () => {
  const ask = await withData(blog);
  expect((await ask('GET /posts?v=1&views:gt=10&_page=1&_per_page=1')).json).toEqual({
    ...{ first: 1, prev: null, next: 2, last: 2, pages: 2, items: 2 },
    data: [{ id: '1', title: 'Hello', views: 100 }],
  });
  const { json } = await ask('POST /posts?v=1', { title: 'x', id: 7 });
  expect(json.id).toMatch(/^[\w-]{11}$/);
  expect((await ask('GET /posts/9?v=1')).json).toEqual({ error: 'Not Found' });
  const or = encodeURIComponent('{"or":[{"views":{"lt":10}},{"title":{"startsWith":"mo"}}]}');
  expect(idsOf(await ask(`GET /posts?v=1&_where=${or}`))).toEqual(['2', '3']);
});

describe('like json-server,', () => {
  const delayed = [
    ['GET /posts', 200],
    ['GET /posts/1', 200],
    ['GET /ghosts', 404],
    ['POST /posts', 201],
    ['POST /posts/1/comments', 201],
    ['PUT /posts/1', 200],
    ['PATCH /posts/1', 200],
    ['PUT /profile', 200],
    ['PATCH /profile', 200],
    ['POST /profile', 201],
    ['DELETE /posts/2', 200],
    ['DELETE /posts/99', 404],
    ['GET /a/b/c/d', 404],
  ] as const;

  test('every method and path waits for _delay, and performs a write after it', async () => {
    const ask = await withData(blog);
    const begun = performance.now();
    const responses = delayed.map(async ([request, status]) => {
      const response = await ask(`${request}?_delay=700`, request.startsWith('P') ? {} : undefined);
      expect([request, response.status]).toEqual([request, status]);
      expect(performance.now() - begun, request).toBeGreaterThan(690);
    });
    expect(idsOf(await ask('GET /posts'))).toEqual([1, 2, 3]);
    await Promise.all(responses);
    expect(idsOf(await ask('GET /posts'))).toEqual([1, 3, 4]);
    const malformed = await send(`POST /s/${ask.sandbox}/json-server/posts?_delay=60000`, {
      headers: { 'Content-Type': 'application/json' },
      body: '{',
    });
    expect(malformed.status).toBe(400);
  });

  test.each([
    ['0', 'POST /posts', 201],
    ['0', 'PUT /posts/1', 200],
    ['0', 'PATCH /posts/1', 200],
    ['0', 'PUT /posts/99', 404],
    ['1', 'POST /posts', 201],
    ['1', 'PUT /posts/1', 200],
    ['1', 'PATCH /posts/1', 200],
    ['1', 'PUT /profile', 200],
    ['1', 'PATCH /profile', 200],
    ['1', 'POST /ghosts', 404],
    ['1', 'PUT /ghosts', 404],
    ['1', 'PATCH /posts/99', 404],
  ])('in version %s %s without a body is %i', async (version, request, status) => {
    const ask = await withData(blog);
    expect((await ask(`${request}?v=${version}`)).status).toBe(status);
  });

  test.each(['[]', '"text"', 'null', '5'])('version 1 rejects the body %s', async (body) => {
    const { sandbox } = await withData(blog);
    const headers = { 'Content-Type': 'application/json' };
    const path = `/s/${sandbox}/json-server/posts?v=1`;
    const { status, json } = await send(`POST ${path}`, { headers, body });
    expect([status, json]).toEqual([400, { error: 'Body must be a JSON object' }]);
  });

  test.each([
    ['', 'GET, HEAD, OPTIONS'],
    ['/db', 'GET, HEAD, OPTIONS'],
    ['/posts', 'GET, HEAD, OPTIONS, PATCH, POST, PUT'],
    ['/posts/1', 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
    ['/posts/1/comments', 'GET, HEAD, OPTIONS, POST'],
    ['/a/b/c/d', undefined],
  ])('OPTIONS %s is 204, with an Origin or without', async (path, allow) => {
    const ask = await withData(blog);
    for (const more of [{}, { Origin: 'https://front.example' }]) {
      const { status, headers, text } = await ask(`OPTIONS ${path}`, undefined, more);
      expect([status, headers.allow, text]).toEqual([204, allow, '']);
      expect(headers['access-control-allow-methods']).toContain('PATCH');
    }
    const wrong = await ask(`PROPFIND ${path}`);
    expect([wrong.status, wrong.headers.allow]).toEqual(
      allow === undefined ? [404, undefined] : [405, allow],
    );
  });

  test.each([
    ['/users/1/posts/1', {}],
    ['/users/1/posts/1/', {}],
    ['/a/b/c/d/e?x=1', {}],
    ['/users/1/posts/1?v=1', { error: 'Not Found' }],
  ])('the path %s of too many names is 404 with its body', async (path, body) => {
    const ask = await withData(blog);
    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await ask(`${method} ${path}`, method === 'POST' ? {} : undefined);
      expect([response.status, response.json]).toEqual([404, body]);
    }
  });
});

describe('sorting', () => {
  const posts = [
    { id: 1, author: 'b', views: 2, meta: { stars: 1 } },
    { id: 2, author: 'a', views: 2, meta: { stars: 3 } },
    { id: 3, author: 'b', views: 1, meta: { stars: 2 } },
    { id: 4, author: 'a', views: 3 },
  ];

  test.each([
    ['v=1&_sort=views', [3, 1, 2, 4]],
    ['v=1&_sort=-views', [4, 1, 2, 3]],
    ['v=1&_sort=author', [2, 4, 1, 3]],
    ['v=1&_sort=-author', [1, 3, 2, 4]],
    ['v=1&_sort=author,-views', [4, 2, 1, 3]],
    ['v=1&_sort=-author,views', [3, 1, 2, 4]],
    ['v=1&_sort=-views,-author', [4, 1, 2, 3]],
    ['v=1&_sort=meta.stars', [1, 3, 2, 4]],
    ['v=1&_sort=-meta.stars', [4, 2, 3, 1]],
    ['_sort=views', [3, 1, 2, 4]],
    ['_sort=views&_order=asc', [3, 1, 2, 4]],
    ['_sort=views&_order=desc', [4, 1, 2, 3]],
    ['_sort=author,views&_order=desc,asc', [3, 1, 2, 4]],
    ['_sort=author,views&_order=asc,desc', [4, 2, 1, 3]],
  ])('%s: in this order, equal ones as before', async (query, ids) => {
    const ask = await withData({ posts });
    expect(idsOf(await ask(`GET /posts?${query}`)).map(Number)).toEqual(ids);
  });
});

test('schemas are enforced', async () => {
  const ask = await withData({ $schemas: { posts: { required: ['title'] } }, posts: [] });
  expect((await ask('POST /posts', {})).status).toBe(400);
  expect((await ask('POST /posts', { title: 'a' })).status).toBe(201);
  expect((await ask('PUT /posts/1', {})).status).toBe(400);
  expect((await ask('PATCH /posts/1', { b: 1 })).json).toEqual({ title: 'a', id: 1, b: 1 });
});

test('responses have an entity tag, and a client that has it gets 304', async () => {
  const ask = await withData(blog);
  const { headers } = await ask('GET /posts');
  const known = await ask('GET /posts', undefined, { 'If-None-Match': headers.etag ?? '' });
  expect([known.status, known.text]).toEqual([304, '']);
  const head = await ask('HEAD /posts');
  expect([head.status, head.headers.etag]).toEqual([200, headers.etag]);
});

test('a page of another origin may send credentials', async () => {
  const ask = await withData(blog);
  const { headers } = await ask('GET /posts?_page=1', undefined, {
    Origin: 'https://front.example',
    Cookie: 'a=b',
  });
  expect(headers).toMatchObject({
    'access-control-allow-origin': 'https://front.example',
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'X-Total-Count, Link',
  });
});

test('JSONP callbacks contain only the characters of a name', async () => {
  const ask = await withData({ profile: { a: '\u2028' } });
  const { text, headers } = await ask('GET /profile?callback=a.b[0](alert)');
  expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(text).toBe(
    '/**/ typeof a.b[0]alert === \'function\' && a.b[0]alert({\n  "a": "\\u2028"\n});',
  );
});

test('a list of values is paged like any other', async () => {
  const ask = await withData(blog);
  expect((await ask('GET /tags?_limit=2')).json).toEqual(['a', 'b']);
  expect((await ask('GET /tags/0')).status).toBe(404);
});

describe('a request for too much work is rejected:', () => {
  const long = 'x'.repeat(200);
  const deep = `${'{"a":'.repeat(25)}1${'}'.repeat(25)}`;

  test.each([
    ['GET', `/posts?${long.repeat(50)}`, 414],
    ['GET', `/posts?${Array.from({ length: 101 }, (_, n) => `a${n}=1`).join('&')}`, 400],
    ['GET', `/posts?${Array(101).fill('views_gte=1').join('&')}`, 400],
    ['GET', `/posts?${Array(11).fill('title_like=a').join('&')}`, 400],
    ['GET', `/posts?_sort=${Array(11).fill('id').join()}`, 400],
    ['GET', '/posts?_sort=id&_sort=title', 400],
    ['GET', '/posts?title_like=(a%2B)%2B', 400],
    ['GET', '/posts?title_like=(', 400],
    ['GET', '/posts?title_like=(?=a)', 400],
    ['GET', `/posts?${Array(21).fill('_embed=comments').join('&')}`, 400],
    ['GET', `/posts?v=1&_where=${encodeURIComponent(deep)}`, 400],
    ['POST', '/posts', 400],
    ['PUT', '/posts/1', 400],
  ])('%s %s is %i', async (method, path, status) => {
    const ask = await withData(blog);
    const body = method === 'GET' ? undefined : [1];
    expect((await ask(`${method} ${path}`, body)).status).toBe(status);
  });

  const classes = (count: number, end = '') =>
    `title_like=${encodeURIComponent(`[${'\\p{L}'.repeat(count)}]${end}`)}`;
  const folded = (count: number) =>
    `title_like=${encodeURIComponent(`[${'B-\u{1e942}'.repeat(count)}]`)}`;

  test.each([
    [
      'patterns of many Unicode classes',
      [...'0123456789'].map((end) => classes(40, end)).join('&'),
    ],
    ['patterns of several fields', `${classes(60)}&${classes(60).replaceAll('title', 'name')}`],
    ['a range of many characters in any letter case', folded(10)],
  ])('%s are too large together', async (_name, query) => {
    const ask = await withData(blog);
    const { status, json } = await ask(`GET /posts?${query}`);
    expect(status).toBe(400);
    expect(json.message).toMatch(
      /^(?:title|name)_like makes the patterns of this query too large; use fewer classes such as \\p\{L\}\.$/,
    );
  });

  test('ten patterns of letters are accepted, in any letter case', async () => {
    const ask = await withData(blog);
    const patterns = Array.from({ length: 10 }, (_, n) => `^[\\p{Lu}à-ÿа-я]EL[l]o{${n}}`);
    const query = patterns.map((each) => `title_like=${encodeURIComponent(each)}`).join('&');
    expect(idsOf(await ask(`GET /posts?${query}`))).toEqual([1]);
    expect(idsOf(await ask(`GET /posts?${folded(1)}`))).toEqual([1, 2, 3]);
  });

  test('a long list is compared as its text', async () => {
    const ask = await withData({
      posts: [
        { id: 1, tags: ['b', 'c'] },
        { id: 2, tags: ['a'] },
      ],
    });
    expect(idsOf(await ask('GET /posts?tags_gte=b,b'))).toEqual([1]);
    expect(idsOf(await ask('GET /posts?tags_lte=b,b'))).toEqual([2]);
  });

  test('patterns match in linear time', async () => {
    const title = `${'a'.repeat(5000)}!`;
    const ask = await withData({ posts: Array.from({ length: 50 }, (_, id) => ({ id, title })) });
    expect((await ask('GET /posts?title_like=^(a|aa)*$')).status).toBe(200);
    expect(idsOf(await ask('GET /posts?title_like=^A.*!$&_limit=1'))).toEqual([0]);
  });

  test.each(['{"__proto__":{"a":1}}', '{"a":', '"text"', '5', `${'['.repeat(600)}`])(
    'the body %s is 400',
    async (body) => {
      const { sandbox } = await withData(blog);
      const headers = { 'X-Sandbox': sandbox, 'Content-Type': 'application/json' };
      const { status } = await send('POST /json-server/posts', { headers, body });
      expect(status).toBe(400);
    },
  );

  test('a duplicate id is 409', async () => {
    const ask = await withData(blog);
    expect((await ask('POST /posts', { id: 1 })).status).toBe(409);
    expect((await ask('POST /posts', { id: { a: 1 } })).status).toBe(400);
  });

  test.each(['__proto__', 'constructor', 'toString'])('%s is not a member', async (name) => {
    const ask = await withData(blog);
    for (const path of [`/${name}`, `/posts/${name}`, `/posts/1/${name}`]) {
      expect((await ask(`GET ${path}`)).status).toBe(404);
    }
    expect((await ask(`GET /posts?_embed=${name}&_expand=${name}&_limit=1`)).status).toBe(200);
    expect(idsOf(await ask(`GET /posts?${name}=1&_sort=${name}`))).toEqual([1, 2, 3]);
  });
});

// Replicas are behind a proxy that knows one port of each.
describe.skipIf(isProxied)('a separate port', () => {
  let service: Service;
  let url = '';

  beforeAll(async () => {
    service = await createService({
      data: blog,
      jsonServerPort: 0,
      jsonServerRoutes: {
        '/api/*': '/$1',
        '/:resource/:id/show': '/:resource/:id',
        '/posts/:title': '/posts?title=:title',
        '/articles\\?id=:id': '/posts/:id',
      },
      baseUrl: 'https://practice.example',
    });
    url = service.ownUrls['/json-server'] ?? '';
  });
  afterAll(() => service?.close());
  const ask = (target: string, options = {}) => sendTo(url, target, options);

  test('has the paths without the prefix, also in links', async () => {
    const { headers, json } = await ask('GET /posts?_page=2&_limit=1');
    expect(json).toEqual([blog.posts[1]]);
    expect(headers.link).toContain(`<${url}/posts?_page=1&_limit=1>; rel="first"`);
    expect((await ask('GET /')).json.posts).toBe(`${url}/posts`);
    const created = await ask('POST /s/own/posts', { json: {} });
    expect(created.headers.location).toBe(`${url}/s/own/posts/4`);
    expect((await sendTo(service.url, 'GET /json-server')).json.posts).toBe(
      'https://practice.example/json-server/posts',
    );
  });

  test('serves nothing else', async () => {
    for (const path of ['/api/Books/1/2', '/s/own/health/x/y/z', '/a/b/c/d', '/api/', '/api/?a']) {
      const response = await fetch(url + path);
      expect([path, response.status, await response.text()]).toEqual([path, 404, '{}']);
    }
  });

  test('rewrites paths by rules', async () => {
    const [post] = blog.posts;
    expect((await ask('GET /__rules')).json).toMatchObject({ '/api/*': '/$1' });
    expect((await ask('GET /api/posts/1')).json).toEqual([]);
    expect((await ask('GET /posts/1/show')).json).toEqual([]);
    expect((await ask('GET /posts/Hello')).json).toEqual([post]);
    expect((await ask('GET /s/x/api/posts?title=Hello')).json).toEqual([post]);
    expect((await sendTo(service.url, 'GET /json-server/posts/Hello')).json).toEqual([post]);
    expect((await sendTo(service.url, 'GET /my/posts/1')).status).toBe(200);
  });

  test('is a different origin for redirects', async () => {
    const plain = await createService({ jsonServerPort: 0 });
    const to = async (query: string) =>
      (await sendTo(plain.url, `GET /api/http/redirect/other-port${query}`)).headers.location;
    const own = plain.ownUrls['/json-server'];
    expect(await to('')).toBe(`${own}/`);
    expect(await to('?to=/json-server/db')).toBe(`${own}/db`);
    expect(await to('?to=/api/methods/get')).toBe(`${own}/`);
    expect((await fetch(`${own}/db`)).status).toBe(200);
    await plain.close();
  });
});

test.each([
  [{ jsonServerRoutes: { a: '/b' } }, 'begin with a slash'],
  [{ jsonServerRoutes: { '/*/*/*': '/b' } }, 'at most 2 stars'],
  [{ jsonServerRoutes: [] as never }, 'must be an object'],
  [{ jsonServerVersion: 2 as never }, 'must be 0'],
  [{ jsonServerPort: 70_000 }, '65535'],
])('%j is rejected', async (options, message) => {
  await expect(createService(options)).rejects.toThrow(message);
});
