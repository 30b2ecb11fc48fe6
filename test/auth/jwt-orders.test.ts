import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { seedOf } from '../bugs/hunter.js';
import { useService } from '../support/service.js';

const service = useService();
const path = '/api/auth/jwt/orders';

async function userOf(username: 'admin' | 'user', sandbox = `orders-${randomUUID()}`) {
  const send = (target: string, json?: unknown, headers: Record<string, string> = {}) =>
    service.send(target, { headers: { 'X-Sandbox': sandbox, ...headers }, json });
  const password = `${username}-secret`;
  const { json } = await send('POST /api/auth/jwt/login', { username, password });
  const headers = { Authorization: `Bearer ${json.accessToken}` };
  return {
    ...{ sandbox, headers },
    send: (target: string, body?: unknown, more: Record<string, string> = {}) =>
      send(target, body, { ...headers, ...more }),
  };
}

const chair = { item: 'Chair', quantity: 1, deliverTo: 'Oslo' };

describe('orders', () => {
  test('of a user are read and changed only by that user', async () => {
    const user = await userOf('user');
    const admin = await userOf('admin', user.sandbox);
    const own = (await user.send(`GET ${path}`)).json;
    expect(own.map(({ id }: { id: number }) => id)).toEqual([1, 2]);
    expect(own[0]).toMatchObject({ card: '**** 3184', status: 'open' });
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { quantity: 2 } : undefined;
      expect((await user.send(`${method} ${path}/3`, body)).status).toBe(404);
      expect((await admin.send(`${method} ${path}/1`, body)).status).toBe(404);
      expect((await service.send(`${method} ${path}/1`, { json: body })).status).toBe(401);
    }
    expect((await user.send(`GET ${path}/1`)).headers['cache-control']).toBe('no-store');
  });

  test('are placed, changed, approved by an admin, and deleted', async () => {
    const user = await userOf('user');
    const admin = await userOf('admin', user.sandbox);
    const placed = await user.send(`POST ${path}`, chair);
    expect(placed).toMatchObject({ status: 201, json: { id: 4, ...chair, status: 'open' } });
    expect(placed.headers.location).toMatch(/\/api\/auth\/jwt\/orders\/4$/);
    expect((await user.send(`POST ${path}/4/approve`)).status).toBe(403);
    expect((await admin.send(`POST ${path}/4/approve`)).json).toMatchObject({ status: 'approved' });
    expect((await admin.send(`POST ${path}/99/approve`)).status).toBe(404);
    expect((await admin.send(`GET ${path}/all`)).json).toHaveLength(4);
    expect((await user.send(`GET ${path}/all`)).status).toBe(403);
    expect((await user.send(`DELETE ${path}/4`)).status).toBe(204);
    expect((await user.send(`GET ${path}/4`)).status).toBe(404);
    expect((await user.send(`POST ${path}`, chair)).json.id).toBe(5);
  });

  test('change only with a current entity tag, if one is sent', async () => {
    const { send } = await userOf('user');
    const { headers } = await send(`GET ${path}/1`);
    const condition = { 'If-Match': String(headers.etag) };
    const statuses = await Promise.all(
      [3, 4, 5].map(
        async (quantity) => (await send(`PATCH ${path}/1`, { quantity }, condition)).status,
      ),
    );
    expect(statuses.sort()).toEqual([200, 412, 412]);
    expect((await send(`PATCH ${path}/1`, { quantity: 9 })).status).toBe(200);
  });

  test.each([
    ['an unknown field', { ...chair, owner: 'admin' }],
    ['no quantity', { item: 'Chair', deliverTo: 'Oslo' }],
    ['a quantity of 0', { ...chair, quantity: 0 }],
    ['a quantity of 1001', { ...chair, quantity: 1001 }],
    ['an empty item', { ...chair, item: '' }],
    ['a long item', { ...chair, item: 'x'.repeat(101) }],
    ['a list', [chair]],
  ])('with %s are rejected', async (_case, body) => {
    const { send } = await userOf('user');
    expect((await send(`POST ${path}`, body)).status).toBe(400);
  });

  test('are at most 100 in a sandbox', async () => {
    const { send } = await userOf('user');
    const statuses = new Set<number>();
    for (let count = 3; count < 100; count++)
      statuses.add((await send(`POST ${path}`, chair)).status);
    expect([...statuses]).toEqual([201]);
    expect(await send(`POST ${path}`, chair)).toMatchObject({
      ...{ status: 409, json: { message: expect.stringContaining('100') } },
    });
    expect((await send(`DELETE ${path}/1`)).status).toBe(204);
    expect((await send(`POST ${path}`, chair)).status).toBe(201);
  });

  test.each(['0', '1000000000', 'x', '1.5'])('have no id %s', async (id) => {
    const { send } = await userOf('user');
    expect((await send(`GET ${path}/${id}`)).status).toBe(400);
  });

  test.each([0, 101, 'x'])('are not listed with the limit %s', async (limit) => {
    const { send } = await userOf('user');
    expect((await send(`GET ${path}?limit=${limit}`)).status).toBe(400);
    expect((await send(`GET ${path}?limit=1`)).json).toHaveLength(1);
  });

  test('lose an update with the bug of two changes at once, and only then', async () => {
    const { send, sandbox, headers } = await userOf('user');
    const seed = seedOf('orders-lost-update-at-once');
    await send('PUT /api/sandbox/bugs', { level: 'senior', count: 1, seed });
    const { headers: read } = await send(`GET ${path}/1`);
    const condition = { 'If-Match': String(read.etag) };
    // Its head arrives first, and its body after the other change.
    const late = request(`${service.url}${path}/1`, {
      method: 'PATCH',
      headers: {
        ...{ 'X-Sandbox': sandbox, ...headers, ...condition },
        ...{ 'Content-Type': 'application/json', 'Content-Length': '14', Expect: '100-continue' },
      },
    });
    const continued = new Promise((resolve) => late.once('continue', resolve));
    const response = new Promise<number | undefined>((resolve) =>
      late.once('response', (received) => {
        received.resume();
        resolve(received.statusCode);
      }),
    );
    late.flushHeaders();
    await continued;
    expect((await send(`PATCH ${path}/1`, { quantity: 8 }, condition)).status).toBe(200);
    late.end('{"quantity":9}');
    expect(await response).toBe(200);
    expect((await send(`GET ${path}/1`)).json.quantity).toBe(9);
    expect((await send(`PATCH ${path}/1`, { quantity: 7 }, { 'If-Match': '"1"' })).status).toBe(
      412,
    );
  });
});
