import { expect } from '@playwright/test';
import { test } from './fixtures.js';

test('a form arrives unchanged', async ({ request }) => {
  const response = await request.post('/api/methods/post', {
    form: { name: 'Ada', city: 'Paris' },
  });
  expect(response.ok()).toBe(true);
  expect((await response.json()).form).toEqual({ name: 'Ada', city: 'Paris' });
});

test('a test reads what it has created', async ({ request }) => {
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

test('no other test sees it', async ({ request }) => {
  const found = await request.get('/api/Events?name=Release party');
  expect(await found.json()).toEqual([]);
});
