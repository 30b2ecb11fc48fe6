import { beforeAll, describe, expect, test } from 'vitest';
import { basicHeader, demoCredentials } from '../support/demo-credentials.js';
import { useService } from '../support/service.js';

const service = useService();
const challenge = 'Basic realm="Practice API", charset="UTF-8"';
let right: string;
let username: string;

beforeAll(async () => {
  const { basic } = await demoCredentials(service);
  username = basic.username;
  right = basicHeader(basic.username, basic.password);
});

function get(path: string, authorization?: string) {
  return service.send(`GET ${path}`, authorization ? { headers: { authorization } } : {});
}

test('the right user name and password return the Basic record', async () => {
  const { status, headers, json } = await get('/api/auth/basic', right);
  expect(status).toBe(200);
  expect(json).toEqual({ authenticated: true, scheme: 'basic', user: username });
  expect(headers).not.toHaveProperty('www-authenticate');
});

test('HEAD gets a response like GET, without a body', async () => {
  const rejected = await service.send('HEAD /api/auth/basic');
  expect(rejected.status).toBe(401);
  expect(rejected.headers['www-authenticate']).toBe(challenge);
  const { status } = await service.send('HEAD /api/auth/basic', {
    headers: { authorization: right },
  });
  expect(status).toBe(200);
});

test('an unknown user and a wrong password get the same response', async () => {
  const unknown = await get('/api/auth/basic', basicHeader('nobody', 'x'));
  const wrong = await get('/api/auth/basic', basicHeader(username, 'x'));
  for (const { status, headers } of [unknown, wrong]) {
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe(challenge);
  }
  expect(wrong.text).toBe(unknown.text);
});

test('a missing, a malformed and a wrong credential have different messages', async () => {
  const responses = await Promise.all([
    get('/api/auth/basic'),
    get('/api/auth/basic', 'Basic !'),
    get('/api/auth/basic', basicHeader(username, 'x')),
  ]);
  expect(responses.map(({ status }) => status)).toEqual([401, 401, 401]);
  expect(new Set(responses.map(({ json }) => json.message)).size).toBe(3);
  for (const { headers } of responses) expect(headers['www-authenticate']).toBe(challenge);
});

test.each([
  ['the right one twice', () => [right, right]],
  ['a wrong one first', () => [basicHeader('x', 'y'), right]],
  ['names in two cases', () => [right, right]],
])('a repeated Authorization header is ambiguous: %s', async (name, values) => {
  const [first = '', second = ''] = values();
  const other = name.startsWith('names') ? 'AUTHORIZATION' : 'Authorization';
  const { status, json } = await service.send('GET /api/auth/basic', {
    headers: [
      ['Authorization', first],
      [other, second],
    ],
  });
  expect(status).toBe(400);
  expect(json.message).toContain('was sent 2 times');
});

describe('any other method', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])(
    '%s authenticates, and reports the size of its body',
    async (method) => {
      const send = (headers: Record<string, string>, body?: string) =>
        service.send(`${method} /api/auth/basic`, { headers, ...(body && { body }) });
      expect((await send({ authorization: right }, 'four')).json).toEqual({
        authenticated: true,
        scheme: 'basic',
        user: username,
        bodyBytes: 4,
      });
      const rejected = await send({}, '€uro');
      expect(rejected.status).toBe(401);
      expect(rejected.json.bodyBytes).toBe(6);
      expect(rejected.headers['www-authenticate']).toBe(challenge);
    },
  );

  test('works with the credentials of the path, and inside a sandbox', async () => {
    const headers = { authorization: basicHeader('ada', 'b') };
    const path = '/s/methods/api/auth/basic/ada/b';
    const { json } = await service.send(`POST ${path}`, { headers, body: 'x' });
    expect(json).toMatchObject({ user: 'ada', bodyBytes: 1 });
    expect((await service.send(`POST ${path}`, { body: 'x' })).status).toBe(401);
  });

  test('gets 413 over 10 MiB', async () => {
    const headers = { authorization: right };
    const body = Buffer.alloc(10 * 1024 * 1024 + 1);
    expect((await service.send('POST /api/auth/basic', { headers, body })).status).toBe(413);
  });
});

