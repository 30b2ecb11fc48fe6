import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch as undiciFetch } from 'undici';
import { describe, expect, test } from 'vitest';
import type { GivenRule } from '../../src/faults/plan/fault-plan.js';
import { isProxied } from '../support/create-service.js';
import { requestText, sendAll } from '../support/raw-connection.js';
import { type SendOptions, useService } from '../support/service.js';

const service = useService();
const { send } = service;

async function plan(...rules: GivenRule[]) {
  const headers = { 'x-sandbox': `log-${randomUUID()}` };
  const { status, text } = await send('PUT /api/sandbox/faults', { headers, json: { rules } });
  expect(status, text).toBe(200);
  return headers;
}

type Headers = Readonly<Record<string, string>>;
const log = async (headers: Headers, query = '') =>
  (await send(`GET /api/sandbox/faults/log${query}`, { headers })).json;
const ask = (headers: Headers, target = 'GET /api/Books/1', options: SendOptions = {}) =>
  send(target, { ...options, headers: { ...headers, ...(options.headers as Headers) } });

describe('the log', () => {
  test('lists each attempt, and judges the series', async () => {
    const startedAtMs = Date.now();
    const headers = await plan({
      name: 'twice',
      sequence: [{ status: 503 }, { delayMs: 5, status: 500 }],
    });
    const options = { headers: { 'idempotency-key': 'k-1' }, body: 'same' };
    for (const wait of [20, 200, 0]) {
      await ask(headers, 'POST /api/methods/post?secret=1', options);
      await sleep(wait);
    }
    const { attempts, series } = await log(headers);
    const common = {
      method: 'POST',
      path: '/api/methods/post',
      rule: 'twice',
      idempotencyKey: 'k-1',
      connectionReused: expect.any(Boolean),
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      requestId: expect.any(String),
    };
    expect(attempts).toEqual([
      { ...common, id: expect.any(Number), attempt: 1, gapMs: null, fault: { status: 503 } },
      {
        ...common,
        id: expect.any(Number),
        attempt: 2,
        gapMs: expect.any(Number),
        fault: { status: 500, delayMs: 5 },
      },
      { ...common, id: expect.any(Number), attempt: 3, gapMs: expect.any(Number), fault: null },
    ]);
    expect(Date.parse(attempts[0].time)).toBeGreaterThanOrEqual(startedAtMs);
    expect(attempts[1].gapMs).toBeGreaterThanOrEqual(19);
    expect(series).toEqual([
      {
        method: 'POST',
        path: '/api/methods/post',
        idempotencyKey: 'k-1',
        verdict: {
          retried: true,
          succeeded: true,
          honouredRetryAfter: null,
          backedOff: expect.toBeOneOf([true, null]),
          jittered: null,
          gaveUpAfter: null,
          repeatedUnsafely: false,
          sameBody: true,
        },
      },
    ]);
  });

  test('distinguishes honoured Retry-After from ignored', async () => {
    const headers = await plan({ sequence: [{ status: 503, retryAfter: 1 }] });
    await ask(headers);
    await sleep(1010);
    await ask(headers);
    await ask(headers, 'GET /api/Books/2');
    const { series } = await log(headers);
    expect(series[0].verdict.honouredRetryAfter).toMatchObject({ honoured: true, askedMs: 1000 });
    expect(series[0].verdict.honouredRetryAfter.waitedMs).toBeGreaterThanOrEqual(1000);
    expect(series[1].verdict.honouredRetryAfter).toBeNull();
  });

  test('reports a POST that is repeated unsafely, and another body under one key', async () => {
    const headers = await plan({ sequence: Array(5).fill({ status: 503, after: true }) });
    const target = 'POST /api/methods/any';
    for (const body of ['a', 'a', 'b']) {
      await ask(headers, target, { body });
      await sleep(60);
    }
    for (const body of ['a', 'b']) {
      await ask(headers, 'POST /api/methods/post', { body, headers: { 'idempotency-key': 'k' } });
    }
    const { series } = await log(headers);
    expect(series.map(({ verdict }: { verdict: object }) => verdict)).toMatchObject([
      { repeatedUnsafely: true, sameBody: true, retried: true },
      { repeatedUnsafely: false, sameBody: null, retried: false },
      { repeatedUnsafely: false, sameBody: false, retried: true },
    ]);
  });

  test('compares bodies that are large, chunked, or unread', async () => {
    const headers = await plan({ sequence: [{ status: 503 }, {}] });
    const body = Buffer.alloc(3_000_000, 'x');
    const chunked = { 'transfer-encoding': 'chunked' };
    await ask(headers, 'POST /api/methods/any', { body });
    await ask(headers, 'POST /api/methods/any', { body, headers: chunked });
    expect((await log(headers)).series[0].verdict.sameBody).toBe(true);
    const unread = await plan({ sequence: [{ status: 500 }, {}] });
    await ask(unread, 'DELETE /api/Books/1', { body: 'a' });
    await ask(unread, 'DELETE /api/Books/1', { body: 'b' });
    const bodies = (await log(unread)).series;
    expect(bodies.map(({ verdict }: { verdict: object }) => verdict)).toMatchObject([
      { retried: false, sameBody: null },
      { retried: false, sameBody: null },
    ]);
  });

  test.each<[string, GivenRule['sequence'][number], boolean]>([
    ['a delay', { delayMs: 1 }, true],
    ['a slow response', { slow: 100_000 }, true],
    ['a closed connection', { closeAfter: true }, true],
    ['another type', { contentType: 'text/html' }, false],
    ['truncated JSON', { invalidJson: true }, false],
    ['damaged gzip', { corruptEncoding: 'gzip' }, false],
    ['a lost response', { status: 500, after: true }, false],
  ])('counts %s as a client would see it', async (_name, fault, succeeded) => {
    const headers = await plan({ sequence: [fault] });
    await fetch(`${service.url}/api/Books/1`, { headers })
      .then((response) => response.arrayBuffer())
      .catch(() => {});
    const { attempts, series } = await log(headers);
    expect(attempts[0].fault).toEqual(fault);
    expect(series[0].verdict).toMatchObject({ succeeded, gaveUpAfter: succeeded ? null : 1 });
  });

  test('counts a client that leaves as a failure', async () => {
    const headers = await plan({ sequence: [{ delayMs: 5000 }] });
    const { hostname, port } = new URL(service.url);
    const outgoing = httpRequest({ hostname, port, path: '/api/Books/1', headers });
    outgoing.on('error', () => {});
    outgoing.end();
    await expect
      .poll(async () => (await send('GET /api/sandbox/faults', { headers })).json.rules[0].acted)
      .toBe(1);
    outgoing.destroy();
    await expect.poll(async () => (await log(headers)).series[0]?.verdict.succeeded).toBe(false);
  });

  test.skipIf(isProxied)('reports whether a connection was used before', async () => {
    const headers = await plan({ sequence: [{ status: 500 }], then: 'last' });
    const dispatcher = new Agent({ connections: 1 });
    for (let request = 0; request < 2; request++) {
      const response = await undiciFetch(`${service.url}/api/Books/1`, { headers, dispatcher });
      await response.text();
    }
    await dispatcher.close();
    const { attempts } = await log(headers);
    expect(
      attempts.map(({ connectionReused }: { connectionReused: boolean }) => connectionReused),
    ).toEqual([false, true]);
  });

  test('stores no headers and bodies of planned responses', async () => {
    const headers = await plan({
      sequence: [
        {
          status: 503,
          headers: { 'X-A': '1' },
          body: { status: 503, error: 'Service Unavailable', message: 'x' },
        },
      ],
    });
    await ask(headers);
    expect((await log(headers)).attempts[0].fault).toEqual({ status: 503 });
  });

  test('omits requests that met no rule', async () => {
    const headers = await plan({ match: { path: '/api/Events' }, sequence: [{ status: 500 }] });
    await ask(headers);
    await ask(headers, 'GET /api/Events');
    expect((await log(headers)).attempts).toHaveLength(1);
  });

  test('starts again with another plan, and outlives its end', async () => {
    const headers = await plan({ sequence: [{ status: 500 }] });
    await ask(headers);
    await send('DELETE /api/sandbox/faults', { headers });
    expect((await log(headers)).attempts).toHaveLength(1);
    await send('PUT /api/sandbox/faults', { headers, json: { rules: [] } });
    expect((await log(headers)).attempts).toHaveLength(0);
  });

  test('has the newest thousand', async () => {
    const headers = await plan({ sequence: [{}], then: 'last' });
    const request = requestText('GET /api/methods/get', headers);
    await sendAll(service.url, Array(1100).fill(request), 200);
    await ask(headers, 'GET /api/methods/any');
    const { attempts } = await log(headers);
    expect(attempts).toHaveLength(1000);
    expect(attempts.at(-1).path).toBe('/api/methods/any');
  });

  test('shortens long values', async () => {
    const headers = await plan({ sequence: [{ status: 500 }] });
    await ask(headers, `GET /api/Books/${'1'.repeat(1500)}`, {
      headers: { 'idempotency-key': 'k'.repeat(5000) },
    });
    const [attempt] = (await log(headers)).attempts;
    expect([attempt.path.length, attempt.idempotencyKey.length]).toEqual([500, 500]);
  });
});

