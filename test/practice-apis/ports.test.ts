import { expect, test } from 'vitest';
import { createService } from '../../src/index.js';
import { send } from '../support/service.js';

const first: Readonly<Record<string, string>> = {
  httpbin: '/get',
  'json-server': '/db',
  jsonplaceholder: '/posts/1',
  dummyjson: '/products/1',
  fakestore: '/products/1',
  reqres: '/api/users/2',
  'restful-booker': '/booking',
  petstore: '/v2/pet/1',
  'postman-echo': '/get',
};

test('every practice API is at the root of a separate port, also below a sandbox', async () => {
  const serve = Object.fromEntries(Object.keys(first).map((name) => [name, 0]));
  const service = await createService({ serve });
  try {
    for (const [name, path] of Object.entries(first)) {
      const url = service.ownUrls[`/${name}`] ?? '';
      for (const prefix of ['', '/s/own']) {
        const response = await fetch(url + prefix + path);
        const expected = name === 'json-server' && prefix === '' ? [200, 404] : [200, 404];
        expect(expected, `${name} ${prefix}`).toContain(response.status);
        if (name !== 'json-server') expect(response.status, `${name} ${prefix}`).toBe(200);
      }
    }
    const placeholder = service.ownUrls['/jsonplaceholder'] ?? '';
    const photo = (await send(placeholder, 'GET /s/own/photos/1')).json;
    expect(photo.url.startsWith(`${placeholder}/s/own/image/600/`)).toBe(true);
    expect((await fetch(photo.url)).status).toBe(200);
    const petstore = service.ownUrls['/petstore'] ?? '';
    expect((await fetch(`${petstore}/api/v3/pet/1`)).status).toBe(200);
    const described = JSON.parse(await (await fetch(`${petstore}/api/v3/openapi.json`)).text());
    expect(described.servers[0].url).toBe(`${petstore}/api/v3`);
    const old = JSON.parse(await (await fetch(`${petstore}/v2/swagger.json`)).text());
    expect(old.basePath).toBe('/v2');
  } finally {
    await service.close();
  }
});

test.each([
  [{ serve: { nothing: 0 } }, /SERVE names nothing; known are/],
  [{ serve: 'jsonplaceholder' }, /must be name=port/],
  [{ serve: 'reqres=1,reqres=2' }, /each name once/],
  [{ serve: 'reqres=99999' }, /65535/],
])('%j is rejected', async (options, message) => {
  await expect(createService(options as never)).rejects.toThrow(message);
});

test('the short flags still work, and --serve wins', async () => {
  const service = await createService({ httpbinPort: 0, jsonServerPort: 0, serve: { httpbin: 0 } });
  expect(Object.keys(service.ownUrls).sort()).toEqual(['/httpbin', '/json-server']);
  await service.close();
});

test('with accounts, a practice API requires one', async () => {
  const service = await createService({ accounts: 'required' });
  try {
    const { status } = await send(service.url, 'GET /api/accounts/me');
    expect(status).toBe(401);
    const rejected = await fetch(`${service.url}/restful-booker/booking`);
    expect(rejected.status).toBe(401);
  } finally {
    await service.close();
  }
});
