import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { type Held, hold, holdVariants, list } from './held.js';

const service = useService();
const { send } = service;

const product = {
  ...{ id: 0, title: '', description: '', category: '', price: 0, discountPercentage: 0 },
  ...{ rating: 0, stock: 0, tags: [''], brand: '', sku: '', weight: 0, warrantyInformation: '' },
  ...{ shippingInformation: '', availabilityStatus: '', returnPolicy: '', minimumOrderQuantity: 0 },
  ...{ images: [''], thumbnail: '', dimensions: { width: 0, height: 0, depth: 0 } },
  reviews: list(3, { rating: 0, comment: '', date: '', reviewerName: '', reviewerEmail: '' }),
  meta: { createdAt: '', updatedAt: '', barcode: '', qrCode: '' },
};
const inCart = {
  ...{ id: 0, title: '', price: 0, quantity: 0, total: 0, discountPercentage: 0 },
  ...{ discountedTotal: 0, thumbnail: '' },
};
const totals = { total: 0, discountedTotal: 0, userId: 0, totalProducts: 0, totalQuantity: 0 };
const cart = { id: 0, products: [inCart], ...totals };
const recipe = {
  ...{ id: 0, name: '', ingredients: [''], instructions: [''], prepTimeMinutes: 0 },
  ...{ cookTimeMinutes: 0, servings: 0, difficulty: '', cuisine: '', caloriesPerServing: 0 },
  ...{ tags: [''], userId: 0, image: '', rating: 0, reviewCount: 0, mealType: [''] },
};
const post = {
  ...{ id: 0, title: '', body: '', tags: [''], views: 0, userId: 0 },
  reactions: { likes: 0, dislikes: 0 },
};
const author = { id: 0, username: '', fullName: '' };
const comment = { id: 0, body: '', postId: 0, likes: 0, user: author };
const todo = { id: 0, todo: '', completed: true, userId: 0 };
const quote = { id: 0, quote: '', author: '' };
const page = { total: 0, skip: 0, limit: 0 };
const me = { id: 0, username: '', email: '', firstName: '', lastName: '', gender: '', image: '' };
const emily = { username: 'emilys', password: 'emilyspass' };

const documented: readonly Held[] = [
  {
    ask: 'GET /products',
    shape: { products: list(30, product), ...page },
    has: { total: 194, skip: 0, limit: 30 },
  },
  { ask: 'GET /products/1', shape: product },
  { ask: 'GET /products/search?q=a', has: { skip: 0 } },
  {
    ask: 'GET /products?limit=10&skip=10&select=title,price',
    shape: { products: list(10, { id: 0, title: '', price: 0 }), ...page },
    has: { skip: 10 },
  },
  { ask: 'GET /products?sortBy=title&order=asc', has: { total: 194 } },
  { ask: 'GET /products/categories', shape: list(24, { slug: '', name: '', url: '' }) },
  { ask: 'GET /products/category-list', shape: list(24, '') },
  { ask: 'GET /products/category/smartphones', shape: { products: [product], ...page } },
  { ask: 'POST /products/add', json: { title: 'x' }, status: 201, is: { id: 195, title: 'x' } },
  { ask: 'PUT /products/1', json: { title: 'x' }, has: { id: 1, title: 'x' } },
  { ask: 'DELETE /products/1', shape: { ...product, isDeleted: true, deletedOn: '' } },
  { ask: 'GET /carts', shape: { carts: list(30, cart), ...page }, has: { total: 208 } },
  { ask: 'GET /carts/1', shape: cart },
  { ask: 'GET /carts/user/6', has: { skip: 0 } },
  {
    ask: 'POST /carts/add',
    json: {
      userId: 1,
      products: [
        { id: 144, quantity: 4 },
        { id: 98, quantity: 1 },
      ],
    },
    status: 201,
    has: { id: 209, userId: 1, totalProducts: 2, totalQuantity: 5 },
  },
  {
    ask: 'PUT /carts/1',
    json: { merge: true, products: [{ id: 1, quantity: 1 }] },
    has: { id: 1 },
  },
  { ask: 'DELETE /carts/1', has: { isDeleted: true } },
  { ask: 'GET /recipes', shape: { recipes: list(30, recipe), ...page }, has: { total: 50 } },
  { ask: 'GET /recipes/1', shape: recipe },
  { ask: 'GET /recipes/tags', shape: [''] },
  { ask: 'GET /recipes/tag/Pakistani', shape: { recipes: [recipe], ...page } },
  { ask: 'GET /recipes/meal-type/snack', shape: { recipes: [recipe], ...page } },
  { ask: 'POST /recipes/add', json: { name: 'x' }, is: { id: 51, name: 'x' } },
  {
    ask: 'POST /user/login',
    json: { ...emily, expiresInMins: 30 },
    shape: { accessToken: '', refreshToken: '', ...me },
    has: { id: 1 },
  },
  { ask: 'GET /users', has: { total: 208, limit: 30 } },
  { ask: 'GET /users/1?select=firstName,age', shape: { id: 0, firstName: '', age: 0 } },
  { ask: 'GET /users/search?q=Emily', has: { total: 1 } },
  { ask: 'GET /users/filter?key=hair.color&value=Brown', has: { skip: 0 } },
  { ask: 'GET /users/5/carts', has: { skip: 0 } },
  { ask: 'GET /users/5/posts', has: { skip: 0 } },
  { ask: 'GET /users/5/todos', has: { skip: 0 } },
  {
    ask: 'POST /users/add',
    json: { firstName: 'A', age: 2 },
    status: 201,
    has: { id: 209, firstName: 'A', age: 2, lastName: '', height: null, role: 'user' },
  },
  { ask: 'PUT /users/2', json: { lastName: 'O' }, has: { id: 2, lastName: 'O' } },
  { ask: 'DELETE /users/1', has: { isDeleted: true } },
  { ask: 'GET /posts', shape: { posts: list(30, post), ...page }, has: { total: 251 } },
  { ask: 'GET /posts/tags', shape: [{ slug: '', name: '', url: '' }] },
  { ask: 'GET /posts/tag/life', shape: { posts: [post], ...page } },
  { ask: 'GET /posts/1/comments', has: { skip: 0 } },
  {
    ask: 'POST /posts/add',
    json: { title: 't', userId: 5 },
    status: 201,
    is: { id: 252, title: 't', userId: 5 },
  },
  { ask: 'GET /comments', shape: { comments: list(30, comment), ...page }, has: { total: 340 } },
  { ask: 'GET /comments/post/6', has: { skip: 0 } },
  {
    ask: 'POST /comments/add',
    json: { body: 'b', postId: 3, userId: 5 },
    status: 201,
    shape: { id: 0, body: '', postId: 0, user: author },
    has: { id: 341 },
  },
  { ask: 'GET /todos', shape: { todos: list(30, todo), ...page }, has: { total: 254 } },
  { ask: 'GET /todos/random', shape: todo },
  { ask: 'GET /todos/random/10', shape: list(10, todo) },
  {
    ask: 'POST /todos/add',
    json: { todo: 't', completed: false, userId: 5 },
    status: 201,
    is: { id: 255, todo: 't', completed: false, userId: 5 },
  },
  { ask: 'PUT /todos/1', json: { completed: false }, has: { id: 1, completed: false } },
  { ask: 'GET /quotes', shape: { quotes: list(30, quote), ...page }, has: { total: 1454 } },
  { ask: 'GET /quotes/random', shape: quote },
  { ask: 'GET /http/200/Hello', is: { status: 200, message: 'Hello' } },
  {
    ask: 'GET /http/404/Hello_Peter',
    status: 404,
    type: 'application/problem+json',
    has: { status: 404, title: 'Hello_Peter' },
  },
  { ask: 'GET /test', is: { status: 'ok', method: 'GET' } },
  { ask: 'GET /products?delay=50', has: { limit: 30 } },
];