describe('polled for more', () => {
  test('returns later attempts', async () => {
    const headers = await plan({ sequence: [{ status: 500 }], then: 'last' });
    await ask(headers);
    const [first] = (await log(headers)).attempts;
    expect(await log(headers, `?after=${first.id}`)).toEqual({ attempts: [], series: [] });
    await ask(headers);
    const later = await log(headers, `?after=${first.id}`);
    expect(later.attempts.map(({ attempt }: { attempt: number }) => attempt)).toEqual([2]);
    expect(later.series[0].verdict.gaveUpAfter).toBe(2);
  });

  test('waits for the next attempt, for a limited time', async () => {
    const headers = await plan({ sequence: [{ status: 500 }], then: 'last' });
    const waiting = log(headers, '?wait=30');
    await sleep(100);
    await ask(headers);
    expect((await waiting).attempts).toHaveLength(1);
    const startedAt = performance.now();
    const { attempts } = await log(headers, '?wait=0.3');
    expect(attempts).toHaveLength(1);
    expect(performance.now() - startedAt).toBeGreaterThan(290);
    expect((await log(headers, '?wait=30&after=1')).attempts).toHaveLength(1);
  });

  test.each(['wait=61', 'wait=x', 'after=-1', 'after=x'])('rejects %s', async (query) => {
    const headers = await plan();
    const { status, json } = await send(`GET /api/sandbox/faults/log?${query}`, { headers });
    expect([status, json.errors[0].field]).toEqual([400, query.split('=')[0]]);
  });
});
