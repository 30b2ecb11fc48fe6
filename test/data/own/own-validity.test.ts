/**
 * Whether a request for own data is valid depends on the names of collections, never on their
 * records.
 */

import { describe, expect, test } from 'vitest';
import { useService } from '../../support/service.js';

const { send } = useService();

let count = 0;
async function withData(data: unknown) {
  const sandbox = `validity-${++count}`;
  const headers = { 'X-Sandbox': sandbox };
  const put = await send('PUT /api/sandbox/data', { headers, json: data });
  expect(put.status, put.text).toBe(200);
  const ask = (target: string, json?: unknown, more: Record<string, string> = {}) =>
    send(target, { headers: { ...headers, ...more }, ...(json !== undefined && { json }) });
  return Object.assign(ask, { put, sandbox });
}

const idsOf = ({ json }: { readonly json: { readonly id: unknown }[] }) => json.map(({ id }) => id);

describe('with an empty collection', () => {
  const data = { posts: [{ id: 1 }], comments: [], Users: [], tags: [] };

  test.each([
    ['/my/comments?postId=1', []],
    ['/my/comments?sort=-createdAt', []],
    ['/my/comments?postId=1&createdAt_gte=2027-01-01&author.name_ne=x&likes_in=1,2', []],
    ['/my/comments?fields=text&embed=post', []],
    ['/my/comments/count?postId=1', { count: 0 }],
    ['/my/posts?embed=comments', [{ id: 1, comments: [] }]],
    ['/my/posts?embed=comments,tags,post', [{ id: 1, comments: [], tags: [], post: null }]],
    ['/my/posts/1/comments', []],
    ['/my/posts/1/Comments?sort=x&limit=3', []],
    ['/my/posts/1/Users', []],
    ['/my/posts/1/posts', []],
    ['/my/posts?embed=user', [{ id: 1, user: null }]],
    ['/my/posts?views_gte=many&title_lt=3', []],
  ])('GET %s is valid', async (path, expected) => {
    const ask = await withData(data);
    for (const prefix of ['', `/s/${ask.sandbox}`]) {
      const { status, json } = await send(`GET ${prefix}${path}`, {
        headers: prefix === '' ? { 'X-Sandbox': ask.sandbox } : {},
      });
      expect([status, json]).toEqual([200, expected]);
    }
  });

  test('a record is created below another one', async () => {
    const ask = await withData(data);
    const created = await ask('POST /my/posts/1/comments', { text: 'Hi' });
    expect([created.status, created.json]).toEqual([201, { id: 1, text: 'Hi', postId: 1 }]);
    expect((await ask('GET /my/posts/1/comments')).json).toEqual([created.json]);
    const inUser = await ask('POST /my/Users', {});
    const below = await ask(`POST /my/Users/${inUser.json.id}/posts`, {});
    expect(below.json).toEqual({ id: 2, userId: 1 });
  });

  test.each([
    ['GET /my/posts?embed=ghosts', 400],
    ['GET /my/posts/1/ghosts', 404],
    ['GET /my/posts/9/comments', 404],
    ['GET /my/posts?sort=', 400],
    ['GET /my/posts?_sort=id', 400],
    ['GET /my/posts?title_like=a', 400],
    [`GET /my/posts?embed=${Array.from({ length: 21 }, (_, n) => `post${n}`).join()}`, 400],
  ])('%s is %i', async (target, status) => {
    expect((await (await withData(data))(target)).status).toBe(status);
  });
});

