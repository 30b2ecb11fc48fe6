/** One effect for each Idempotency-Key, and for each job, even if replicas fail meanwhile. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import { testsWith } from '../support/foreign-program.js';
import { newPrefix, type RedisServer, startRedis } from '../support/redis.js';
import { endPrograms, type Program, runProgram } from '../support/run-program.js';
import { type HttpResponse, send } from '../support/service.js';

endPrograms();

const book = {
  title: 'Emma',
  author: 'Jane Austen',
  isbn: '9780306406157',
  publishedYear: 1815,
  pages: 474,
};

testsWith('redis').describe('two replicas', () => {
  let redis: RedisServer;
  let lasting: Service;
  let mortal: Program;
  beforeAll(async () => {
    redis = await startRedis();
    const [statePrefix, baseUrl] = [newPrefix(), 'http://api.example.com'];
    mortal = runProgram(['--port', '0', '--host', '127.0.0.1', '--base-url', baseUrl], {
      STATE_URL: redis.url,
      STATE_PREFIX: statePrefix,
    });
    lasting = await createService({ stateUrl: redis.url, statePrefix, baseUrl });
  });
  afterAll(async () => {
    await lasting.close();
    await redis.close();
  });

  test('return the same response to 50 requests with one key, and execute one, even if one is killed', async () => {
    const url = await mortal.started;
    const headers = { 'X-Sandbox': 'once', 'Idempotency-Key': '"8e03978e"' };
    const { token } = (await send(lasting.url, 'GET /api/Books/changes', { headers })).json;
    let isKilled = false;
    /**
     * Retries as a client does: with the same key, on any running replica, until there is a
     * response.
     */
    async function create(firstUrl: string): Promise<HttpResponse> {
      try {
        const response = await send(firstUrl, 'POST /api/Books', { headers, json: book });
        if (!isKilled) mortal.process.kill('SIGKILL');
        isKilled = true;
        return response;
      } catch (error) {
        if (firstUrl === lasting.url) throw error;
        return create(lasting.url);
      }
    }
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => create(index % 2 === 0 ? url : lasting.url)),
    );
    await mortal.ended;
    const contents = responses.map(({ status, text, headers: { etag, location } }) =>
      JSON.stringify({ status, text, etag, location }),
    );
    expect(responses[0]?.status).toBe(201);
    expect(new Set(contents).size).toBe(1);
    const since = `GET /api/Books/changes?since=${token}`;
    expect((await send(lasting.url, since, { headers })).json.changes).toHaveLength(1);
    expect((await send(lasting.url, 'GET /api/Books/count', { headers })).json.count).toBe(26);
  });
});

testsWith('redis').test('a job runs once, though both replicas see that it is due', async () => {
  const redis = await startRedis();
  const options = { stateUrl: redis.url, statePrefix: newPrefix() };
  const services = await Promise.all([createService(options), createService(options)]);
  const [one, other] = services;
  const headers = { 'X-Sandbox': 'jobs', Prefer: 'respond-async' };
  await Promise.all(
    Array.from({ length: 10 }, () =>
      send(one.url, 'POST /api/Books?jobSeconds=60', { headers, json: book }),
    ),
  );
  await send(other.url, 'PUT /api/sandbox/clock', { headers, json: { offsetSeconds: 61 } });
  const counts = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      send(index % 2 === 0 ? one.url : other.url, 'GET /api/Books/count', { headers }),
    ),
  );
  expect(new Set(counts.map(({ json }) => json.count))).toEqual(new Set([35]));
  await Promise.all(services.map((service) => service.close()));
  await redis.close();
});
