import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { type Held, hold, holdVariants, list } from './held.js';

const service = useService();
const { send } = service;

const pet = {
  ...{ id: 0, name: '', status: '' },
  category: { id: 0, name: '' },
  photoUrls: [''],
  tags: [{ id: 0, name: '' }],
};
const order = { id: 0, petId: 0, quantity: 0, shipDate: '', status: '', complete: true };
const user = {
  ...{ id: 0, username: '', firstName: '', lastName: '', email: '' },
  ...{ password: '', phone: '', userStatus: 0 },
};
const rex = { id: 77, name: 'Rex', photoUrls: ['u'], tags: [{ id: 1, name: 't' }], status: 'sold' };
const bob = { id: 5, username: 'bob', firstName: 'B', password: 'p' };
const bought = { id: 9, petId: 77, quantity: 2, status: 'placed', complete: false };
const done = (message: string) => ({ code: 200, type: 'unknown', message });
const unknown = (message: string) => ({ code: 1, type: 'error', message });
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const upload = {
  headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
  body: '--b\r\nContent-Disposition: form-data; name="additionalMetadata"\r\n\r\nm\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nabc\r\n--b--\r\n',
};

const version2: readonly Held[] = [
  { ask: 'GET /pet/findByStatus?status=available', shape: list(7, pet) },
  { ask: 'GET /pet/findByStatus?status=sold&status=pending', shape: list(3, pet) },
  { ask: 'GET /pet/findByTags?tags=tag1', shape: [pet] },
  { ask: 'GET /pet/1', shape: pet, has: { id: 1 } },
  { ask: 'GET /pet/999', status: 404, is: unknown('Pet not found') },
  { ask: 'POST /pet', json: rex, is: rex },
  { ask: 'GET /pet/77', is: rex },
  { ask: 'PUT /pet', json: { ...rex, name: 'Max' }, has: { name: 'Max' } },
  { ask: 'POST /pet/77', body: 'name=Tom&status=pending', headers: form, is: done('77') },
  { ask: 'GET /pet/77', has: { name: 'Tom', status: 'pending' } },
  {
    ask: 'POST /pet/77/uploadImage',
    ...upload,
    is: done('additionalMetadata: m\nFile uploaded to ./a.png, 3 bytes'),
  },
  { ask: 'DELETE /pet/77', headers: { api_key: 'special-key' }, is: done('77') },
  { ask: 'DELETE /pet/77', status: 404, text: '' },
  { ask: 'GET /store/inventory', shape: { available: 0, pending: 0, sold: 0 } },
  { ask: 'POST /store/order', json: bought, is: bought },
  { ask: 'GET /store/order/1', shape: order },
  { ask: 'DELETE /store/order/9', is: done('9') },
  { ask: 'GET /store/order/9', status: 404, is: unknown('Order not found') },
  { ask: 'POST /user', json: bob, is: done('5') },
  { ask: 'GET /user/bob', is: bob },
  { ask: 'POST /user/createWithArray', json: [bob], is: done('ok') },
  { ask: 'POST /user/createWithList', json: [bob], is: done('ok') },
  {
    ask: 'GET /user/login?username=bob&password=p',
    has: { code: 200 },
    sets: { 'X-Rate-Limit': '5000', 'X-Expires-After': /GMT/ },
  },
  { ask: 'GET /user/logout', is: done('ok') },
  { ask: 'PUT /user/bob', json: { ...bob, firstName: 'C' }, is: done('5') },
  { ask: 'DELETE /user/bob', is: done('bob') },
  { ask: 'GET /user/bob', status: 404, is: unknown('User not found') },
];

const variants2: readonly Held[] = [
  {
    ask: 'GET /pet/abc',
    status: 404,
    has: { code: 404, message: 'java.lang.NumberFormatException: For input string: "abc"' },
  },
  { ask: 'GET /pet/9223372036854775808', status: 404 },
  {
    ask: 'POST /pet',
    body: '{',
    headers: { 'Content-Type': 'application/json' },
    status: 400,
    is: { code: 400, type: 'unknown', message: 'bad input' },
  },
  { ask: 'POST /pet', json: [], status: 400 },
  { ask: 'POST /pet', json: { id: 'x', name: 'n' }, status: 400 },
  {
    ask: 'POST /pet',
    json: { id: 0, name: 'n', other: 1 },
    is: { id: 11, name: 'n', photoUrls: [], tags: [] },
  },
  {
    ask: 'POST /pet',
    body: '{"id":9223372036854775807,"name":"\\"id\\":\\"1\\""}',
    headers: { 'Content-Type': 'application/json' },
    text: '{"id":9223372036854775807,"name":"\\"id\\":\\"1\\"","photoUrls":[],"tags":[]}',
  },
  {
    ask: 'GET /pet/9223372036854775807',
    headers: { Accept: 'application/xml' },
    type: 'application/xml',
    text: /<Pet><id>9223372036854775807<\/id>/,
  },
  {
    ask: 'GET /pet/1',
    headers: { Accept: 'application/xml' },
    type: 'application/xml',
    text: /^<\?xml version="1.0" encoding="UTF-8" standalone="yes"\?><Pet><id>1<\/id><category><id>2<\/id>.*<photoUrls><photoUrl>.*<tags><tag><id>1<\/id>/,
  },
  {
    ask: 'GET /pet/findByStatus?status=sold',
    headers: { Accept: 'application/xml' },
    type: 'application/xml',
    text: /<pets><Pet><id>5<\/id>/,
  },
  {
    ask: 'POST /pet',
    body: '<Pet><id>12</id><name>X</name><photoUrls><photoUrl>a</photoUrl><photoUrl>b</photoUrl></photoUrls><tags><tag><id>1</id><name>t</name></tag></tags></Pet>',
    headers: { 'Content-Type': 'application/xml' },
    is: { id: 12, name: 'X', photoUrls: ['a', 'b'], tags: [{ id: 1, name: 't' }] },
  },
  {
    ask: 'POST /pet',
    body: '<!DOCTYPE a [<!ENTITY x "y">]><Pet/>',
    headers: { 'Content-Type': 'application/xml' },
    status: 400,
  },
  {
    ask: 'POST /pet/999',
    body: 'name=x',
    headers: form,
    status: 404,
    is: { code: 404, type: 'unknown', message: 'not found' },
  },
  {
    ask: 'DELETE /store/order/999',
    status: 404,
    is: { code: 404, type: 'unknown', message: 'Order Not Found' },
  },
  { ask: 'POST /user', json: { firstName: 'x' }, status: 400 },
  { ask: 'GET /nothing', status: 404 },
];