describe('the names in a query', () => {
  test('are limited for strict clients to the fields of the records', async () => {
    const ask = await withData({ posts: [{ id: 1, title: 'a' }] });
    const strict = { Prefer: 'handling=strict' };
    for (const query of ['titel=a', 'sort=titel', 'fields=titel', 'titel_gte=a']) {
      const { status, json } = await ask(`GET /my/posts?${query}`, undefined, strict);
      expect([status, json.message.includes('title')], query).toEqual([400, true]);
    }
    const { status, headers } = await ask('GET /my/posts?title=a&sort=id', undefined, strict);
    expect([status, headers['preference-applied']]).toEqual([200, 'handling=strict']);
  });

  test('are limited to the declarations of a schema, with or without records', async () => {
    const schema = {
      properties: {
        title: { type: 'string' },
        author: { $ref: '#/$defs/author' },
        more: { type: 'object' },
      },
      $defs: { author: { properties: { name: { type: 'string' } } } },
    };
    const ask = await withData({ $schemas: { posts: schema }, posts: [] });
    for (const query of ['title=a', 'author.name=a', 'more.of.it=1', 'id=1', 'title_gte=a']) {
      expect((await ask(`GET /my/posts?${query}`)).status, query).toBe(200);
    }
    for (const query of ['titel=a', 'author.nam=a', 'sort=titel', 'fields=titel']) {
      const { status, json } = await ask(`GET /my/posts?${query}`);
      expect([status, json.message.includes('author.name')], query).toEqual([400, true]);
    }
  });

  test('are unlimited with a schema without properties', async () => {
    const ask = await withData({ $schemas: { posts: { required: ['title'] } }, posts: [] });
    expect((await ask('GET /my/posts?mood=good')).json).toEqual([]);
  });

  test.each([
    '__proto__',
    'constructor',
    'toString',
    'a.__proto__.b',
    'hasOwnProperty',
    'tags.length',
  ])('%s is no field of any record', async (name) => {
    const ask = await withData({ posts: [{ id: 1, a: {}, tags: ['x'] }] });
    const { json } = await ask(`GET /my/posts?${name}=1`);
    expect(json).toEqual([]);
    expect((await ask(`GET /my/posts?${name}=null`)).json).toHaveLength(1);
    expect((await ask(`GET /my/posts?sort=${name}`)).json).toHaveLength(1);
  });

  test('fields with the names of list parameters are filtered by _eq', async () => {
    const ask = await withData({
      plans: [
        { id: 1, limit: 3, page: 'a', order: 'x', q: 'y' },
        { id: 2, limit: 4, page: 'b', order: 'y', q: 'z' },
      ],
    });
    for (const query of ['limit_eq=3', 'page_eq=a', 'order_eq=x', 'q_eq=y', 'limit_lt=4']) {
      expect(idsOf(await ask(`GET /my/plans?${query}`)), query).toEqual([1]);
    }
    expect(idsOf(await ask('GET /my/plans?limit=1&limit_eq=4'))).toEqual([2]);
  });

  test('a field whose name ends like an operator is found by its full name', async () => {
    const ask = await withData({ posts: [{ id: 1, a_lt: 5 }] });
    expect(idsOf(await ask('GET /my/posts?a_lt=5'))).toEqual([1]);
    await ask('POST /my/posts', { b_gte: 7, delay: 'x' });
    expect(idsOf(await ask('GET /my/posts?b_gte=7'))).toEqual([2]);
    expect(idsOf(await ask('GET /my/posts?b_gte_eq=7'))).toEqual([2]);
  });
});

