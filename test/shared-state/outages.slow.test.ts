/** The responses to a caller while the server of the shared state is unavailable. */

import { EventSource } from 'eventsource';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import { testsWith } from '../support/foreign-program.js';
import { newPrefix, type RedisServer, startRedis } from '../support/redis.js';
import { send } from '../support/service.js';

testsWith('redis').describe('while the server of the state is unavailable', () => {
  let redis: RedisServer;
  let service: Service;

  beforeEach(async () => {
    redis = await startRedis({ isDurable: true });
    service = await createService({ stateUrl: redis.url, statePrefix: newPrefix() });
  });
  afterEach(async () => {
    await service.close();
    await redis.close();
  });

  const call = (target: string, options?: Parameters<typeof send>[2]) =>
    send(service.url, target, options);
  const readiness = () =>
    expect.poll(async () => (await call('GET /health/ready')).status, { timeout: 10_000 });

  async function stop(): Promise<void> {
    await redis.stop();
    await readiness().toBe(503);
  }
  async function start(): Promise<void> {
    await redis.start();
    await readiness().toBe(200);
  }

  test('requests that need the store get 503 and Retry-After, others their response', async () => {
    await stop();
    for (const target of ['GET /api/RateLimit', 'GET /api/events', 'POST /api/webhooks/bins']) {
      const { status, headers, json } = await call(target);
      expect(status, target).toBe(503);
      expect(headers['retry-after']).toBe('1');
      expect(json).toEqual({
        status: 503,
        error: 'Service Unavailable',
        message: 'The state of the service is unavailable right now. Try again in a moment.',
      });
    }
    expect((await call('GET /health')).status).toBe(200);
    expect((await call('GET /api/methods/get')).status).toBe(200);
    expect((await call('GET /api/pagination/offset')).status).toBe(200);
    await start();
    expect((await call('GET /api/RateLimit')).json.used).toBe(1);
  });

  test.each(['application/json', 'application/graphql-response+json'])(
    'GraphQL responds to %s with 503 and a code',
    async (accept) => {
      const ask = (query: string) =>
        call('POST /graphql', { headers: { accept }, json: { query } });
      const query = '{ users { id } }';
      expect((await ask(query)).status).toBe(200);
      await stop();
      // The second and third run of a document use other code than the first.
      for (const each of [query, query, 'mutation { toggleTodo(id: 1) { completed } }']) {
        const { status, headers, json } = await ask(each);
        expect(status).toBe(503);
        expect(headers['retry-after']).toBe('1');
        expect(headers['content-type']).toContain(accept);
        expect(json).toEqual({
          errors: [
            {
              message: 'The state of the service is unavailable right now. Try again in a moment.',
              extensions: { code: 'STATE_UNAVAILABLE' },
            },
          ],
        });
      }
      expect((await ask('{ __typename }')).status).toBe(200);
      await start();
      expect((await ask(query)).status).toBe(200);
    },
  );

  test('streams stay open and resume where they were', async () => {
    const { json: bin } = await call('POST /api/webhooks/bins');
    const source = new EventSource(`${service.url}/api/webhooks/bins/${bin.id}/events`);
    const seen: string[] = [];
    let opened = 0;
    source.onopen = () => {
      opened += 1;
    };
    source.onmessage = ({ data }) => void seen.push(JSON.parse(data).body);
    await expect.poll(() => opened).toBe(1);
    await call(`POST /api/webhooks/${bin.id}`, { body: 'before' });
    await expect.poll(() => seen).toEqual(['before']);
    await stop();
    expect((await call(`POST /api/webhooks/${bin.id}`, { body: 'meanwhile' })).status).toBe(503);
    await start();
    await call(`POST /api/webhooks/${bin.id}`, { body: 'after' });
    await expect.poll(() => seen).toEqual(['before', 'after']);
    expect(opened).toBe(1);
    source.close();
  });

  test('a service that waits for the store at the start ends on a signal', async () => {
    await stop();
    const starting = createService({
      stateUrl: redis.url,
      signal: AbortSignal.timeout(200),
    });
    await expect(starting).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('the service stops as fast as usual', async () => {
    await stop();
    await service.close();
  });
});
