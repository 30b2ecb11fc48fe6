import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { declarationOf } from '../../src/areas/practice-apis/dialect/declaration.js';
import { dialects } from '../../src/areas/practice-apis/dialects.js';
import { useService } from '../support/service.js';

const { send } = useService();

test.each(dialects.map(({ name }) => [name, declarationOf(name)] as const))(
  'the guide of %s has the differences of its declaration, and each says why',
  (name, { differences, title }) => {
    const guide = readFileSync(`docs/practice-apis/${name}.md`, 'utf8');
    const [, rows = ''] = guide.split('| Here | Why |\n| --- | --- |\n');
    expect(rows).toBe(differences.map(({ here, why }) => `| ${here} | ${why} |\n`).join(''));
    expect(guide.startsWith(`# ${title}\n`)).toBe(true);
  },
);

test('the list has each practice API with a description that can be read', async () => {
  const { practiceApis } = (await send('GET /api/practice-apis')).json;
  expect(practiceApis.map(({ name }: { name: string }) => name)).toEqual(
    dialects.map(({ name }) => name),
  );
  for (const { description, baseUrls, name } of practiceApis) {
    const described = JSON.parse(await (await fetch(description)).text());
    expect(described.openapi, name).toBe('3.0.3');
    const declared = new Set(dialects.find((each) => each.name === name)?.routes);
    expect(declared.size, name).toBeGreaterThan(0);
    // A description may be of one version of several.
    const least = Math.min(4, declared.size);
    expect(Object.keys(described.paths).length, name).toBeGreaterThanOrEqual(least);
    expect(baseUrls[0]).toContain(`/${name}`);
  }
});

test.each([
  ['/posts', '/jsonplaceholder', '/dummyjson'],
  ['/todos/1', '/jsonplaceholder', '/dummyjson'],
  ['/booking', '/restful-booker'],
  ['/v2/pet/1', '/petstore/v2'],
  ['/products/1', '/fakestore', '/dummyjson'],
  ['/carts', '/fakestore', '/dummyjson'],
  ['/api/unknown/2', '/reqres'],
  ['/basic-auth', '/postman-echo'],
])('a 404 for %s names the base URL', async (path, ...bases) => {
  const { status, json } = await send(`GET ${path}`);
  expect(status).toBe(404);
  for (const base of bases) expect(json.message).toContain(`${base} here.`);
});

test('hints are below the sandbox of the request', async () => {
  const { json } = await send('GET /s/mine/booking');
  expect(json.message).toMatch(/http:\/\/[^/]+\/s\/mine\/restful-booker here\./);
});

test('our Users keep their responses, and say where ReqRes has the same path', async () => {
  const rejected = await send('GET /api/users?page=2');
  expect(rejected.status).toBe(400);
  expect(rejected.json.message).toContain('/reqres here.');
  const { status, headers } = await send('GET /s/u/api/users/2');
  expect(status).toBe(200);
  expect(headers.link).toMatch(/\/s\/u\/reqres\/api\/users\/2>; rel="alternate"$/);
  expect((await send('GET /api/Users/2')).headers).not.toHaveProperty('link');
  expect((await send('GET /api/Users?page=2')).json.message).not.toContain('reqres');
});

test('options are rejected in the shared sandbox, and for other names and types', async () => {
  const path = 'api/sandbox/practice-apis';
  expect((await send(`PUT /${path}`, { json: { keepWrites: true } })).status).toBe(403);
  for (const json of [{}, { keepWrites: 1 }, { other: true }, []]) {
    expect((await send(`PUT /s/o/${path}`, { json })).status).toBe(400);
  }
  await send(`PUT /s/o/${path}`, { json: { keepWrites: true } });
  await send(`PUT /s/o/${path}`, { json: { rateLimits: true } });
  expect((await send(`GET /s/o/${path}`)).json).toEqual({
    ...{ keepWrites: true, rateLimits: true, reqresKey: false },
  });
});
