import { afterEach, describe, expect, test } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { createService, type ServiceOptions } from '../../src/index.js';
import { keepAliveClient } from '../support/keep-alive-client.js';
import { rawExchange } from '../support/raw-exchange.js';
import { send, useService } from '../support/service.js';
import { fetchMetrics } from './fetch-metrics.js';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A separate service, so that only the requests of the test are counted. */
async function start(options: ServiceOptions = {}) {
  const service = await createService({ metrics: 'on', ...options });
  closing.push(() => service.close());
  const { url } = service;
  return {
    url,
    send: (target: string, sendOptions = {}) => send(url, target, sendOptions),
    metrics: () => fetchMetrics(url),
  };
}

describe('/metrics', () => {
  const service = useService({ metrics: 'on' });

  test('is in the text format of Prometheus, by GET and HEAD', async () => {
    const response = await service.send('GET /metrics');
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.text).toMatch(/\n$/);
    const line = /^(?:# (?:HELP|TYPE) \w+ .*|\w+(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})? \S+|)$/;
    expect(response.text.split('\n').filter((each) => !line.test(each))).toEqual([]);
    expect((await service.send('HEAD /metrics')).status).toBe(200);
  });

  test('has no label for a sandbox in a URL', async () => {
    const { send: sendTo, metrics } = await start();
    for (let count = 1; count <= 50; count++) await sendTo(`GET /s/suite-${count}/api/Books/1`);
    await sendTo('GET /s/suite-1/nothing');
    await sendTo('GET /s//nothing');
    const { text, samples } = await metrics();
    expect(text).not.toMatch(/suite-|\/s\//);
    expect(samples('practice_api_requests_total', { area: 'resources', status: '200' })).toEqual([
      50,
    ]);
  });

  test('responds to other methods with 405', async () => {
    const { status, headers } = await service.send('POST /metrics');
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  test('reports the version and the state of the process', async () => {
    const { sample, text } = await fetchMetrics(service.url);
    const labels = { version: packageFile.version, node: process.version };
    expect(sample('practice_api_build_info', labels)).toBe(1);
    expect(sample('practice_api_ready')).toBe(1);
    expect(sample('practice_api_connections')).toBeGreaterThan(0);
    expect(sample('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
  });

  test('does not exist unless it is enabled', async () => {
    const { send } = await start({ metrics: 'off' });
    expect((await send('GET /metrics')).status).toBe(404);
  });
});

describe('requests are counted', () => {
  test('by area, method and status', async () => {
    const { send, metrics } = await start();
    await send('GET /api/methods/get');
    await send('GET /API/Methods/get/');
    await send('PATCH /api/Books/1', { json: { title: 7 } });
    await send('GET /nothing-here');
    const { sample } = await metrics();
    const requests = (area: string, method: string, status: string) =>
      sample('practice_api_requests_total', { area, method, status });
    expect(requests('methods', 'GET', '200')).toBe(2);
    expect(requests('resources', 'PATCH', '400')).toBe(1);
    expect(requests('none', 'GET', '404')).toBe(1);
    expect(sample('practice_api_requests_in_flight')).toBe(1);
  });

  test('for the area that has the path, also when no route of it supports them', async () => {
    const { send, metrics } = await start();
    await send('DELETE /api/methods/get');
    await send('OPTIONS /api/Books/1', { headers: { 'access-control-request-method': 'PUT' } });
    await send('GET /api/Books/1', { headers: { 'x-sandbox': 'not a name' } });
    await send('GET /bins', { headers: { 'x-sandbox': 'not a name' } });
    const { sample } = await metrics();
    const requests = (area: string, method: string, status: string) =>
      sample('practice_api_requests_total', { area, method, status });
    expect(requests('methods', 'DELETE', '405')).toBe(1);
    expect(requests('resources', 'OPTIONS', '204')).toBe(1);
    expect(requests('resources', 'GET', '400')).toBe(1);
    expect(requests('pages', 'GET', '400')).toBe(1);
  });

  test('when their URL is malformed, and when they are CONNECT', async () => {
    const { url, send, metrics } = await start();
    await rawExchange(url, 'GET /%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await send('CONNECT /api/methods/any');
    const { sample, text } = await metrics();
    expect(
      sample('practice_api_requests_total', { area: 'none', method: 'GET', status: '400' }),
    ).toBe(1);
    expect(text).toMatch(/^practice_api_requests_total\{.*method="OTHER",status="200"\} 1$/m);
    expect(sample('practice_api_requests_in_flight')).toBe(1);
  });

  test('with labels that no caller can invent', async () => {
    const { url, send, metrics } = await start();
    const { json: bin } = await send('POST /api/webhooks/bins');
    const client = await keepAliveClient(url);
    const paths = [
      ...[218, 599].map((status) => `/api/webhooks/${bin.id}?status=${status}`),
      ...[498, 499].map((status) => `/api/methods/any?error=${status}`),
    ];
    for (const method of ['PURGE', 'MKCOL', 'REPORT']) {
      for (const path of paths) await client.send({ method, path, headers: [], body: '' });
    }
    client.close();
    const { labels } = await metrics();
    const found = labels('practice_api_requests_total');
    expect(new Set(found.map(({ method }) => method))).toEqual(new Set(['POST', 'OTHER']));
    for (const { status } of found) expect(status).toMatch(/^(?:201|2xx|4xx|5xx)$/);
  });

  test('as aborted when their client disconnects before the response', async () => {
    const { url, metrics } = await start();
    const cut = new AbortController();
    const request = fetch(`${url}/api/methods/get?delay=10`, { signal: cut.signal });
    await expect.poll(async () => (await metrics()).sample('practice_api_held_requests')).toBe(1);
    expect((await metrics()).sample('practice_api_requests_in_flight')).toBe(2);
    cut.abort();
    await expect(request).rejects.toThrow();
    const aborted = { area: 'methods', method: 'GET', status: 'aborted' };
    await expect
      .poll(async () => (await metrics()).sample('practice_api_requests_total', aborted))
      .toBe(1);
    expect((await metrics()).sample('practice_api_requests_in_flight')).toBe(1);
  });
});

describe('durations', () => {
  const bucket = 'practice_api_request_duration_seconds_bucket';
  const count = 'practice_api_request_duration_seconds_count';

  test('are counted by area, in cumulative buckets', async () => {
    const { send, metrics } = await start();
    for (let sent = 0; sent < 20; sent += 1) await send('GET /api/Books/1');
    const { samples, sample } = await metrics();
    const buckets = samples(bucket, { area: 'resources' });
    expect(buckets).toHaveLength(15);
    expect(buckets).toEqual([...buckets].sort((a, b) => a - b));
    expect(buckets.at(-1)).toBe(20);
    expect(sample(count, { area: 'resources' })).toBe(20);
    expect(
      sample('practice_api_request_duration_seconds_sum', { area: 'resources' }),
    ).toBeGreaterThan(0);
  });

  test('exclude responses that are slow on request: streams and simulated delays', async () => {
    const { url, send, metrics } = await start();
    await send('GET /api/Books/1?delay=0.1');
    const { json: bin } = await send('POST /api/webhooks/bins');
    const cut = new AbortController();
    await fetch(`${url}/api/webhooks/bins/${bin.id}/events`, { signal: cut.signal });
    expect((await metrics()).sample('practice_api_held_requests')).toBe(1);
    cut.abort();
    await expect.poll(async () => (await metrics()).sample('practice_api_held_requests')).toBe(0);
    const { sample } = await metrics();
    expect(sample(count, { area: 'resources' })).toBe(0);
    expect(sample(count, { area: 'bins' })).toBe(1);
    const stream = { area: 'bins', method: 'GET', status: '200' };
    expect(sample('practice_api_requests_total', stream)).toBe(1);
  });
});

test('the state reports its size', async () => {
  const { send, metrics } = await start();
  const before = (await metrics()).sample('practice_api_state_sandboxes') ?? 0;
  await send('PATCH /api/Books/1', { json: { title: 'x' }, headers: { 'x-sandbox': 'one' } });
  const { json: bin } = await send('POST /api/webhooks/bins', { headers: { 'x-sandbox': 'two' } });
  await send(`POST /api/webhooks/${bin.id}`, { body: 'x'.repeat(5000) });
  const { sample } = await metrics();
  expect(sample('practice_api_state_sandboxes')).toBe(before + 2);
  expect(sample('practice_api_state_value_bytes')).toBeGreaterThan(100);
  // The request, and the change of the book.
  expect(sample('practice_api_state_captures')).toBe(2);
  expect(sample('practice_api_state_capture_bytes')).toBeGreaterThan(5000);
});

describe('with a token', () => {
  const metricsToken = 'scrapers-only-0123456789';
  const service = useService({ metrics: 'on', metricsToken });

  test.each([
    [undefined, 'Bearer realm="metrics"'],
    ['Basic c2NyYXBlcg==', 'Bearer realm="metrics"'],
    ['Bearer wrong', 'Bearer realm="metrics", error="invalid_token"'],
    [`Bearer ${metricsToken}x`, 'Bearer realm="metrics", error="invalid_token"'],
  ])('Authorization %s is rejected with a challenge', async (authorization, challenge) => {
    const headers: Record<string, string> = authorization ? { authorization } : {};
    const response = await service.send('GET /metrics', { headers });
    expect(response.status).toBe(401);
    expect(response.headers['www-authenticate']).toBe(challenge);
    expect(response.text).not.toContain('practice_api_');
  });

  test('the right token returns the metrics', async () => {
    const headers = { authorization: `bearer ${metricsToken}` };
    const { status, text } = await service.send('GET /metrics', { headers });
    expect(status).toBe(200);
    expect(text).toContain('practice_api_requests_total');
  });
});
