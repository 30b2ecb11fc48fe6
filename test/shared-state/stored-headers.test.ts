/** Headers of responses that a process with another deny list has stored. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import { testsWith } from '../support/foreign-program.js';
import { newPrefix, type RedisServer, startRedis } from '../support/redis.js';
import { send } from '../support/service.js';

testsWith('redis').describe('a header that another process accepted', () => {
  let redis: RedisServer;
  let generous: Service;
  let strict: Service;
  beforeAll(async () => {
    redis = await startRedis();
    const options = { stateUrl: redis.url, statePrefix: newPrefix() };
    generous = await createService(options);
    strict = await createService({ ...options, deniedHeaders: ['X-Internal-*', 'X-Route'] });
  });
  afterAll(async () => {
    await Promise.all([generous.close(), strict.close()]);
    await redis.close();
  });

  const own = { headers: { 'X-Sandbox': 'stored' } };
  const reason = 'cannot be set: it is denied by the operator of this service.';

  /** Sends to the strict service what the other has stored. */
  async function ask(target: string, status: number) {
    const response = await send(strict.url, target, own);
    expect([target, response.status, response.headers['x-route']]).toEqual([
      target,
      status,
      undefined,
    ]);
    return response.json;
  }

  test.each([
    ['headers', { headers: { 'x-route': '/admin' } }],
    ['trailers', { trailers: { 'X-Route': '/admin' }, body: 'x' }],
    ['interim responses', { informational: [{ status: 103, headers: [['X-Route', '/admin']] }] }],
  ])('is sent by no stored script, in its %s', async (_part, script) => {
    const target = '/api/http/responses/routed';
    const put = { ...own, json: script };
    expect((await send(strict.url, `PUT ${target}`, put)).status).toBe(400);
    expect((await send(generous.url, `PUT ${target}`, put)).status).toBeLessThan(300);
    expect((await send(generous.url, `GET ${target}`, own)).status).toBe(200);
    const { message } = await ask(`GET ${target}`, 409);
    expect(message).toContain(reason);
    expect(message).toContain('PUT another script here.');
  });

  test('is sent by no bin, which still captures', async () => {
    const json = { response: { headers: { 'X-Internal-Path': '/admin' } } };
    expect((await send(strict.url, 'POST /api/webhooks/bins', { ...own, json })).status).toBe(400);
    const { json: bin } = await send(generous.url, 'POST /api/webhooks/bins', { ...own, json });
    expect((await ask(`GET /api/webhooks/${bin.id}`, 409)).message).toContain(reason);
    const described = await ask(`GET /api/webhooks/bins/${bin.id}`, 200);
    expect(described.requests).toHaveLength(1);
    const change = { ...own, json: { response: { headers: { 'X-Fine': '1' } } } };
    expect((await send(strict.url, `PATCH /api/webhooks/bins/${bin.id}`, change)).status).toBe(200);
    expect((await send(strict.url, `GET /api/webhooks/${bin.id}`, own)).headers['x-fine']).toBe(
      '1',
    );
  });

  test.each([
    ['a fault', { status: 503, headers: { 'X-Route': ['/admin'] } }],
    ['a fault after the work', { status: 503, headers: [['X-Route', '/admin']], after: true }],
    ['a fault by chance', { probability: 1, fault: { status: 503, headers: { 'X-Route': '/' } } }],
  ])('is sent by no rule: %s', async (_name, fault) => {
    const json = { rules: [{ name: 'routed', sequence: [fault], then: 'last' }] };
    const put = { ...own, json };
    expect((await send(strict.url, 'PUT /api/sandbox/faults', put)).status).toBe(400);
    expect((await send(generous.url, 'PUT /api/sandbox/faults', put)).status).toBe(200);
    const failed = await send(generous.url, 'GET /api/Books/1', own);
    expect([failed.status, failed.headers['x-route']]).toEqual([503, expect.any(String)]);
    const { message } = await ask('GET /api/Books/1', 409);
    expect(message).toContain(reason);
    expect(message).toContain('the rule routed');
    await ask('GET /api/sandbox/faults', 200);
    expect((await send(strict.url, 'DELETE /api/sandbox/faults', own)).status).toBe(204);
    await ask('GET /api/Books/1', 200);
  });
});