describe('relations follow the current data', () => {
  test('when a field first appears in a later record', async () => {
    const ask = await withData({ posts: [{ id: 1 }], comments: [{ id: 1 }], people: [{ id: 5 }] });
    await ask('POST /my/comments', { postId: 1, PersonId: 5 });
    expect(idsOf(await ask('GET /my/posts/1/comments'))).toEqual([2]);
    expect((await ask('GET /my/people/5?embed=comments')).json.comments).toHaveLength(1);
    const document = await ask('GET /my/comments/2', undefined, {
      Accept: 'application/vnd.api+json',
    });
    expect(document.json.data.relationships.post.data).toEqual({ type: 'posts', id: '1' });
    expect((await ask('GET /my')).json.collections[1].parents).toEqual(['posts', 'people']);
    const description = await ask('GET /my/openapi.json');
    expect(Object.keys(description.json.paths)).toContain('/my/posts/{id}/comments');
  });

  test('when the snapshot is loaded again after the last child was deleted', async () => {
    const ask = await withData({ posts: [{ id: 1 }], comments: [{ id: 1, postId: 1 }] });
    await ask('DELETE /my/comments/1');
    const { json } = await ask('GET /api/sandbox/data');
    expect((await ask('PUT /api/sandbox/data', json)).status).toBe(200);
    expect((await ask('GET /my/posts?embed=comments')).json).toEqual([{ id: 1, comments: [] }]);
    expect((await ask('POST /my/posts/1/comments', {})).json).toEqual({ id: 1, postId: 1 });
  });

  test('ids are compared as strings', async () => {
    const ask = await withData({
      posts: [{ id: 1 }, { id: 'a' }],
      comments: [
        { id: 1, postId: '1' },
        { id: 2, postId: 1 },
        { id: 3, postId: '01' },
        { id: 4, postId: null },
      ],
    });
    expect(idsOf(await ask('GET /my/posts/1/comments'))).toEqual([1, 2]);
    const { json } = await ask('GET /my/comments?embed=post');
    const posts = json.map(({ post }: { post: { id: unknown } | null }) => post?.id ?? null);
    expect(posts).toEqual([1, 1, null, null]);
    expect((await ask('POST /my/posts/1/comments', { postId: '1' })).status).toBe(201);
    expect((await ask('POST /my/posts/1/comments', { postId: '2' })).status).toBe(400);
  });

  test('in lists of ids, from both sides', async () => {
    const ask = await withData({
      posts: [{ id: 1, tagIds: ['b', 'a'] }, { id: 2, tagIds: ['a', 'ghost'] }, { id: 3 }],
      tags: [{ id: 'a' }, { id: 'b' }],
    });
    expect(ask.put.json.relations).toEqual([
      { children: 'posts', field: 'tagIds', parents: 'tags' },
    ]);
    expect(idsOf(await ask('GET /my/posts/1/tags'))).toEqual(['b', 'a']);
    expect(idsOf(await ask('GET /my/tags/a/posts'))).toEqual([1, 2]);
    expect(idsOf(await ask('GET /my/posts?tagIds=b'))).toEqual([1]);
    const { json } = await ask('GET /my/posts?embed=tags&fields=id');
    expect(json).toEqual([
      { id: 1, tags: [{ id: 'b' }, { id: 'a' }] },
      { id: 2, tags: [{ id: 'a' }] },
      { id: 3, tags: [] },
    ]);
    expect((await ask('GET /my/tags/b?embed=posts')).json.posts).toHaveLength(1);
    const below = await ask('POST /my/tags/b/posts', {});
    expect(below.json).toEqual({ id: 4, tagIds: ['b'] });
    expect((await ask('POST /my/tags/b/posts', { tagIds: ['a', 'b'] })).status).toBe(201);
    expect((await ask('POST /my/tags/b/posts', { tagIds: ['a'] })).status).toBe(400);
    const csv = await ask('GET /my/posts?embed=tags&fields=id', undefined, { Accept: 'text/csv' });
    expect(csv.text).toBe('id,tags\r\n1,b;a\r\n2,a\r\n3,\r\n4,b\r\n5,a;b\r\n');
  });
});

describe('ids, references and secrets', () => {
  const data = {
    users: [
      { id: 'aB1', name: 'Ada', apiKey: 'xY', reset_token: 'T1' },
      { id: 'Ab1', name: 'ADA', apiKey: 'Xy', reset_token: 't1' },
    ],
    posts: [
      { id: 1, userId: 'aB1' },
      { id: 2, userId: 'Ab1' },
    ],
  };

  test.each([
    ['users?id=aB1', ['aB1']],
    ['users?id_ne=aB1', ['Ab1']],
    ['users?id_in=aB1,AB1', ['aB1']],
    ['users?id=aB1&id=Ab1', ['aB1', 'Ab1']],
    ['users?apiKey=xY', ['aB1']],
    ['users?reset_token=t1', ['Ab1']],
    ['users?name=ada', ['aB1', 'Ab1']],
    ['posts?userId=aB1', [1]],
    ['posts?userId_ne=aB1', [2]],
    ['posts?id=01', []],
    ['posts?id=1', [1]],
    ['users/aB1/posts', [1]],
  ])('match exactly: %s', async (path, ids) => {
    expect(idsOf(await (await withData(data))(`GET /my/${path}`))).toEqual(ids);
  });
});

describe('fields of several types', () => {
  const values = ['b', 15, null, '16', ['x'], 2, true, '2027-03-12', { a: 1 }, 'A', false];
  const sorted = [null, false, true, 2, 15, '2027-03-12', '16', 'A', 'b', ['x'], { a: 1 }];
  const mixed = { c: values.map((v, index) => ({ id: index + 1, v })) };
  const valuesOf = ({ json }: { readonly json: { readonly v: unknown }[] }) =>
    json.map(({ v }) => v);

  test('have one order, which a snapshot does not change', async () => {
    const ask = await withData({ c: [] });
    for (const v of values) expect((await ask('POST /my/c', { v })).status).toBe(201);
    const again = await withData((await ask('GET /api/sandbox/data')).json);
    for (const each of [ask, again, await withData(mixed)]) {
      expect(valuesOf(await each('GET /my/c?sort=v'))).toEqual(sorted);
      expect(valuesOf(await each('GET /my/c?sort=-v'))).toEqual([...sorted].reverse());
    }
  });

  test.each<[string, unknown[]]>([
    ['v=16', ['16']],
    ['v=2', [2]],
    ['v=x', [['x']]],
    ['v=TRUE', [true]],
    ['v=null', [null]],
    ['v_gte=2', [15, 2, '2027-03-12', 'b', 'A']],
    ['v_gt=2', [15, '2027-03-12', 'b', 'A']],
    ['v_lt=10', [2]],
    ['v_gte=2027-03-12', ['2027-03-12', 'b', 'A']],
    ['v_lte=b', ['b', '16', '2027-03-12', 'A']],
  ])('are compared within their type: %s', async (query, expected) => {
    const found = valuesOf(await (await withData(mixed))(`GET /my/c?${query}`));
    expect(new Set(found)).toEqual(new Set(expected));
  });
});

