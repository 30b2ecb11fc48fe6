import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createService } from '../../src/index.js';
import { fetchMetrics } from '../operations/fetch-metrics.js';
import { type SendOptions, send as sendTo, useService } from '../support/service.js';

const { send } = useService();

describe('a simulated failure', () => {
  test.each([400, 401, 403, 404, 405, 407, 418, 426, 429, 500, 502, 503, 504])(
    'of %i has the error shape and the mark',
    async (status) => {
      const response = await send(`GET /api/sandbox?error=${status}`);
      expect(response.status).toBe(status);
      expect(response.headers['x-simulated']).toBe('true');
      expect(response.json.message).toBe(`Simulated failure: the request has ?error=${status}.`);
    },
  );

  test.each([
    [401, 'www-authenticate'],
    [405, 'allow'],
    [407, 'proxy-authenticate'],
    [426, 'upgrade'],
    [429, 'retry-after'],
    [503, 'retry-after'],
  ])('of %i has %s', async (status, header) => {
    expect((await send(`GET /api/sandbox?error=${status}`)).headers[header]).toBeTruthy();
  });

  test('of 429 repeats Retry-After in its body', async () => {
    const { headers, json } = await send('GET /api/sandbox?error=429');
    expect(json.retryAfter).toBe(Number(headers['retry-after']));
  });

  test('of 405 allows the methods of the path', async () => {
    const { headers } = await send('GET /api/Events/1?error=405');
    expect(headers.allow).toBe('DELETE, GET, HEAD, OPTIONS, PATCH, PUT');
  });

  test('precedes all work of the area', async () => {
    const headers = { 'x-sandbox': 'untouched' };
    const failed = await send('PUT /api/sandbox/clock?error=503', {
      headers,
      json: { offsetSeconds: 5 },
    });
    expect(failed.status).toBe(503);
    expect((await send('GET /api/sandbox', { headers })).json.isPristine).toBe(true);
  });

  test.each(['/', '/health', '/health/ready'])('does not apply to %s', async (path) => {
    expect((await send(`GET ${path}?error=500&delay=10`)).status).toBe(200);
  });
});

describe('a simulated delay', () => {
  test('is marked, and then the normal response follows', async () => {
    const startedAt = performance.now();
    const { status, headers, json } = await send('GET /api/sandbox?delay=0.2');
    expect(performance.now() - startedAt).toBeGreaterThan(190);
    expect(status).toBe(200);
    expect(headers['x-simulated']).toBe('true');
    expect(json.name).toBe('shared');
  });

  test('can precede a failure', async () => {
    const { status } = await send('GET /api/sandbox?delay=0.01&error=504');
    expect(status).toBe(504);
  });

  test('ends early when the service stops', async () => {
    // The service itself reports its held requests; a proxy does not forward that report.
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

describe('a malformed parameter', () => {
  test.each([
    ['delay=11', 'delay'],
    ['delay=soon', 'delay'],
    ['error=200', 'error'],
    ['error=500&error=503', 'error'],
  ])('%s is rejected and named', async (query, field) => {
    const { status, headers, json } = await send(`GET /api/sandbox?${query}`);
    expect(status).toBe(400);
    expect(headers).not.toHaveProperty('x-simulated');
    expect(json.errors[0].field).toBe(field);
  });

  test('is echoed where parameters may have any value', async () => {
    const { status, json } = await send('GET /api/methods/get?error=access_denied&delay=soon');
    expect(status).toBe(200);
    expect(json.query).toEqual({ error: 'access_denied', delay: 'soon' });
    expect((await send('GET /api/methods/get?error=502')).status).toBe(502);
  });
});

describe('a temporary failure', () => {
  const own = () => ({ headers: { 'x-sandbox': `short-${randomUUID()}` } });
  const statuses = async (options: SendOptions, ...targets: string[]) => {
    const seen: number[] = [];
    for (const target of targets) seen.push((await send(target, options)).status);
    return seen;
  };

  test('fails the given number of times, and then succeeds without a mark', async () => {
    const options = own();
    const target = 'GET /api/Books/1?error=503&times=2';
    expect(await statuses(options, target, target)).toEqual([503, 503]);
    const { status, headers } = await send(target, options);
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty('x-simulated');
  });

  test('is counted by method and path, or by its key', async () => {
    const options = own();
    const once = '?error=500&times=1';
    expect(
      await statuses(
        options,
        `GET /api/Books/1${once}`,
        `GET /api/Books/2${once}`,
        `HEAD /api/Books/1${once}`,
      ),
    ).toEqual([500, 500, 500]);
    expect(
      await statuses(options, `GET /api/Books/1${once}&page=2`, `GET /api/Books/1${once}`),
    ).toEqual([200, 200]);
    const keyed = `${once}&key=run1`;
    expect(await statuses(options, `GET /api/Books/1${keyed}`, `GET /api/Books/2${keyed}`)).toEqual(
      [500, 200],
    );
    expect(await statuses(own(), `GET /api/Books/1${keyed}`)).toEqual([500]);
  });

  test('in the shared sandbox is counted by IP address', async () => {
    const target = `GET /api/Books/1?error=503&times=1&key=${randomUUID()}`;
    expect(await statuses({}, target, target)).toEqual([503, 200]);
  });

  test('can be combined with a delay, which continues', async () => {
    const options = own();
    const target = 'GET /api/Books/1?error=503&times=1&delay=0.01';
    expect(await statuses(options, target)).toEqual([503]);
    const { status, headers } = await send(target, options);
    expect([status, headers['x-simulated']]).toEqual([200, 'true']);
  });

  test('is reset with its sandbox', async () => {
    const options = own();
    const target = 'GET /api/Books/1?error=503&times=1';
    expect(await statuses(options, target, target)).toEqual([503, 200]);
    await send('DELETE /api/sandbox', options);
    expect(await statuses(options, target)).toEqual([503]);
  });

  test('of 50 concurrent requests fails exactly the given number', async () => {
    const options = own();
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => send('GET /api/methods/get?error=503&times=17', options)),
    );
    expect(responses.filter(({ status }) => status === 503)).toHaveLength(17);
  });

  test('does not apply to bins', async () => {
    const { json: bin } = await send('POST /api/webhooks/bins');
    expect(await statuses({}, `POST /api/webhooks/${bin.id}?error=503&times=1`)).toEqual([200]);
  });

  test('follows a plan, and is in no log', async () => {
    const options = own();
    const json = { rules: [{ sequence: [{ status: 500 }, {}] }] };
    await send('PUT /api/sandbox/faults', { ...options, json });
    const target = 'GET /api/Books/1?error=503&times=1';
    expect(await statuses(options, target, target, target)).toEqual([500, 503, 200]);
    const { json: log } = await send('GET /api/sandbox/faults/log', options);
    expect(log.attempts.map(({ fault }: { fault: unknown }) => fault)).toEqual([
      { status: 500 },
      null,
      null,
    ]);
  });

  test.each([
    ['error=503&times=0', 'times'],
    ['error=503&times=1001', 'times'],
    ['error=503&times=x', 'times'],
    ['error=503&times=1&times=2', 'times'],
    ['error=503&times=1&key=', 'key'],
    [`error=503&times=1&key=${'k'.repeat(101)}`, 'key'],
  ])('with %s is rejected, and the response names %s', async (query, field) => {
    const { status, json } = await send(`GET /api/Books/1?${query}`, own());
    expect([status, json.errors[0].field]).toEqual([400, field]);
  });
});
