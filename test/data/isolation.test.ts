import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();

const event = { name: 'Mine', startsAt: '2027-05-01T18:00:00Z', endsAt: '2027-05-01T23:00:00Z' };
const inside = (sandbox: string, more: object = {}) => ({
  headers: { 'X-Sandbox': sandbox, 'X-Client-Id': 'one' },
  ...more,
});

test('writes of one sandbox are invisible to others, and a reset undoes them', async () => {
  const created = await service.send('POST /api/Events', inside('a', { json: event }));
  expect(created.json.id).toBe(31);
  await service.send('DELETE /api/Events/1', inside('a'));
  await service.send('PATCH /api/Books/1', inside('a', { json: { price: 1 } }));
  for (const other of [inside('b'), {}]) {
    expect((await service.send('GET /api/Events/31', other)).status).toBe(404);
    expect((await service.send('GET /api/Events/1', other)).status).toBe(200);
    expect((await service.send('GET /api/Books/1', other)).json.price).not.toBe(1);
    expect((await service.send('GET /api/Events/count', other)).json).toEqual({ count: 30 });
  }
  expect((await service.send('GET /api/Events?id=31', inside('a'))).json).toEqual([created.json]);
  await service.send('DELETE /api/sandbox', inside('a'));
  expect((await service.send('GET /api/Events/31', inside('a'))).status).toBe(404);
  expect((await service.send('GET /api/Events/1', inside('a'))).status).toBe(200);
});

test('rate windows belong to a sandbox, and end by its clock', async () => {
  const hit = (sandbox: string) => service.send('GET /api/RateLimit', inside(sandbox));
  for (let request = 0; request < 5; request++) await hit('c');
  expect((await hit('c')).status).toBe(429);
  expect((await hit('d')).json.used).toBe(1);
  const clock = { json: { offsetSeconds: 61 } };
  expect((await service.send('PUT /api/sandbox/clock', inside('c', clock))).status).toBe(200);
  expect((await hit('c')).json.used).toBe(1);
});

test('upcoming events depend on the clock of the sandbox', async () => {
  const all = await service.send('GET /api/Events/upcoming?from=0000-01-01', inside('e'));
  expect(all.json).toHaveLength(30);
  const years = 365 * 24 * 3600 * 9;
  await service.send('PUT /api/sandbox/clock', inside('e', { json: { offsetSeconds: years } }));
  expect((await service.send('GET /api/Events/upcoming', inside('e'))).json).toEqual([]);
});

test.each([
  '/api/Events?limit=2&',
  '/api/Books/1?',
  '/api/pagination/keyset?',
  '/api/RateLimit?',
  '/api/versioned/profile?',
])('%s fails and waits on request', async (path) => {
  const failed = await service.send(`GET ${path}error=503`);
  expect(failed.status).toBe(503);
  expect(failed.headers['x-simulated']).toBe('true');
  const delayed = await service.send(`GET ${path}delay=0.001`);
  expect(delayed.status).toBe(200);
  expect(delayed.headers['x-simulated']).toBe('true');
});

test('GraphQL shows what REST wrote in the same sandbox', async () => {
  const ask = async (query: string) => {
    const response = await service.send('POST /graphql', inside('f', { json: { query } }));
    return response.json.data;
  };
  const { json: created } = await service.send('POST /api/Events', inside('f', { json: event }));
  await service.send('PATCH /api/Books/2', inside('f', { json: { title: 'Changed' } }));
  await service.send('DELETE /api/Books/3', inside('f'));
  const data = await ask(
    '{ events { id name startsAt tags } a: book(id: 2) { title } b: book(id: 3) { id } }',
  );
  const { id, name, startsAt, tags } = created;
  expect(data.events.at(-1)).toEqual({ id, name, startsAt, tags });
  expect(data.events).toHaveLength(31);
  expect(data.a).toEqual({ title: 'Changed' });
  expect(data.b).toBeNull();
});
