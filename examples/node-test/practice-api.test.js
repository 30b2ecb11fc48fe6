import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createService } from 'practice-api';

/** @type {import('practice-api').Service} */
let service;

before(async () => {
  service = await createService();
});
after(() => service.close());

/** A caller with its own data: no other test sees what it writes. */
function newCaller() {
  const sandbox = { 'x-sandbox': randomUUID() };
  /** @type {(path: string, init?: RequestInit) => Promise<Response>} */
  return (path, init = {}) =>
    fetch(service.url + path, { ...init, headers: { ...init.headers, ...sandbox } });
}

test('tests that write do not see each other', async () => {
  const [one, other] = [newCaller(), newCaller()];
  assert.equal((await one('/api/Events/1', { method: 'DELETE' })).status, 204);
  assert.equal((await one('/api/Events/1')).status, 404);
  assert.equal((await other('/api/Events/1')).status, 200);
});

test('a client that retries survives a failure', async () => {
  const call = newCaller();
  /** @type {(paths: string[]) => Promise<Response>} */
  async function fetchWithRetry([path = '', ...retries]) {
    const response = await call(path);
    return response.status === 503 && retries.length > 0 ? fetchWithRetry(retries) : response;
  }
  const response = await fetchWithRetry(['/api/Books/1?error=503', '/api/Books/1']);
  assert.equal(response.status, 200);
});

test('a token expires without waiting', async () => {
  const call = newCaller();
  const login = await call('/api/auth/jwt/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'user', password: 'user-secret' }),
  });
  const { accessToken, expiresIn } = /** @type {any} */ (await login.json());
  const me = () =>
    call('/api/auth/jwt/me', { headers: { authorization: `Bearer ${accessToken}` } });
  assert.equal((await me()).status, 200);

  await call('/api/sandbox/clock', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ offsetSeconds: expiresIn }),
  });
  assert.equal((await me()).status, 401);
});
