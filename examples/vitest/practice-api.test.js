import { createService } from 'practice-api';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** @type {import('practice-api').Service} */
let service;
let nowMs = Date.UTC(2030, 0, 1);

beforeAll(async () => {
  service = await createService({
    // The clock stops until a test moves it.
    now: () => nowMs,
    // Initial records of every test.
    seed: { users: [{ id: 1, name: 'Ada', job: 'Engineer', city: 'London' }] },
  });
});
afterAll(() => service.close());

test('a client reads the records of the suite', async () => {
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ users { name city } }' }),
  });
  expect(await response.json()).toEqual({ data: { users: [{ name: 'Ada', city: 'London' }] } });
});

test('a rate-limited client may continue after the window has closed', async () => {
  const call = () => fetch(`${service.url}/api/RateLimit`, { headers: { 'x-client-id': 'me' } });
  for (let used = 0; used < 5; used++) expect((await call()).status).toBe(200);
  const rejected = await call();
  expect(rejected.status).toBe(429);

  nowMs += Number(rejected.headers.get('retry-after')) * 1000;
  expect((await call()).status).toBe(200);
});
