/** Caching of the documents of an issuer, and the number of fetches. */

import { createRemoteJWKSet, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { asService, issuerAt } from '../support/oidc.js';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;

const set = (sandbox: string, json: object) => send(`PUT /s/${sandbox}/api/sandbox/oidc`, { json });
const fetchesOf = async (sandbox: string) =>
  (await send(`GET /s/${sandbox}/api/sandbox/oidc`)).json.fetches;

const discovery = '/oidc/.well-known/openid-configuration';

test.each([
  ['jwksMaxAge', '/oidc/jwks', discovery],
  ['discoveryMaxAge', discovery, '/oidc/jwks'],
])('%s is the max-age of %s only', async (name, path, other) => {
  const sandbox = `max-age-${name.toLowerCase()}`;
  const cached = async (target: string) =>
    (await send(`GET /s/${sandbox}${target}`)).headers['cache-control'];
  expect(await cached(path)).toBe('no-store');
  for (const seconds of [600, 0]) {
    expect((await set(sandbox, { [name]: seconds })).json[name]).toBe(seconds);
    const { headers } = await send(`GET /s/${sandbox}${path}`);
    expect(headers['cache-control']).toBe(`public, max-age=${seconds}`);
    expect(headers.vary).toContain('X-Sandbox');
    expect(await cached(other)).toBe('no-store');
  }
  await set(sandbox, {});
  expect(await cached(path)).toBe('no-store');
});

test('fetches are counted by document, without HEAD', async () => {
  expect(await fetchesOf('counted')).toEqual({ discovery: 0, jwks: 0 });
  await send(`GET /s/counted${discovery}`);
  await send('GET /.well-known/oauth-authorization-server/s/counted/oidc');
  await send(`GET ${discovery}`, { headers: { 'X-Sandbox': 'counted' } });
  await send('GET /s/counted/oidc/jwks');
  await send('HEAD /s/counted/oidc/jwks');
  await send(`GET /s/not-counted${discovery}`);
  expect(await fetchesOf('counted')).toEqual({ discovery: 3, jwks: 1 });
  const { json } = await send('GET /s/counted/api/sandbox/oidc');
  expect((await set('counted', json)).json.fetches).toEqual({ discovery: 3, jwks: 1 });
  await send('DELETE /s/counted/api/sandbox');
  expect(await fetchesOf('counted')).toEqual({ discovery: 0, jwks: 0 });
});

test('concurrent fetches are all counted', async () => {
  await Promise.all(Array.from({ length: 20 }, () => send(`GET /s/together${discovery}`)));
  expect((await fetchesOf('together')).discovery).toBe(20);
});

test('a client with a cache of the JWKS fetches it once', async () => {
  await set('jose', { jwksMaxAge: 300 });
  const issuer = issuerAt(service, '/s/jose');
  const keys = createRemoteJWKSet(new URL(`${service.url}/s/jose/oidc/jwks`));
  for (let count = 0; count < 3; count += 1) {
    const { json } = await issuer.token({ grant_type: 'client_credentials' }, asService);
    await jwtVerify(json.access_token, keys);
  }
  expect((await fetchesOf('jose')).jwks).toBe(1);
});
