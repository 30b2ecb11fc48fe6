/** Every path below /s/{sandbox} is that path inside the sandbox. */

import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { computeResponse } from '../../src/http/digest/compute-response.js';
import { isProxied } from '../support/create-service.js';
import { type Case, isolationCases, type Send } from '../support/isolation-cases.js';
import { rawExchange } from '../support/raw-exchange.js';
import { type SendOptions, useService } from '../support/service.js';

const service = useService({ now: () => Date.UTC(2030, 0, 1) });
const { send } = service;

const inside =
  (prefix: string): Send =>
  (target: string, options?: SendOptions) =>
    send(target.replace(' ', ` ${prefix}`), options);
const byHeader =
  (name: string): Send =>
  (target, { headers = {}, ...options } = {}) =>
    send(target, { ...options, headers: { ...headers, 'X-Sandbox': name } });

describe.each(Object.entries(isolationCases) as [string, Case<unknown>][])('%s', (title, each) => {
  const name = `at-${title.replaceAll(' ', '-').replaceAll(',', '')}`;

  test('written below a URL are visible there, and nowhere else', async () => {
    const mine = inside(`/s/${name}`);
    const written = await each.write(mine);
    const seen = await each.read(mine, written);
    const pristine = await each.read(inside('/s/another'), written);
    expect(seen).not.toBe(pristine);
    expect(await each.read(byHeader('another'), written)).toBe(pristine);
    expect(await each.read(send, written)).toBe(pristine);
    expect((await mine('DELETE /api/sandbox')).status).toBe(204);
    expect((await byHeader(name)('GET /api/sandbox')).json.isPristine).toBe(true);
  });
});

test('URL and header select the same sandbox, for reads and writes', async () => {
  await send('PATCH /s/one/api/Books/1', { json: { title: 'By URL' } });
  const headers = { 'X-Sandbox': 'one' };
  expect((await send('GET /api/Books/1', { headers })).json.title).toBe('By URL');
  await send('PATCH /api/Books/1', { headers, json: { title: 'By header' } });
  expect((await send('GET /s/one/api/Books/1')).json.title).toBe('By header');
  expect((await send('GET /s/one/api/Books/1', { headers })).status).toBe(200);
  expect((await send('GET /s/One/api/Books/1')).json.title).toBe('The Hobbit');
});

test('the clock and faults work as usual', async () => {
  await send('PUT /s/late/api/sandbox/clock', { json: { offsetSeconds: 60 } });
  const { json } = await send('GET /s/late/api/sandbox');
  expect(json).toMatchObject({ name: 'late', isShared: false, clock: { offsetSeconds: 60 } });
  const { status, headers } = await send('GET /s/late/api/Events/1?error=503');
  expect([status, headers['x-simulated']]).toEqual([503, 'true']);
  expect((await send('GET /s/late/api/Events/1?delay=11')).status).toBe(400);
});

test('a URL with another name in the header is 400, whatever it is', async () => {
  for (const path of ['/s/a/api/Books', '/s/a/health', '/s/a/', '/s/a/nothing', '/s/a/bins']) {
    for (const name of ['b', 'A', 'a b', '']) {
      const { status, json } = await send(`GET ${path}`, { headers: { 'X-Sandbox': name } });
      expect([path, name, status]).toEqual([path, name, 400]);
      expect(json.message).toContain('X-Sandbox');
    }
  }
});

test('only the name is the root, with a slash or without', async () => {
  const [bare, slashed, asked] = [
    await send('GET /s/a'),
    await send('GET /s/a/'),
    await send('GET /s/a?x'),
  ];
  expect(bare.status).toBe(200);
  expect(slashed.text).toBe(bare.text);
  expect(asked.text).toBe(bare.text);
  expect(bare.json.areas[0].start).toContain(`${service.url}/s/a/api/methods/`);
});

