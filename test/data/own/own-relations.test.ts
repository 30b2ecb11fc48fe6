/** Relations between own records, and own records in other formats. */

import { expect, test } from 'vitest';
import { useService } from '../../support/service.js';

const { send } = useService();
const headers = { 'X-Sandbox': 'own-relations' };

const shop = {
  categories: [
    { id: 1, name: 'Tools' },
    { id: 2, name: 'Toys' },
  ],
  products: [
    { id: 'a', name: 'Saw', price: 12.5, categoryId: 1, tags: ['steel', 'wood'] },
    { id: 'b', name: 'Ball', price: 3, categoryId: 2, size: { cm: 20 } },
    { id: 'c', name: 'Lost', price: 1, categoryId: 9 },
  ],
  settings: { theme: 'dark', depth: { a: 1 } },
};

async function ask(target: string, more: Parameters<typeof send>[1] = {}) {
  return send(target, { ...more, headers: { ...headers, ...more.headers } });
}

async function fresh() {
  expect((await ask('PUT /api/sandbox/data', { json: shop })).json.relations).toEqual([
    { children: 'products', field: 'categoryId', parents: 'categories' },
  ]);
}

test('the list below a record has its children, and works like any other list', async () => {
  await fresh();
  expect((await ask('GET /my/categories/1/products')).json).toEqual([shop.products[0]]);
  expect((await ask('GET /my/categories/2/Products?price_gt=3')).json).toEqual([]);
  expect((await ask('GET /my/categories/9/products')).status).toBe(404);
  const other = await ask('GET /my/categories/1/settings');
  expect([other.status, other.json.message]).toEqual([
    404,
    'You have no collection settings. GET /my lists your collections.',
  ]);
});

test('a record created below another belongs to it', async () => {
  await fresh();
  const created = await ask('POST /my/categories/2/products', { json: { name: 'Kite' } });
  expect(created.status).toBe(201);
  expect(created.json).toEqual({ id: '1', name: 'Kite', categoryId: 2 });
  expect(new URL(created.headers.location ?? '').pathname).toBe('/my/products/1');
  const contrary = await ask('POST /my/categories/2/products', { json: { categoryId: 1 } });
  expect(contrary.json.errors[0].field).toBe('categoryId');
  expect((await ask('POST /my/categories/7/products', { json: {} })).status).toBe(404);
});

test('records embed their parents and their children', async () => {
  await fresh();
  const { json } = await ask('GET /my/products?embed=category&fields=id,name');
  expect(json).toEqual([
    { id: 'a', name: 'Saw', category: shop.categories[0] },
    { id: 'b', name: 'Ball', category: shop.categories[1] },
    { id: 'c', name: 'Lost', category: null },
  ]);
  expect((await ask('GET /my/categories/1?embed=products')).json.products).toEqual([
    shop.products[0],
  ]);
  expect((await ask('GET /my/products?embed=nothing')).status).toBe(400);
  expect((await ask('GET /my/products?fields=nothing&limit=1')).json).toEqual([{}]);
});

test('children stay when a parent is deleted', async () => {
  await fresh();
  expect((await ask('DELETE /my/categories/1')).status).toBe(204);
  expect((await ask('GET /my/products/a?embed=category')).json).toEqual({
    ...shop.products[0],
    category: null,
  });
});

test.each([
  ['text/csv', 'id,name,price,categoryId,tags,size.cm\r\na,Saw,12.5,1,steel;wood,\r\n'],
  ['application/yaml', '- id: a\n'],
  ['application/xml', '<products>'],
  [
    'application/x-ndjson',
    '{"id":"a","name":"Saw","price":12.5,"categoryId":1,"tags":["steel","wood"]}\n',
  ],
  ['application/vnd.api+json', '"relationships":{"category":'],
])('lists are sent as %s', async (accept, part) => {
  await fresh();
  const {
    text,
    status,
    headers: received,
  } = await ask('GET /my/products', { headers: { Accept: accept } });
  expect([status, received['content-type']?.split(';')[0]]).toEqual([200, accept]);
  expect(text).toContain(part);
});

test.each([
  ['text/csv', 'theme,depth.a\r\ndark,1\r\n'],
  ['application/yaml', 'theme: dark\n'],
  [
    'application/vnd.api+json',
    '"data":{"type":"settings","id":"settings","attributes":{"theme":"dark"',
  ],
])('single resources are sent as %s', async (accept, part) => {
  await fresh();
  const { text, status } = await ask('GET /my/settings', { headers: { Accept: accept } });
  expect(status).toBe(200);
  expect(text).toContain(part);
});

test.each([
  ['application/x-www-form-urlencoded', 'name=Rope&price=2.5&categoryId=1&tags=a&tags=b'],
  ['text/csv', 'name,price,categoryId,tags\r\nRope,2.5,1,a;b\r\n'],
  ['application/yaml', 'name: Rope\nprice: 2.5\ncategoryId: 1\ntags: [a, b]\n'],
])('records are created from %s, with the types that the others have', async (type, body) => {
  await fresh();
  const created = await ask('POST /my/products', { body, headers: { 'Content-Type': type } });
  expect(created.status, created.text).toBe(201);
  expect(created.json).toEqual({
    id: '1',
    name: 'Rope',
    price: 2.5,
    categoryId: 1,
    tags: ['a', 'b'],
  });
});

test('an invalid record in any format is 400, and errors have the format of problems', async () => {
  await fresh();
  const list = await ask('POST /my/products', {
    body: '- 1\n',
    headers: { 'Content-Type': 'application/yaml' },
  });
  expect(list.status).toBe(400);
  const problem = await fetch(
    `${(await ask('GET /my')).json.openapi.replace('openapi.json', 'ghosts')}`,
    {
      headers: { ...headers, Accept: 'application/problem+json' },
    },
  );
  expect(problem.headers.get('content-type')).toBe('application/problem+json');
  expect(await problem.json()).toMatchObject({ status: 404, title: 'Not Found' });
});
