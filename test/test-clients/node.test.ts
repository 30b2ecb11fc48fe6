/** The helper for tests in JavaScript: a sandbox of a service that runs in the same process. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../src/index.js';

let service: Service;
beforeAll(async () => {
  service = await createService();
});
afterAll(() => service.close());

/** The client under test: makes two attempts, and waits as long as Retry-After says. */
async function getPatiently(url: string): Promise<Response> {
  const response = await fetch(url);
  if (response.status !== 503) return response;
  const seconds = Number(response.headers.get('Retry-After'));
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  return fetch(url);
}

test('each sandbox has its own data', async () => {
  const [one, other] = [service.sandbox(), service.sandbox()];
  expect(one.name).not.toBe(other.name);
  expect((await fetch(`${one.url}/api/Books/1`, { method: 'DELETE' })).status).toBe(204);
  expect((await fetch(`${one.url}/api/Books/1`)).status).toBe(404);
  expect((await fetch(`${other.url}/api/Books/1`)).status).toBe(200);
  const named = await fetch(`${service.url}/api/Books/1`, { headers: one.headers });
  expect(named.status).toBe(404);
  await one.delete();
  expect((await fetch(`${one.url}/api/Books/1`)).status).toBe(200);
});

test('a plan and a verdict', async () => {
  const sandbox = service.sandbox();
  await sandbox.plan({ status: 503, retryAfter: 1 });
  expect((await getPatiently(`${sandbox.url}/api/Books/1`)).status).toBe(200);
  expect((await sandbox.verdict()).honouredRetryAfter?.honoured).toBe(true);
});

test('a verdict is about one series of requests', async () => {
  const sandbox = service.sandbox('a-name');
  expect(sandbox.url).toBe(`${service.url}/s/a-name`);
  const steps = [{ status: 503, retryAfter: 0 }, {}];
  await sandbox.plan(steps, { match: { path: '/api/Books/:id' } });
  await expect(sandbox.verdict()).rejects.toThrow('got: none.');
  await fetch(`${sandbox.url}/api/Users`);
  await getPatiently(`${sandbox.url}/api/Books/1`);
  await fetch(`${sandbox.url}/api/Books/2`);
  await expect(sandbox.verdict()).rejects.toThrow('GET /api/Books/1, GET /api/Books/2.');
  expect(await sandbox.verdict('/api/Books/1')).toMatchObject({ retried: true, succeeded: true });
  expect(await sandbox.verdict('/api/Books/2')).toMatchObject({ retried: false });
  expect((await sandbox.log()).attempts).toHaveLength(3);
});

test('a wrong plan and a wrong name are reported', async () => {
  await expect(service.sandbox().plan({ status: 200 })).rejects.toThrow(/400 .*status/);
  await expect(service.sandbox('no name').advance(1)).rejects.toThrow(/400/);
  await service.sandbox().advance(86_400);
});
