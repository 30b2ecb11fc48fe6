import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createService, type Service, type ServiceOptions } from '../../src/index.js';
import { newPrefix } from '../support/redis.js';
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

const names = Object.keys(first);
const serve = Object.fromEntries(names.map((name) => [name, 0]));

/** In memory, or over the Redis of the run. */
function start(options: ServiceOptions): Promise<Service> {
  const stateUrl = inject('stateUrl');
  const shared = stateUrl === undefined ? {} : { stateUrl, statePrefix: newPrefix() };
  return createService({ ...shared, ...options });
}

/** The status only: errors have the forms of the originals. */
async function statusOf(url: string, headers: Readonly<Record<string, string>> = {}) {
  return (await fetch(url, { headers })).status;
}

describe('each practice API on a port of its own', () => {
  let service: Service;
  const at = (name: string) => service.ownUrls[`/${name}`] ?? '';
  beforeAll(async () => {
    service = await start({ serve });
  });
  afterAll(() => service.close());

  test.each(names)('%s is at the root, and below a sandbox', async (name) => {
    const path = first[name] ?? '';
    expect((await send(at(name), `GET ${path}`)).status).toBe(200);
    expect((await send(at(name), `GET /s/own${path}`)).status).toBe(200);
    const named = await send(at(name), `GET ${path}`, { headers: { 'X-Sandbox': 'own' } });
    expect(named.status).toBe(200);
    expect((await send(service.url, `GET /s/own/${name}${path}`)).status).toBe(200);
  });

  test('links and descriptions have the URL of the port', async () => {
    const placeholder = at('jsonplaceholder');
    const photo = (await send(placeholder, 'GET /s/own/photos/1')).json;
    expect(photo.url.startsWith(`${placeholder}/s/own/image/600/`)).toBe(true);
    expect((await fetch(photo.url)).status).toBe(200);
    const petstore = at('petstore');
    expect((await fetch(`${petstore}/api/v3/pet/1`)).status).toBe(200);
    const described = JSON.parse(await (await fetch(`${petstore}/api/v3/openapi.json`)).text());
    expect(described.servers[0].url).toBe(`${petstore}/api/v3`);
    const old = JSON.parse(await (await fetch(`${petstore}/v2/swagger.json`)).text());
    expect(old.basePath).toBe('/v2');
  });

  test('what is kept is in its sandbox only', async () => {
    await send(service.url, 'PUT /s/kept/api/sandbox/practice-apis', {
      json: { keepWrites: true },
    });
    const title = { title: 'Mine' };
    await send(at('jsonplaceholder'), 'POST /s/kept/posts', { json: title });
    await send(at('petstore'), 'POST /s/kept/v2/pet', { json: { id: 77, name: 'Rex' } });
    for (const [sandbox, status] of [
      ['kept', 200],
      ['other', 404],
    ]) {
      expect(await statusOf(`${at('jsonplaceholder')}/s/${sandbox}/posts/101`)).toBe(status);
      expect(await statusOf(`${at('petstore')}/s/${sandbox}/v2/pet/77`)).toBe(status);
    }
  });
});

describe('where accounts are required', () => {
  let service: Service;
  const at = (name: string) => service.ownUrls[`/${name}`] ?? '';
  beforeAll(async () => {
    service = await start({ accounts: 'required', signUpsPerHour: 1000, serve });
  });
  afterAll(() => service.close());

  test.each(names)('%s requires one', async (name) => {
    const path = first[name] ?? '';
    for (const url of [at(name), `${service.url}/${name}`]) {
      expect(await statusOf(url + path)).toBe(401);
    }
    const headers = { 'X-Service-Key': await signUpAt(service.url), 'X-Sandbox': 'own' };
    expect((await send(at(name), `GET ${path}`, { headers })).status).toBe(200);
    expect((await send(service.url, `GET /${name}${path}`, { headers })).status).toBe(200);
  });

  test('a pet of one account is missing for another', async () => {
    const [mine, others] = await Promise.all([signUpAt(service.url), signUpAt(service.url)]);
    const as = (key: string) => ({ 'X-Service-Key': key, 'X-Sandbox': 'own' });
    const pet = { headers: as(mine), json: { id: 77, name: 'Rex' } };
    await send(at('petstore'), 'POST /v2/pet', pet);
    expect(await statusOf(`${at('petstore')}/v2/pet/77`, as(mine))).toBe(200);
    expect(await statusOf(`${at('petstore')}/v2/pet/77`, as(others))).toBe(404);
  });
});

async function signUpAt(url: string): Promise<string> {
  return (await send(url, 'POST /api/accounts')).json.key;
}

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
