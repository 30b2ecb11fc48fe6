import { describe, expect, test } from 'vitest';
import { createService } from '../../src/index.js';
import { fetchMetrics } from '../operations/fetch-metrics.js';
import { send as sendTo, useService } from '../support/service.js';

const { send } = useService();

describe('a simulated failure', () => {
  test.each([400, 401, 403, 404, 405, 407, 418, 426, 429, 500, 502, 503, 504])(
    'of %i has the error shape and the mark',
    async (status) => {
      const answer = await send(`GET /api/sandbox?error=${status}`);
      expect(answer.status).toBe(status);
      expect(answer.headers['x-simulated']).toBe('true');
      expect(answer.json.message).toBe(`This failure was asked for by ?error=${status}.`);
    },
  );

  test.each([
    [401, 'www-authenticate'],
    [405, 'allow'],
    [407, 'proxy-authenticate'],
    [426, 'upgrade'],
    [429, 'retry-after'],
    [503, 'retry-after'],
  ])('of %i comes with %s', async (status, header) => {
    expect((await send(`GET /api/sandbox?error=${status}`)).headers[header]).toBeTruthy();
  });

  test('of 429 says in its body as well when to come back', async () => {
    const { headers, json } = await send('GET /api/sandbox?error=429');
    expect(json.retryAfter).toBe(Number(headers['retry-after']));
  });

  test('of 405 allows what the path takes', async () => {
    const { headers } = await send('GET /api/Events/1?error=405');
    expect(headers.allow).toBe('DELETE, GET, HEAD, PATCH, PUT');
  });

  test('reaches an area before it does anything', async () => {
    const headers = { 'x-sandbox': 'untouched' };
    const failed = await send('PUT /api/sandbox/clock?error=503', {
      headers,
      json: { offsetSeconds: 5 },
    });
    expect(failed.status).toBe(503);
    expect((await send('GET /api/sandbox', { headers })).json.isPristine).toBe(true);
  });

  test.each(['/', '/health', '/health/ready'])('is not for %s', async (path) => {
    expect((await send(`GET ${path}?error=500&delay=10`)).status).toBe(200);
  });
});

describe('a simulated delay', () => {
  test('is marked, and then all is as ever', async () => {
    const startedAt = performance.now();
    const { status, headers, json } = await send('GET /api/sandbox?delay=0.2');
    expect(performance.now() - startedAt).toBeGreaterThan(190);
    expect(status).toBe(200);
    expect(headers['x-simulated']).toBe('true');
    expect(json.name).toBe('shared');
  });

  test('can come before a failure', async () => {
    const { status } = await send('GET /api/sandbox?delay=0.01&error=504');
    expect(status).toBe(504);
  });

  test('ends early when the service stops', async () => {
    // Of the service itself, which says what it holds; a proxy keeps that to itself.
    const service = await createService({ metrics: 'on' });
    const delayed = sendTo(service.url, 'GET /api/sandbox?delay=10');
    const heldRequests = async () =>
      (await fetchMetrics(service.url)).samples('practice_api_held_requests');
    await expect.poll(heldRequests).toEqual([1]);
    const startedAt = performance.now();
    await service.close();
    expect((await delayed).status).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(9000);
  });
});

describe('a parameter that is malformed', () => {
  test.each([
    ['delay=11', 'delay'],
    ['delay=soon', 'delay'],
    ['error=200', 'error'],
    ['error=500&error=503', 'error'],
  ])('%s is refused and named', async (query, field) => {
    const { status, headers, json } = await send(`GET /api/sandbox?${query}`);
    expect(status).toBe(400);
    expect(headers).not.toHaveProperty('x-simulated');
    expect(json.errors[0].field).toBe(field);
  });

  test('is echoed where parameters of any value are taken', async () => {
    const { status, json } = await send('GET /api/methods/get?error=access_denied&delay=soon');
    expect(status).toBe(200);
    expect(json.query).toEqual({ error: 'access_denied', delay: 'soon' });
    expect((await send('GET /api/methods/get?error=502')).status).toBe(502);
  });
});
