import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { type Held, hold, holdVariants, list } from './held.js';

const service = useService();
const { send } = service;

const product = {
  ...{ id: 0, title: '', price: 0, description: '', category: '', image: '' },
  rating: { rate: 0, count: 0 },
};
const cart = { id: 0, userId: 0, date: '', products: [{ productId: 0, quantity: 0 }], __v: 0 };
const user = {
  ...{ id: 0, email: '', username: '', password: '', phone: '', __v: 0 },
  name: { firstname: '', lastname: '' },
  address: {
    ...{ city: '', street: '', number: 0, zipcode: '' },
    geolocation: { lat: '', long: '' },
  },
};
const login = { username: 'mor_2314', password: '83r5^_' };
const newProduct = {
  title: 't',
  price: 13.5,
  description: 'd',
  image: 'i',
  category: 'electronics',
};
const newCart = { userId: 5, date: '2020-02-03', products: [{ productId: 5, quantity: 1 }] };
const newUser = { email: 'a@b.example', username: 'a', password: 'p' };

const documented: readonly Held[] = [
  { ask: 'GET /products', shape: list(20, product) },
  { ask: 'GET /products/1', shape: product, has: { id: 1 } },
  { ask: 'GET /products?limit=5', shape: list(5, product) },
  { ask: 'GET /products?sort=desc', shape: list(20, product), has: [{ id: 20 }] },
  {
    ask: 'GET /products/categories',
    is: ['electronics', 'jewelery', "men's clothing", "women's clothing"],
  },
  { ask: 'GET /products/category/jewelery', shape: [product] },
  { ask: 'POST /products', json: newProduct, status: 201, is: { id: 21, ...newProduct } },
  { ask: 'PUT /products/7', json: newProduct, is: { id: 7, ...newProduct } },
  { ask: 'PATCH /products/7', json: { price: 1 }, is: { id: 7, price: 1 } },
  { ask: 'DELETE /products/6', shape: product, has: { id: 6 } },
  { ask: 'GET /carts', shape: list(7, cart) },
  { ask: 'GET /carts/5', shape: cart },
  { ask: 'GET /carts?startdate=2019-12-10&enddate=2020-10-10', shape: list(7, cart) },
  { ask: 'GET /carts/user/1', shape: list(2, cart), has: [{ userId: 1 }] },
  { ask: 'POST /carts', json: newCart, status: 201, is: { id: 8, ...newCart } },
  { ask: 'DELETE /carts/6', shape: cart },
  { ask: 'GET /users', shape: list(10, user) },
  { ask: 'GET /users/1', shape: user },
  { ask: 'POST /users', json: newUser, status: 201, has: { id: 11 } },
  { ask: 'DELETE /users/6', shape: user },
  { ask: 'POST /auth/login', json: login, status: 201, shape: { token: '' } },
];

const variants: readonly Held[] = [
  { ask: 'GET /products/99', text: '' },
  { ask: "GET /products/category/men's%20clothing?limit=1", shape: list(1, product) },
  { ask: 'GET /products/category/nothing', is: [] },
  { ask: 'GET /products?limit=2&sort=desc', has: [{ id: 20 }, { id: 19 }] },
  { ask: 'GET /products?limit=x', shape: list(20, product) },
  { ask: 'DELETE /products/99', text: '' },
  { ask: 'GET /carts?enddate=2019-01-01', is: [] },
  { ask: 'GET /carts/user/99', is: [] },
  {
    ask: 'POST /auth/login',
    json: { ...login, password: 'x' },
    status: 401,
    type: 'text/html',
    text: 'username or password is incorrect',
  },
  { ask: 'POST /auth/login', json: {}, status: 400, type: 'text/html', text: /not provided/ },
  {
    ask: 'POST /products',
    body: '[',
    headers: { 'Content-Type': 'application/json' },
    status: 400,
    shape: { status: '', message: '' },
  },
  {
    ask: 'POST /products',
    json: { rating: 1, title: 't' },
    status: 201,
    is: { id: 21, title: 't' },
  },
  { ask: 'POST /products/1', json: {}, status: 404 },
  { ask: 'GET /nothing', status: 404 },
  { ask: 'GET /products', shape: list(20, product) },
];

hold(service, '/fakestore', 'Documented requests', documented);
holdVariants(service, '/fakestore', 'Documented requests', documented);
hold(service, '/fakestore', 'Variants', variants);

test('with keepWrites, products are listed, changed and deleted', async () => {
  const base = '/s/kept/fakestore/products';
  await send('PUT /s/kept/api/sandbox/practice-apis', { json: { keepWrites: true } });
  expect((await send(`POST ${base}`, { json: newProduct })).json.id).toBe(21);
  expect((await send(`GET ${base}`)).json).toHaveLength(21);
  await send(`PATCH ${base}/21`, { json: { price: 2 } });
  expect((await send(`GET ${base}/21`)).json).toEqual({ id: 21, ...newProduct, price: 2 });
  expect((await send(`DELETE ${base}/21`)).json.id).toBe(21);
  expect((await send(`GET ${base}/21`)).text).toBe('');
  expect((await send(`PUT ${base}/21`, { json: {} })).text).toBe('');
});

test('a token names the user', async () => {
  const { json } = await send('POST /fakestore/auth/login', { json: login });
  const claims = JSON.parse(Buffer.from(json.token.split('.')[1], 'base64url').toString());
  expect(claims).toMatchObject({ sub: '2', user: 'mor_2314' });
});
