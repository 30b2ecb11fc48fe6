/** The limits of work of one request: beyond them the response says what would be accepted. */

import { describe, expect, test } from 'vitest';
import { useService } from '../../support/service.js';

const { send } = useService({ sandboxBytes: 64 * 1024 * 1024 });

const headers = { 'X-Sandbox': 'work' };
const many = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => make(index));
const put = async (json: object) =>
  expect((await send('PUT /api/sandbox/data', { headers, json })).status).toBe(200);
const patch = (record: string, json: unknown, type = 'application/merge-patch+json') =>
  send(`PATCH /my/${record}`, {
    headers: { ...headers, 'Content-Type': type },
    body: JSON.stringify(json),
  });
const jsonPatch = 'application/json-patch+json';

describe('a query of own data', () => {
  test('with many unknown parameters gets some of the names, however long they are', async () => {
    const fields = many(900, (index) => [`${'n'.repeat(150)}${index}`, 1] as const);
    await put({ c: [{ id: 1, ...Object.fromEntries(fields) }] });
    const query = many(1500, (index) => `z${index}`).join('&');
    const most = await send(`GET /my/c/count?${query}`, { headers });
    expect(most.json.message).toBe('A query must have at most 100 filters; got 1500.');
    const strict = { ...headers, Prefer: 'handling=strict' };
    const { status, json, bytes } = await send(`GET /my/c/count?${query}`, { headers: strict });
    expect([status, json.errors.length]).toEqual([400, 20]);
    expect(json.errors[0]).toMatchObject({
      field: 'z0',
      message: expect.stringContaining(' and 400 more)'),
    });
    expect(bytes.length).toBeLessThan(1024 * 1024);
    const unknown = await send('GET /my/c?fields=z', { headers: strict });
    expect(unknown.json.message.length).toBeLessThan(15_000);
  });

  test.each([
    [`q=${many(101, String).join('&q=')}`, 'A query must have at most 100 filters; got 101.'],
    [`sort=${many(11, (index) => `n${index}`).join(',')}`, 'sort must have at most 10 fields.'],
  ])('%s is rejected', async (query, message) => {
    await put({ c: [{ id: 1, ...Object.fromEntries(many(20, (index) => [`n${index}`, 1])) }] });
    const { status, json } = await send(`GET /my/c?${query}`, { headers });
    expect([status, json.message]).toEqual([400, message]);
  });

  test('with thousands of limits on a field applies the strictest one', async () => {
    await put({ c: many(5000, (index) => ({ id: index + 1, a: `x${index % 10}` })) });
    const count = async (query: string) =>
      (await send(`GET /my/c/count?${query}`, { headers })).json;
    expect(await count(`a_gte=x8${'&a_gte='.repeat(2000)}`)).toEqual({ count: 1000 });
    expect(await count(`a_lt=x2${'&a_lt=y'.repeat(1500)}`)).toEqual({ count: 1000 });
  });

  test('on strings of only combining marks is searched and sorted', async () => {
    const marks = `a${'\u0301\u0316'.repeat(100_000)}`;
    await put({
      c: [
        { id: 1, a: `${marks}z` },
        { id: 2, a: marks },
        { id: 3, a: 'b' },
      ],
    });
    const ids = async (query: string) =>
      (await send(`GET /my/c?fields=id&${query}`, { headers })).json;
    expect(await ids('q=z')).toEqual([{ id: 1 }]);
    expect(await ids('sort=-a&limit=1')).toEqual([{ id: 3 }]);
  });
});

test.each([
  ['application/yaml', /a:\n +- 1\n/],
  ['application/xml', /<a><item>1<\/item>/],
  ['text/csv', /1;1;1/],
])('a record of 100,000 values is returned completely as %s', async (accept, part) => {
  await put({ c: [{ id: 1, a: many(100_000, () => 1) }] });
  for (const path of ['/my/c', '/my/c/1']) {
    const { status, text } = await send(`GET ${path}`, { headers: { ...headers, Accept: accept } });
    expect(status).toBe(200);
    expect(text.length).toBeGreaterThan(200_000);
    expect(part.test(text)).toBe(true);
  }
});

describe('a patch', () => {
  test('of a record of more than 50,000 values is 400; PUT replaces it', async () => {
    await put({ c: [{ id: 1, a: many(50_000, () => 1) }] });
    const message =
      'The record has more than 50000 values, so it cannot be patched. Replace it with PUT.';
    for (const response of [
      await patch('c/1', { b: 1 }),
      await patch('c/1', [{ op: 'add', path: '/b', value: 1 }], jsonPatch),
    ]) {
      expect([response.status, response.json.message]).toEqual([400, message]);
    }
    expect((await send('PUT /my/c/1', { headers, json: { b: 1 } })).status).toBe(200);
    expect((await patch('c/1', { b: 2 })).json).toEqual({ b: 2, id: 1 });
  });

  test('of many in a batch adds up their values', async () => {
    await put({ c: [{ id: 1, a: many(20_000, () => 1) }] });
    const batch = (count: number) =>
      send('POST /my/c/batch', {
        headers,
        json: {
          operations: many(count, (index) => ({ method: 'PATCH', id: 1, body: { b: index } })),
        },
      });
    expect((await batch(2)).status).toBe(207);
    const { status, json } = await batch(3);
    expect([status, json.message]).toEqual([
      400,
      'The records that the batch patches have more than 50000 values together, so nothing was done. Send fewer operations at once.',
    ]);
    expect((await send('GET /my/c/1?fields=b', { headers })).json).toEqual({ b: 1 });
  });

  test.each([
    [
      'copies too many values',
      many(30, () => ({ op: 'copy', from: '/a', path: '/a/-' })),
      'The patch copies or moves more than 2097152 characters or 100000 values',
    ],
    [
      'nests too deep',
      [{ op: 'add', path: '/a'.repeat(501), value: 1 }],
      'path must be a JSON Pointer: empty, or at most 500 names',
    ],
  ])('that %s is 400', async (_name, operations, message) => {
    await put({ c: [{ id: 1, a: [1] }] });
    const { status, json } = await patch('c/1', operations, jsonPatch);
    expect([status, json.message]).toEqual([400, expect.stringContaining(message)]);
  });
});

test('changes of large records are sent until the response is full, and the others in the next one', async () => {
  await put({ c: [{ id: 1, a: 'x'.repeat(3 * 1024 * 1024) }, { id: 2 }] });
  for (let turn = 1; turn <= 3; turn++) await patch('c/1', { turn });
  await patch('c/2', { turn: 4 });
  const changes = async (since: string) =>
    (await send(`GET /my/c/changes?since=${since}`, { headers })).json;
  const first = await changes('c0');
  expect(first.changes).toMatchObject([{ id: 1, kind: 'updated', record: { turn: 2 } }]);
  const second = await changes(first.token);
  expect(second.changes).toMatchObject([
    { id: 1, record: { turn: 3 } },
    { id: 2, kind: 'updated', record: { id: 2, turn: 4 } },
  ]);
  expect(await changes(second.token)).toEqual({ changes: [], token: second.token });
});

test('a name of 300,000 combining marks is rejected at a login like any other', async () => {
  const json = { username: `a${'\u0301\u0316'.repeat(150_000)}`, password: 'x' };
  expect((await send('POST /api/auth/jwt/login', { json })).status).toBe(401);
});