describe('data that json-server accepts', () => {
  test('with a duplicate id is served with a warning', async () => {
    const ask = await withData({ posts: [{ id: 1, a: 1 }, { id: '1', a: 2 }, { id: 2 }] });
    expect(ask.put.json.warnings).toEqual([
      {
        field: 'posts.1.id',
        message: expect.stringMatching(
          /^posts\.1\.id is "1", which is also the id of posts\.0, the record with this URL, at line 1, column \d+\.$/,
        ),
      },
    ]);
    expect((await ask('GET /my/posts/1')).json).toEqual({ id: 1, a: 1 });
    expect((await ask('GET /my/posts')).json).toHaveLength(3);
    await ask('PATCH /my/posts/1', { a: 3 });
    const changed = [{ id: 1, a: 3 }, { id: '1', a: 2 }, { id: 2 }];
    expect((await ask('GET /my/posts')).json).toEqual(changed);
    expect((await ask('GET /api/sandbox/data')).json).toEqual({ posts: changed });
    await ask('DELETE /my/posts/1');
    expect((await ask('GET /my/posts')).json).toEqual([{ id: '1', a: 2 }, { id: 2 }]);
  });

  test('with a list of values has a single resource', async () => {
    const ask = await withData({ tags: ['a', 'b'], posts: [] });
    expect(ask.put.json).toMatchObject({ singles: ['tags'], warnings: [{ field: 'tags' }] });
    expect((await ask('GET /my/tags')).json).toEqual(['a', 'b']);
    expect((await ask('PUT /my/tags', ['c', 1])).json).toEqual(['c', 1]);
    expect((await ask('GET /my/tags')).text).toBe('["c",1]');
    expect((await ask('GET /api/sandbox/data')).json).toEqual({ tags: ['c', 1], posts: [] });
    expect((await ask('PUT /my/tags', 5)).status).toBe(400);
    expect((await ask('PATCH /my/tags', ['d'])).json).toEqual(['d']);
    for (const type of [
      'text/csv',
      'application/yaml',
      'application/xml',
      'application/x-ndjson',
    ]) {
      const { status, text } = await ask('GET /my/tags', undefined, { Accept: type });
      expect([status, text.includes('d')], type).toEqual([200, true]);
    }
  });

  test('lists records in the order of their creation', async () => {
    const ask = await withData({ posts: [{ id: 1 }, { id: 2 }] });
    for (const id of [50, 10]) await ask('POST /my/posts', { id });
    await ask('DELETE /my/posts/1');
    await ask('POST /my/posts', { id: 1, again: true });
    await ask('PATCH /my/posts/50', { a: 1 });
    expect(idsOf(await ask('GET /my/posts'))).toEqual([2, 50, 10, 1]);
    expect((await ask('GET /my/posts/1')).json.again).toBe(true);
    await ask('PUT /my/posts/1', { b: 1 });
    await ask('DELETE /my/posts/1');
    expect((await ask('GET /my/posts/1')).status).toBe(404);
    expect(idsOf(await ask('GET /my/posts'))).toEqual([2, 50, 10]);
  });
});

test('a patch that replaces a whole record with a number is rejected', async () => {
  const ask = await withData({ posts: [{ id: 1 }] });
  const headers = { 'Content-Type': 'application/json-patch+json' };
  for (const path of ['/api/Books/1', '/my/posts/1']) {
    const body = [{ op: 'replace', path: '', value: 5 }];
    const { status, json } = await ask(`PATCH ${path}`, body, headers);
    expect([status, json.message]).toEqual([
      400,
      expect.stringMatching(
        /^The patch would replace the whole .+, which must remain an object; got 5\.$/,
      ),
    ]);
  }
});