const variants: readonly Held[] = [
  {
    ask: 'GET /products?limit=0',
    shape: { products: list(194, product), ...page },
    has: { limit: 194 },
  },
  {
    ask: 'GET /products?limit=x',
    status: 400,
    is: { message: "Invalid 'limit' - must be a number" },
  },
  {
    ask: 'GET /products?skip=x',
    status: 400,
    is: { message: "Invalid 'skip' - must be a number" },
  },
  {
    ask: 'GET /products?sortBy=price&order=up',
    status: 400,
    is: { message: "Order can be: 'asc' or 'desc'" },
  },
  {
    ask: 'GET /products?delay=9000',
    status: 400,
    is: { message: 'Delay cannot be greater than 5 seconds' },
  },
  { ask: 'GET /products?skip=190', shape: { products: list(4, product), ...page } },
  { ask: 'GET /products/999', status: 404, is: { message: "Product with id '999' not found" } },
  { ask: 'GET /product/1', shape: product },
  { ask: 'GET /products/category/nothing', has: { products: [], total: 0 } },
  { ask: 'PATCH /products/999', json: {}, status: 404 },
  { ask: 'GET /users/abc', status: 400, is: { message: "Invalid user id 'abc'" } },
  { ask: 'GET /users/999/carts', status: 404, is: { message: "User with id '999' not found" } },
  {
    ask: 'POST /posts/add',
    json: { title: 't' },
    status: 400,
    is: { message: 'User id is required' },
  },
  {
    ask: 'POST /comments/add',
    json: { postId: 1, userId: 1 },
    status: 400,
    is: { message: 'Invalid comment body' },
  },
  {
    ask: 'POST /carts/add',
    json: { userId: 1 },
    status: 400,
    is: { message: 'products can not be empty' },
  },
  { ask: 'POST /carts/add', json: { userId: 1, products: {} }, status: 400 },
  { ask: 'GET /quotes/random/99', is: [] },
  { ask: 'GET /http/999', status: 500, is: { message: "Status code '999' is not supported" } },
  { ask: 'GET /http/204', status: 204, text: '' },
  { ask: 'POST /test', is: { status: 'ok', method: 'POST' } },
  {
    ask: 'POST /auth/login',
    json: { ...emily, password: 'x' },
    status: 400,
    is: { message: 'Invalid credentials' },
  },
  {
    ask: 'POST /auth/login',
    json: {},
    status: 400,
    is: { message: 'Username and password required' },
  },
  {
    ask: 'POST /auth/login',
    body: '{',
    headers: { 'Content-Type': 'application/json' },
    status: 400,
    shape: { message: '' },
  },
  { ask: 'GET /auth/me', status: 401, is: { message: 'Access Token is required' } },
  {
    ask: 'GET /auth/me',
    headers: { Authorization: 'Bearer x' },
    status: 401,
    is: { message: 'Invalid/Expired Token!' },
  },
  { ask: 'POST /auth/refresh', json: {}, status: 401, is: { message: 'Refresh token required' } },
  {
    ask: 'POST /auth/refresh',
    json: { refreshToken: 'x' },
    status: 403,
    is: { message: 'Invalid refresh token' },
  },
  { ask: 'GET /image/99999', status: 500 },
  { ask: 'GET /image/x', status: 404 },
  { ask: 'GET /nothing', status: 404 },
  { ask: 'GET /products', has: { total: 194 } },
];