const version3: readonly Held[] = [
  { ask: 'GET /pet/findByStatus?status=available,sold', shape: list(8, pet) },
  { ask: 'GET /pet/1', shape: pet },
  { ask: 'GET /pet/999', status: 404, type: 'text/plain', text: 'Pet not found' },
  { ask: 'POST /pet', json: rex, is: rex },
  { ask: 'POST /pet/77?name=Tom&status=sold', has: { name: 'Tom' } },
  {
    ask: 'POST /pet/77/uploadImage',
    body: 'abc',
    headers: { 'Content-Type': 'application/octet-stream' },
    has: { id: 77 },
  },
  { ask: 'DELETE /pet/77', type: 'text/plain', text: 'Pet deleted' },
  { ask: 'GET /store/inventory', is: { placed: 100, approved: 50, delivered: 50 } },
  { ask: 'POST /store/order', json: bought, is: bought },
  { ask: 'DELETE /store/order/9', text: '' },
  { ask: 'GET /user/user1', shape: user },
  { ask: 'POST /user', json: bob, is: bob },
  { ask: 'POST /user/createWithList', json: [bob], is: [bob] },
  {
    ask: 'GET /user/login?username=a&password=b',
    type: 'text/plain',
    text: /^Logged in user session: \d+$/,
  },
  { ask: 'GET /user/logout', type: 'text/plain', text: 'User logged out' },
  { ask: 'PUT /user/bob', json: { ...bob, firstName: 'C' }, has: { firstName: 'C' } },
  {
    ask: 'GET /pet/findByStatus',
    status: 400,
    type: 'text/plain',
    text: 'No status provided. Try again?',
  },
  {
    ask: 'GET /pet/findByStatus?status=sold,unknown',
    status: 400,
    is: {
      code: 400,
      message:
        'Input error: query parameter `status value `unknown` is not in the allowable values `[available, pending, sold]`',
    },
  },
  { ask: 'GET /pet/abc', status: 400, type: 'text/plain', text: /Long/ },
  {
    ask: 'GET /pet/1',
    headers: { Accept: 'application/xml' },
    type: 'application/xml',
    text: /<pet><id>1<\/id>/,
  },
  { ask: 'DELETE /pet/999', type: 'text/plain', text: 'Pet deleted' },
  { ask: 'PUT /pet', json: { id: 999, name: 'x' }, status: 404, type: 'text/plain' },
];

hold(service, '/petstore/v2', 'Version 2', version2);
hold(service, '/petstore/v2', 'Variants of version', variants2);
holdVariants(service, '/petstore/v2', 'Version 2', version2);
hold(service, '/petstore/v3', 'Version 3', version3);
holdVariants(service, '/petstore/v3', 'Version 3', version3);
hold(service, '/petstore/api/v3', 'Version 3 as on a port of its own', version3);

test('the descriptions name every operation', async () => {
  const old = (await send('GET /petstore/v2/swagger.json')).json;
  expect(old).toMatchObject({ swagger: '2.0', basePath: '/petstore/v2' });
  const ids = (paths: object) =>
    Object.values(paths).flatMap((item) =>
      Object.values(item as object).map(({ operationId }) => operationId),
    );
  expect(ids(old.paths)).toHaveLength(20);
  const recent = (await send('GET /petstore/v3/openapi.json')).json;
  expect(recent.openapi).toBe('3.0.3');
  expect(ids(recent.paths)).toHaveLength(19);
  expect(recent.servers[0].url).toMatch(/\/petstore\/v3$/);
});

test('the page of OAuth leads only to this machine', async () => {
  const path = 'GET /petstore/oauth/authorize?redirect_uri=';
  const { status, text } = await send(`${path}http://localhost:8080/cb&state=s`);
  expect(status).toBe(200);
  expect(text).toContain('http://localhost:8080/cb#access_token=special-token');
  for (const target of [
    'https://evil.example/',
    'javascript:alert(1)',
    'http://localhost.evil.example/',
    '',
  ]) {
    expect((await send(path + encodeURIComponent(target))).status).toBe(400);
  }
});
