import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { type Held, hold, holdVariants, list } from './held.js';

const service = useService();
const { send } = service;

const user = { id: 0, email: '', first_name: '', last_name: '', avatar: '' };
const color = { id: 0, name: '', year: 0, color: '', pantone_value: '' };
const support = { url: '', text: '' };
const page = { page: 0, per_page: 0, total: 0, total_pages: 0, support };
const token = 'QpwL5tke4Pnpja7X4';
const eve = { email: 'eve.holt@reqres.in', password: 'pistol' };

const documented: readonly Held[] = [
  {
    ask: 'GET /users?page=2',
    shape: { ...page, data: list(6, user) },
    has: { page: 2, per_page: 6, total: 12, total_pages: 2 },
  },
  { ask: 'GET /users/2', shape: { data: user, support }, has: { data: { id: 2 } } },
  { ask: 'GET /users/23', status: 404, is: {} },
  { ask: 'GET /unknown', shape: { ...page, data: list(6, color) } },
  { ask: 'GET /unknown/2', shape: { data: color, support } },
  { ask: 'GET /unknown/23', status: 404, is: {} },
  {
    ask: 'POST /users',
    json: { name: 'a', job: 'b' },
    status: 201,
    shape: { name: '', job: '', id: '', createdAt: '' },
  },
  {
    ask: 'PUT /users/2',
    json: { name: 'a', job: 'b' },
    shape: { name: '', job: '', updatedAt: '' },
  },
  { ask: 'PATCH /users/2', json: { job: 'b' }, shape: { job: '', updatedAt: '' } },
  { ask: 'DELETE /users/2', status: 204, text: '' },
  { ask: 'POST /register', json: eve, is: { id: 4, token } },
  {
    ask: 'POST /register',
    json: { email: 'sydney@fife' },
    status: 400,
    is: { error: 'Missing password' },
  },
  { ask: 'POST /login', json: { ...eve, password: 'cityslicka' }, is: { token } },
  {
    ask: 'POST /login',
    json: { email: 'peter@klaven' },
    status: 400,
    is: { error: 'Missing password' },
  },
  { ask: 'GET /users?delay=0.05', shape: { ...page, data: list(6, user) } },
];

const variants: readonly Held[] = [
  { ask: 'GET /users?page=3', shape: { ...page, data: list(0, user) }, has: { page: 3 } },
  {
    ask: 'GET /users?per_page=5&page=3',
    shape: { ...page, data: list(2, user) },
    has: { total_pages: 3 },
  },
  { ask: 'GET /users?page=x&per_page=-1', shape: { ...page, data: list(6, user) } },
  { ask: 'GET /users?id=3', has: { data: { id: 3 } } },
  {
    ask: 'POST /login',
    json: { email: 'unknown@example.com', password: 'x' },
    status: 400,
    is: { error: 'user not found' },
  },
  { ask: 'POST /login', status: 400, is: { error: 'Missing email or username' } },
  {
    ask: 'POST /register',
    json: { email: 'unknown@example.com', password: 'x' },
    status: 400,
    is: { error: 'Note: Only defined users succeed registration' },
  },
  {
    ask: 'POST /login',
    body: 'email=eve.holt%40reqres.in&password=x',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    is: { token },
  },
  { ask: 'POST /logout', is: {} },
  {
    ask: 'POST /users',
    body: '{',
    headers: { 'Content-Type': 'application/json' },
    status: 400,
    shape: { error: '' },
  },
  { ask: 'POST /users/2', json: {}, status: 404, is: {} },
  { ask: 'GET /users', has: { total: 12 } },
];

hold(service, '/reqres/api', 'Documented requests', documented);
holdVariants(service, '/reqres/api', 'Documented requests', documented);
hold(service, '/reqres/api', 'Variants', variants);

test('the key is required if the sandbox says so', async () => {
  const options = '/s/keyed/api/sandbox/practice-apis';
  expect((await send('GET /s/keyed/reqres/api/users')).status).toBe(200);
  await send(`PUT ${options}`, { json: { reqresKey: true } });
  const { status, json } = await send('GET /s/keyed/reqres/api/users');
  expect({ status, json }).toEqual({ status: 401, json: { error: 'Missing API key' } });
  const headers = { 'x-api-key': 'reqres-free-v1' };
  expect((await send('GET /s/keyed/reqres/api/users', { headers })).status).toBe(200);
});

test('with keepWrites, users are listed, counted, changed and deleted', async () => {
  const base = '/s/kept/reqres/api/users';
  await send('PUT /s/kept/api/sandbox/practice-apis', { json: { keepWrites: true } });
  expect((await send(`POST ${base}`, { json: { first_name: 'New' } })).json.id).toBe('13');
  expect((await send(base.replace(/^/, 'GET '))).json).toMatchObject({ total: 13, total_pages: 3 });
  expect((await send(`GET ${base}/13`)).json.data).toMatchObject({ id: 13, first_name: 'New' });
  await send(`PATCH ${base}/13`, { json: { first_name: 'Other' } });
  expect((await send(`GET ${base}/13`)).json.data.first_name).toBe('Other');
  expect((await send(`DELETE ${base}/13`)).status).toBe(204);
  for (const method of ['GET', 'DELETE', 'PUT']) {
    expect((await send(`${method} ${base}/13`)).status).toBe(404);
  }
});

test('rate limits are off, and apply if the sandbox says so', async () => {
  const path = 'GET /s/limited/reqres/api/users/1';
  expect((await send(path)).headers).not.toHaveProperty('x-ratelimit-limit');
  await send('PUT /s/limited/api/sandbox/practice-apis', { json: { rateLimits: true } });
  expect((await send(path)).headers).toMatchObject({
    'x-ratelimit-limit': '100',
    'x-ratelimit-remaining': '99',
  });
  for (let sent = 1; sent < 100; sent++) await send(path);
  expect((await send(path)).status).toBe(429);
  await send('PUT /s/limited/api/sandbox/clock', { json: { offsetSeconds: 61 } });
  expect((await send(path)).status).toBe(200);
});