test.each([
  ['nested sandbox URLs', '/s/a/s/b', 404],
  ['nested sandbox URLs with a path', '/s/a/s/b/api/Books', 404],
  ['a sandbox URL below another path', '/api/s/a/Books', 404],
  ['no name at all', '/s', 404],
  ['no name, with a slash', '/s/', 404],
  ['two slashes first', '//s/a/api/Books', 404],
  ['an empty name', '/s//api/Books', 400],
  ['two slashes behind the name', '/s/a//api/Books', 404],
  ['dots as a name', '/s/../api/Books', 400],
  ['dots as a name, escaped', '/s/%2e%2e/api/Books', 400],
  ['a dot as a name', '/s/%2E/api/Books', 400],
  ['dots behind the name', '/s/a/../api/Books', 404],
  ['dots behind the name, escaped', '/s/a/%2e%2e/api/Books', 404],
  ['the letter in upper case', '/S/a/api/Books', 200],
  ['the letter escaped', '/%73/a/api/Books', 200],
  ['another letter', '/t/a/api/Books', 404],
  ['an escaped name', '/s/%61/api/Books', 200],
  ['an escaped slash in the name', '/s/a%2fapi/Books', 400],
  ['an escaped slash before the name', '/s%2fa/api/Books', 404],
  ['an escaped slash in the path', '/s/a/api%2fBooks', 404],
  ['a null byte', '/s/a%00/api/Books', 400],
  ['half an escape', '/s/a%2/api/Books', 400],
  ['an escape that is no UTF-8', '/s/%ff/api/Books', 400],
  ['half an escape behind the name', '/s/a/api/%2', 400],
  ['a name of 64 characters', `/s/${'n'.repeat(64)}/api/Books`, 200],
  ['a name of 65 characters', `/s/${'n'.repeat(65)}/api/Books`, 400],
  ['a name of 15,000 characters', `/s/${'n'.repeat(15_000)}/api/Books`, 400],
  ['the name that the state uses internally', '/s/@service/api/Books', 400],
  ['a URL of an account, where accounts are not required', `/s/~${'A'.repeat(22)}/api/Books`, 404],
  ['a page of an account, where accounts are not required', `/s/~${'A'.repeat(22)}/`, 404],
  ['only a tilde', '/s/~/health', 404],
])('%s: %s is %i', async (_what, path, expected) => {
  const { status, json } = await send(`GET ${path}`);
  expect(status).toBe(expected);
  if (expected === 400) expect(json.message).toMatch(/sandbox|malformed/i);
});

test('an unknown path is named as it was sent, and the links stay inside', async () => {
  const { status, json } = await send('GET /s/a/nothing?secret=1');
  expect(status).toBe(404);
  expect(json.message).toBe(
    'There is nothing at /s/a/nothing. GET /s/a/ lists what this service offers.',
  );
});