test('letter case and a slash at the end of the path do not matter', async () => {
  expect((await get('/API/Auth/BASIC/', right)).status).toBe(200);
});

describe('credentials from the path', () => {
  test.each([
    ['/api/auth/basic/Ada/Secret', 'Ada', 'Secret'],
    ['/api/auth/basic/J%C3%A4s%C3%B8n%20Doe/p%2Fw%3F%23%25', 'Jäsøn Doe', 'p/w?#%'],
    ['/api/auth/basic/a/b:c', 'a', 'b:c'],
    ['/api/auth/basic/x/', 'x', ''],
    ['/api/auth/basic/x', 'x', ''],
    ['/api/auth/basic/J%C3%A4s%C3%B8n/?a=b', 'Jäsøn', ''],
    ['/s/empty/api/auth/basic/x/', 'x', ''],
    ['/api/auth/basic//y', '', 'y'],
    ['/api/auth/basic/__proto__/constructor', '__proto__', 'constructor'],
  ])('%s requires the credentials in its path', async (path, user, password) => {
    const { status, json } = await get(path, basicHeader(user, password));
    expect(status).toBe(200);
    expect(json.user).toBe(user);
    expect((await get(path, basicHeader(user, `${password}x`))).status).toBe(401);
    expect((await get(path, basicHeader(user.toLowerCase(), password))).status).toBe(
      user === user.toLowerCase() ? 200 : 401,
    );
    expect((await get(path)).headers['www-authenticate']).toBe(challenge);
  });

  test('a user name with a colon is impossible in Basic, and the response says so', async () => {
    const { status, json } = await get('/api/auth/basic/a:b/c', basicHeader('a', 'b:c'));
    expect(status).toBe(400);
    expect(json.message).toContain('colon');
  });

  test('a malformed escape is 400', async () => {
    expect((await get('/api/auth/basic/%zz/x')).status).toBe(400);
    const notUtf8 = await get('/api/auth/basic/%ff/x');
    expect(notUtf8.status).toBe(400);
    expect(notUtf8.json.message).toContain('UTF-8');
  });
});

describe('the hidden endpoint', () => {
  const path = '/api/auth/basic-hidden/Ada/S%C3%A9cret';

  test('responds only to the credentials of its path', async () => {
    const { status, json } = await get(path, basicHeader('Ada', 'Sécret'));
    expect(status).toBe(200);
    expect(json).toEqual({ authenticated: true, scheme: 'basic', user: 'Ada' });
  });

  test.each(['/api/auth/basic-hidden/x/', '/api/auth/basic-hidden/x'])(
    'accepts an empty password at %s',
    async (empty) => {
      expect((await get(empty, basicHeader('x', ''))).status).toBe(200);
      expect((await get(empty, basicHeader('x', 'y'))).status).toBe(404);
    },
  );

  test.each([
    ['no credentials', []],
    ['a wrong password', [basicHeader('Ada', 'x')]],
    ['a wrong user', [basicHeader('Eve', 'Sécret')]],
    ['a malformed header', ['Basic !']],
    ['another scheme', ['Bearer x']],
    ['the right header twice', [basicHeader('Ada', 'Sécret'), basicHeader('Ada', 'Sécret')]],
  ])('responds with 404 without a challenge to %s', async (_name, values) => {
    const { status, headers, json } = await service.send(`GET ${path}`, {
      headers: values.map((value) => ['Authorization', value] as const),
    });
    expect(status).toBe(404);
    expect(headers).not.toHaveProperty('www-authenticate');
    expect(json.message).toBe((await get(path)).json.message);
  });
});
