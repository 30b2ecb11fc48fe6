import { test as base, expect } from '@playwright/test';
import { createService } from 'practice-api';

/**
 * One service per worker; `request` calls it by paths, each test in a sandbox of its own.
 *
 * @typedef {import('practice-api').Service} Service
 * @type {import('@playwright/test').Fixtures<
 *   {}, { service: Service },
 *   import('@playwright/test').PlaywrightTestOptions, import('@playwright/test').PlaywrightWorkerOptions
 * >}
 */
const fixtures = {
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads the fixture's needs from it
    async ({}, use) => {
      const service = await createService();
      await use(service);
      await service.close();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ service }, use) => use(service.url),
  extraHTTPHeaders: async ({ service: _service }, use, { testId }) => use({ 'x-sandbox': testId }),
};
const test = base.extend(fixtures);

test('a form arrives as it was sent', async ({ request }) => {
  const answer = await request.post('/api/methods/post', { form: { name: 'Ada', city: 'Paris' } });
  expect(answer.ok()).toBe(true);
  expect((await answer.json()).form).toEqual({ name: 'Ada', city: 'Paris' });
});

test('what a test creates, it reads', async ({ request }) => {
  const created = await request.post('/api/Events', {
    data: {
      name: 'Release party',
      startsAt: '2030-05-01T18:00:00.000Z',
      endsAt: '2030-05-01T23:00:00.000Z',
    },
  });
  expect(created.status()).toBe(201);
  const read = await request.get(created.headers().location ?? '');
  expect((await read.json()).name).toBe('Release party');
});

test('and no other test does', async ({ request }) => {
  const found = await request.get('/api/Events?name=Release party');
  expect(await found.json()).toEqual([]);
});