test('every method, HEAD, OPTIONS and preflights work as outside', async () => {
  expect((await send('HEAD /s/a/api/Books/1')).status).toBe(200);
  const rejected = await send('PURGE /s/a/api/Books/1');
  expect(rejected.status).toBe(405);
  expect(rejected.headers.allow).toBe((await send('PURGE /api/Books/1')).headers.allow);
  expect((await send('OPTIONS /s/a/api/methods/options')).json.endpoints[0].path).toBe(
    '/s/a/api/methods/get',
  );
  const preflight = await send('OPTIONS /s/a/api/Books', {
    headers: { 'Access-Control-Request-Method': 'PUT', Origin: 'http://elsewhere.test' },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers['access-control-allow-methods']).toContain('PUT');
});

test('echoes show the path as it was sent', async () => {
  for (const path of ['/s/a/api/methods/get', '/S/%61/api/methods/get', '/%73/a/API/methods/get']) {
    expect((await send(`GET ${path}?x=1`)).json).toMatchObject({ path, query: { x: '1' } });
  }
  const traced = await send('TRACE /s/a/api/methods/any?x');
  expect(traced.text).toMatch(/^TRACE \/s\/a\/api\/methods\/any\?x HTTP\/1\.1\r\n/);
});

test('captures show the path as it was sent, and the rest after the bin', async () => {
  const { json: bin, headers } = await send('POST /s/hooks/api/webhooks/bins', { json: {} });
  const below = `${service.url}/s/hooks/api/webhooks`;
  expect(bin.url).toBe(`${below}/${bin.id}`);
  expect(bin.inspectUrl).toContain(`${service.url}/s/hooks/`);
  expect(headers.location).toBe(`${below}/bins/${bin.id}`);
  const path = `/s/hooks/api/webhooks/${bin.id}`;
  await send(`POST ${path}/orders/1?a=b`, { body: 'x' });
  await send(`POST /%73/elsewhere/api/webhooks/${bin.id}/escaped`);
  await send(`POST /api/webhooks/${bin.id}/plain`);
  const { json } = await send(`GET /s/hooks/api/webhooks/bins/${bin.id}/requests`);
  expect(json.map((each: { path: string; subPath: string }) => [each.path, each.subPath])).toEqual([
    [`/api/webhooks/${bin.id}/plain`, '/plain'],
    [`/%73/elsewhere/api/webhooks/${bin.id}/escaped`, '/escaped'],
    [`${path}/orders/1`, '/orders/1'],
  ]);
  expect((await send('GET /s/hooks/api/webhooks/bins')).json).toHaveLength(1);
  expect((await send('GET /s/thieves/api/webhooks/bins')).json).toEqual([]);
  expect((await send(`GET /s/thieves/api/webhooks/bins/${bin.id}`)).status).toBe(404);
});

test('the cookie of CSRF protection stays inside, and a cookie of the root does not disturb it', async () => {
  const outside = await send('GET /api/auth/csrf/token');
  expect(outside.headers['set-cookie']?.[0]).toMatch(/; Path=\/;/);
  const { headers, json } = await send('GET /s/forms/api/auth/csrf/token');
  expect(headers['set-cookie']?.[0]).toMatch(/; Path=\/s\/forms;/);
  // Browsers send the cookie of the longest path first.
  const both = `XSRF-TOKEN=${json.csrfToken}; XSRF-TOKEN=${outside.json.csrfToken}`;
  const sent = { Cookie: both, 'X-CSRF-Token': json.csrfToken };
  expect((await send('POST /s/forms/api/auth/csrf/submit', { headers: sent })).status).toBe(200);
  expect((await send('POST /api/auth/csrf/submit', { headers: sent })).status).toBe(403);
});

test('an issuer inside has its metadata at both URLs of RFC 8414', async () => {
  const wellKnown = '/.well-known/oauth-authorization-server';
  const issuer = `${service.url}/s/idp`;
  const { json } = await send(`GET /s/idp${wellKnown}`);
  expect(json).toMatchObject({ issuer, token_endpoint: `${issuer}/api/auth/oauth/token` });
  for (const path of [`${wellKnown}/s/idp`, `${wellKnown}/s/idp/`, `${wellKnown}/S/%69dp?x`]) {
    expect((await send(`GET ${path}`)).json).toEqual(json);
  }
  expect((await send(`GET ${wellKnown}`)).json.issuer).toBe(service.url);
  for (const [path, status] of [
    [`${wellKnown}/s/idp/x`, 404],
    [`${wellKnown}/s/`, 404],
    [`${wellKnown}/s/a/s/b`, 404],
    [`/s/a${wellKnown}/s/b`, 404],
    [`${wellKnown}/s/a%2fb`, 400],
    [`${wellKnown}/s/~${'A'.repeat(22)}`, 404],
  ] as const) {
    expect([path, (await send(`GET ${path}`)).status]).toEqual([path, status]);
  }
});

test('a token has the issuer inside, and is valid only there', async () => {
  const { json: index } = await send('GET /s/jwt/api/auth');
  const login = await send('POST /s/jwt/api/auth/jwt/login', { json: index.credentials.jwt[0] });
  const token = login.json.accessToken as string;
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  expect([claims.iss, claims.aud]).toEqual([`${service.url}/s/jwt`, `${service.url}/s/jwt`]);
  const headers = { Authorization: `Bearer ${token}` };
  expect((await send('GET /s/jwt/api/auth/jwt/me', { headers })).status).toBe(200);
  expect((await send('GET /s/other/api/auth/jwt/me', { headers })).status).toBe(401);
  expect(index.endpoints.every(({ path }: { path: string }) => path.startsWith('/s/jwt/'))).toBe(
    true,
  );
});

test('the uri of Digest is the path as it was sent', async () => {
  const { json } = await send('GET /s/digest/api/auth');
  const { username, password } = json.credentials.digest;
  async function statusOf(target: string, uri: string): Promise<number> {
    const { headers } = await send(`GET ${target}`);
    const part = (name: string) =>
      new RegExp(`${name}="([^"]+)"`).exec(String(headers['www-authenticate']))?.[1] ?? '';
    const [realm, nonce, opaque] = [part('realm'), part('nonce'), part('opaque')];
    const response = computeResponse({
      ...{ algorithm: 'MD5', username, password, realm, nonce, uri, method: 'GET' },
      ...{ qop: 'auth', nc: '00000001', cnonce: 'c0ffee', body: undefined },
    });
    const authorization = `Digest username="${username}", realm="${realm}", nonce="${nonce}", uri="${uri}", response="${response}", opaque="${opaque}", algorithm=MD5, qop=auth, nc=00000001, cnonce="c0ffee"`;
    return (await send(`GET ${target}`, { headers: { Authorization: authorization } })).status;
  }
  const path = '/s/digest/api/auth/digest';
  expect(await statusOf(path, path)).toBe(200);
  expect(await statusOf(path, `${service.url}${path}`)).toBe(200);
  expect(await statusOf(`${path}?a=b`, `${path}?a=b`)).toBe(200);
  expect(await statusOf('/S/%64igest/api/auth/digest', '/S/%64igest/api/auth/digest')).toBe(200);
  expect(await statusOf(path, '/api/auth/digest')).toBe(401);
  expect(await statusOf(path, `/s/digest${path}`)).toBe(401);
});

const rawTest = test.skipIf(isProxied);

rawTest.each([
  [
    'absolute form',
    'GET http://some.test/s/raw/api/methods/any HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    200,
    '"path":"/s/raw/api/methods/any"',
  ],
  [
    'absolute form without a path behind the name',
    'GET http://some.test/s/raw HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    200,
    'http://some.test/s/raw/graphql',
  ],
  [
    'HTTP/1.0 without Host',
    'GET /s/raw/api/pagination/link?per_page=1 HTTP/1.0\r\n\r\n',
    200,
    '/s/raw/api/pagination/link?',
  ],
  [
    'CONNECT',
    'CONNECT /s/raw/api/methods/any HTTP/1.1\r\nHost: x\r\n\r\n',
    200,
    '"path":"/s/raw/api/methods/any"',
  ],
  [
    'a fragment',
    'GET /s/raw#x/api HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    400,
    'fragment',
  ],
  [
    'a bare null byte',
    'GET /s/a\0/api HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    400,
    'status',
  ],
  ['no Host', 'GET /s/raw/api/Books HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'Host'],
] as const)('%s works below a sandbox URL as elsewhere', async (_what, bytes, status, text) => {
  const response = await rawExchange(service.url, bytes);
  expect(response.status).toBe(status);
  expect(response.head + response.body).toContain(text);
});

rawTest(
  'pipelined requests of many sandboxes get responses in order, each in its own',
  async () => {
    const names = Array.from({ length: 20 }, (_, index) => `pipe-${index}`);
    const { hostname, port } = new URL(service.url);
    const text = await new Promise<string>((resolve, reject) => {
      const chunks: Buffer[] = [];
      const socket = connect({ host: hostname, port: Number(port) }, () => {
        for (const [index, name] of names.entries()) {
          const last = index === names.length - 1 ? 'Connection: close\r\n' : '';
          socket.write(`GET /s/${name}/api/sandbox HTTP/1.1\r\nHost: x\r\n${last}\r\n`);
        }
      });
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.on('error', reject);
      socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    });
    expect([...text.matchAll(/"name":"(pipe-\d+)"/g)].map(([, name]) => name)).toEqual(names);
  },
);

test('where accounts are not required, no URL of an account can be created', async () => {
  for (const target of ['POST ', 'GET ', 'DELETE /~AAAAAAAAAAAAAAAAAAAAAA']) {
    const [method, rest] = target.split(' ');
    const { status, json } = await send(`${method} /api/sandbox/address${rest}`);
    expect(status).toBe(403);
    expect(json.message).toContain('/s/{sandbox}');
  }
});
