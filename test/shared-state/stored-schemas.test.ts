/** Schemas that a process with another limit has stored. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import { testsWith } from '../support/foreign-program.js';
import { newPrefix, type RedisServer, startRedis } from '../support/redis.js';
import { send } from '../support/service.js';

testsWith('redis').describe('a schema over the limit of another process', () => {
  let redis: RedisServer;
  let generous: Service;
  let strict: Service;
  beforeAll(async () => {
    redis = await startRedis();
    const options = { stateUrl: redis.url, statePrefix: newPrefix() };
    generous = await createService({ ...options, schemaParts: 20_000 });
    strict = await createService(options);
  });
  afterAll(async () => {
    await Promise.all([generous.close(), strict.close()]);
    await redis.close();
  });

  const names = Array.from({ length: 10_000 }, (_, index) => `n${index}`);
  const data = {
    $schemas: { checked: { properties: { a: { items: { required: names } } } } },
    checked: [{ id: 1 }],
    free: [{ id: 1 }],
  };

  test('makes only its collection read-only', async () => {
    const headers = { 'X-Sandbox': 'stored' };
    const put = { headers, json: data };
    const rejected = await send(strict.url, 'PUT /api/sandbox/data', put);
    expect(rejected.status).toBe(400);
    expect(rejected.json.errors[0].field).toBe('$schemas');
    expect((await send(generous.url, 'PUT /api/sandbox/data', put)).status).toBe(200);

    const ask = (target: string, json?: unknown) =>
      send(strict.url, target, { headers, ...(json !== undefined && { json }) });
    for (const [target, body] of [
      ['POST /my/checked', { a: [{}] }],
      ['PUT /my/checked/1', {}],
      ['PATCH /my/checked/1', {}],
    ] as const) {
      const { status, json } = await ask(target, body);
      expect([target, status]).toEqual([target, 409]);
      expect(json.message).toContain('$schemas have more than 2000 parts');
      expect(json.message).toContain('PUT /api/sandbox/data');
    }
    const batch = await ask('POST /my/checked/batch', {
      operations: [{ method: 'POST', body: { a: [{}] } }],
    });
    expect(batch.json.results[0].status).toBe(409);

    expect((await ask('GET /my/checked')).json).toEqual([{ id: 1 }]);
    expect((await ask('GET /my')).json.collections).toHaveLength(2);
    expect((await ask('GET /api/sandbox/data')).json).toEqual(data);
    const described = (await ask('GET /my/openapi.json')).json.components.schemas;
    expect(described.checked.properties).toEqual({ id: { type: 'integer' } });
    expect((await ask('POST /my/free', { a: 1 })).status).toBe(201);
    expect((await ask('DELETE /my/checked/1')).status).toBe(204);
    const other = await send(generous.url, 'POST /my/checked', { headers, json: {} });
    expect(other.status).toBe(201);
    expect((await ask('PUT /api/sandbox/data', { checked: [] })).status).toBe(200);
    expect((await ask('POST /my/checked', {})).status).toBe(201);
  });
});