hold(service, '/dummyjson', 'Documented requests', documented);
holdVariants(service, '/dummyjson', 'Documented requests', documented);
hold(service, '/dummyjson', 'Variants', variants);

test('a login sets cookies, its token expires by the clock of the sandbox, and a refresh renews it', async () => {
  const base = '/s/login/dummyjson/auth';
  const { json, headers } = await send(`POST ${base}/login`, {
    json: { ...emily, expiresInMins: 1 },
  });
  const cookies = headers['set-cookie'] ?? [];
  expect(cookies[0]).toMatch(/^accessToken=.+; Path=\/s\/login\/dummyjson; Max-Age=60; HttpOnly$/);
  const bearer = { Authorization: `Bearer ${json.accessToken}` };
  expect((await send(`GET ${base}/me`, { headers: bearer })).json).toMatchObject({
    id: 1,
    role: 'admin',
  });
  const Cookie = String(cookies[0]).split(';')[0] ?? '';
  expect((await send(`GET ${base}/me`, { headers: { Cookie } })).status).toBe(200);
  await send('PUT /s/login/api/sandbox/clock', { json: { offsetSeconds: 90 } });
  const late = await send(`GET ${base}/me`, { headers: bearer });
  expect({ status: late.status, json: late.json }).toEqual({
    status: 401,
    json: { message: 'Token Expired!' },
  });
  const { refreshToken } = json;
  const renewed = (await send(`POST ${base}/refresh`, { json: { refreshToken } })).json;
  const again = { Authorization: `Bearer ${renewed.accessToken}` };
  expect((await send(`GET ${base}/me`, { headers: again })).status).toBe(200);
  expect(
    (await send(`POST ${base}/refresh`, { json: { refreshToken: renewed.accessToken } })).status,
  ).toBe(403);
});

test('pictures have the size of their path', async () => {
  const { bytes, headers } = await send('GET /dummyjson/image/400x200/ff0000');
  expect(headers['content-type']).toBe('image/png');
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([400, 200]);
  const { thumbnail } = (await send('GET /dummyjson/products/1')).json;
  expect((await fetch(thumbnail)).headers.get('content-type')).toBe('image/png');
});

test('sorts in both directions', async () => {
  const pricesOf = async (order: string) =>
    (await send(`GET /dummyjson/products?limit=0&sortBy=price&order=${order}`)).json.products.map(
      ({ price }: { price: number }) => price,
    );
  const ascending = await pricesOf('asc');
  expect(ascending).toEqual([...ascending].sort((a, b) => a - b));
  expect(await pricesOf('desc')).toEqual([...ascending].reverse());
});

test('with keepWrites, what was added is counted, found, changed and deleted', async () => {
  const base = '/s/kept/dummyjson/todos';
  await send('PUT /s/kept/api/sandbox/practice-apis', { json: { keepWrites: true } });
  await send(`POST ${base}/add`, { json: { todo: 'one', completed: false, userId: 5 } });
  expect((await send(`GET ${base}`)).json.total).toBe(255);
  await send(`PUT ${base}/255`, { json: { completed: true } });
  expect((await send(`GET ${base}/255`)).json).toEqual({
    id: 255,
    todo: 'one',
    completed: true,
    userId: 5,
  });
  expect((await send(`DELETE ${base}/255`)).json).toMatchObject({ isDeleted: true });
  expect((await send(`GET ${base}/255`)).status).toBe(404);
});

test('rate limits apply if the sandbox says so', async () => {
  const path = 'GET /s/limited/dummyjson/test';
  await send('PUT /s/limited/api/sandbox/practice-apis', { json: { rateLimits: true } });
  for (let sent = 0; sent < 100; sent++) await send(path);
  const { status, json } = await send(path);
  expect({ status, json }).toEqual({
    status: 429,
    json: { message: 'request limit exceeded, please wait a few seconds' },
  });
});
