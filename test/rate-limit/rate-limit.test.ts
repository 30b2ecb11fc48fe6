import { type Item, parseList } from 'structured-headers';
import { describe, expect, test } from 'vitest';
import { createService, isProxied } from '../support/create-service.js';
import { requestText, sendAll } from '../support/raw-connection.js';
import { send, useService } from '../support/service.js';

const startMs = Date.parse('2027-01-01T00:00:00.250Z');
let nowMs = startMs;
const service = useService({ now: () => nowMs });

const as = (id: string) => ({ headers: { 'X-Client-Id': id } });
const hit = (id: string, query = '') => service.send(`GET /api/RateLimit${query}`, as(id));
const statusOf = async (id: string) =>
  (await service.send('GET /api/RateLimit/status', as(id))).json;
const figures = ({ headers }: { headers: NodeJS.Dict<string | string[]> }) =>
  ['limit', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}`]);

test('five requests of a window pass and are counted down, the sixth is rejected', async () => {
  nowMs = startMs;
  const reset = String(Math.ceil((startMs + 60_000) / 1000));
  for (let used = 1; used <= 5; used++) {
    const response = await hit('walker');
    expect(response.status).toBe(200);
    expect(response.json).toEqual({
      message: expect.any(String),
      clientId: 'id:walker',
      used,
      remaining: 5 - used,
      limit: 5,
      windowSeconds: 60,
    });
    expect(figures(response)).toEqual(['5', String(5 - used), reset]);
    expect(response.headers).not.toHaveProperty('retry-after');
    nowMs += 1000;
  }
  const rejected = await hit('walker');
  expect(rejected.status).toBe(429);
  expect(figures(rejected)).toEqual(['5', '0', reset]);
  expect(rejected.headers['retry-after']).toBe('55');
  expect(rejected.json).toEqual({
    status: 429,
    error: 'Too Many Requests',
    message: expect.stringContaining('55 s'),
    retryAfter: 55,
  });
});

test('a client that waits as long as Retry-After says is served, and not a second earlier', async () => {
  nowMs = startMs;
  for (let request = 0; request < 5; request++) await hit('patient');
  nowMs += 100;
  const rejected = await hit('patient');
  nowMs += (rejected.json.retryAfter - 1) * 1000;
  expect((await hit('patient')).status).toBe(429);
  nowMs += 1000;
  const next = await hit('patient');
  expect(next.status).toBe(200);
  expect(next.json.used).toBe(1);
});

test.each([
  ['?limit=0', 400],
  ['?error=500', 500],
  ['?error=429', 429],
  ['?error=lots', 400],
])('uncounted responses have the rate headers: %s', async (query, expected) => {
  nowMs = startMs;
  const client = `failing${query}`;
  await hit(client);
  const failed = await hit(client, query);
  expect(failed.status).toBe(expected);
  const reset = String(Math.ceil((startMs + 60_000) / 1000));
  expect(figures(failed)).toEqual(['5', '4', reset]);
  expect((await hit(client)).json.used).toBe(2);
});

test('a caller without a sandbox gets no rate headers', async () => {
  const headers = { 'X-Sandbox': 'no name' };
  const response = await service.send('GET /api/RateLimit', { headers });
  expect(response.status).toBe(400);
  expect(response.json.message).toContain('Invalid X-Sandbox');
  expect(response.headers).not.toHaveProperty('x-ratelimit-limit');
});

test('X-RateLimit-Reset is the time when the window is over', async () => {
  nowMs = startMs;
  const { headers } = await hit('clockwatcher');
  nowMs = Number(headers['x-ratelimit-reset']) * 1000;
  expect((await statusOf('clockwatcher')).used).toBe(0);
});

test('rejected requests are not counted', async () => {
  nowMs = startMs;
  for (let request = 0; request < 12; request++) await hit('eager');
  expect(await statusOf('eager')).toEqual({
    clientId: 'id:eager',
    used: 5,
    remaining: 0,
    limit: 5,
    resetsInSeconds: 60,
  });
});

test('of 40 concurrent requests of one client exactly five pass', async () => {
  const responses = await Promise.all(Array.from({ length: 40 }, () => hit('crowd')));
  const passed = responses.filter(({ status }) => status === 200);
  expect(passed).toHaveLength(5);
  expect(passed.map(({ json }) => json.remaining).sort()).toEqual([0, 1, 2, 3, 4]);
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(35);
});

describe('the status', () => {
  test('opens no window and has no rate headers', async () => {
    nowMs = startMs;
    const untouched = {
      clientId: 'id:watcher',
      used: 0,
      remaining: 5,
      limit: 5,
      resetsInSeconds: 0,
    };
    expect(await statusOf('watcher')).toEqual(untouched);
    nowMs += 30_000;
    await hit('watcher');
    const { json, headers } = await service.send('GET /api/RateLimit/status', as('watcher'));
    expect(json).toEqual({ ...untouched, used: 1, remaining: 4, resetsInSeconds: 60 });
    for (const name of Object.keys(headers)) expect(name).not.toMatch(/^x-ratelimit|retry-after/);
    nowMs += 60_000;
    expect(await statusOf('watcher')).toEqual(untouched);
  });
});

test('a reset clears only the window of its caller', async () => {
  nowMs = startMs;
  for (let request = 0; request < 6; request++) await Promise.all([hit('a'), hit('b')]);
  const { status, json, headers } = await service.send('POST /api/RateLimit/reset', as('a'));
  expect(status).toBe(200);
  expect(json).toEqual({ message: expect.any(String), clientId: 'id:a' });
  expect(Object.keys(headers).join()).not.toContain('x-ratelimit');
  expect((await hit('a')).json.remaining).toBe(4);
  expect((await hit('b')).status).toBe(429);
  const again = await service.send('POST /api/RateLimit/reset', {
    headers: { 'X-Client-Id': 'new' },
  });
  expect(again.status).toBe(200);
});

describe('other limits', () => {
  test('apply to the window that they open; the next window has the default again', async () => {
    nowMs = startMs;
    const first = await hit('tuner', '?limit=2&window=3');
    expect(first.json).toMatchObject({ used: 1, remaining: 1, limit: 2, windowSeconds: 3 });
    expect((await hit('tuner')).json).toMatchObject({ used: 2, limit: 2, windowSeconds: 3 });
    const rejected = await hit('tuner', '?limit=100&window=100');
    expect(rejected.status).toBe(429);
    expect(figures(rejected)[0]).toBe('2');
    expect(await statusOf('tuner')).toMatchObject({ used: 2, limit: 2, resetsInSeconds: 3 });
    nowMs += 3000;
    expect((await hit('tuner')).json).toMatchObject({ used: 1, limit: 5, windowSeconds: 60 });
  });

  test.each([
    ['limit=0', 'limit', 'from 1 to 1000'],
    ['limit=1001', 'limit', 'from 1 to 1000'],
    ['limit=x', 'limit', 'from 1 to 1000'],
    ['window=0', 'window', 'from 1 to 3600'],
    ['window=3601', 'window', 'from 1 to 3600'],
    ['window=1.5', 'window', 'from 1 to 3600'],
  ])('?%s are 400, and no request is counted', async (query, field, message) => {
    nowMs = startMs;
    const response = await hit('wrong', `?${query}`);
    const { status, json } = response;
    expect(status).toBe(400);
    expect(json.errors).toEqual([{ field, message: expect.stringContaining(message) }]);
    expect(figures(response)).toEqual(['5', '5', String(Math.ceil(startMs / 1000))]);
    expect((await statusOf('wrong')).used).toBe(0);
  });
});

describe('a client', () => {
  test('without an id is identified by its IP address', async () => {
    const { json } = await service.send('GET /api/RateLimit/status');
    expect(json.clientId).toMatch(/^ip:(127\.0\.0\.1|::1)$/);
    const empty = await service.send('GET /api/RateLimit/status', {
      headers: { 'X-Client-Id': '' },
    });
    expect(empty.json.clientId).toBe(json.clientId);
  });

  test('with a long id is identified by its first 256 characters', async () => {
    nowMs = startMs;
    const { json } = await hit(`${'x'.repeat(256)}one`);
    expect(json.clientId).toBe(`id:${'x'.repeat(256)}`);
    expect((await hit(`${'x'.repeat(256)}two`)).json.used).toBe(2);
  });

  test.each(['__proto__', 'constructor', 'hasOwnProperty', 'ip:127.0.0.1'])(
    'may be called %s',
    async (id) => {
      nowMs = startMs;
      expect((await hit(id)).json).toMatchObject({ clientId: `id:${id}`, used: 1 });
    },
  );

  // The proxy of the tests sets the client itself.
  test.skipIf(isProxied)(
    'is not identified by X-Forwarded-For unless the proxy is trusted',
    async () => {
      const headers = { 'X-Forwarded-For': '203.0.113.9' };
      const untrusting = await service.send('GET /api/RateLimit/status', { headers });
      expect(untrusting.json.clientId).not.toContain('203.0.113.9');
      for (const [trustProxy, isBelieved] of [
        [true, true],
        [['127.0.0.1', '::1'], true],
        [['10.0.0.0/8'], false],
      ] as const) {
        const trusting = await createService({ trustProxy });
        try {
          const { json } = await send(trusting.url, 'GET /api/RateLimit/status', { headers });
          expect(json.clientId === 'ip:203.0.113.9').toBe(isBelieved);
        } finally {
          await trusting.close();
        }
      }
    },
  );
});

test('HEAD counts like GET', async () => {
  nowMs = startMs;
  const { status, headers } = await service.send('HEAD /api/RateLimit', as('header'));
  expect(status).toBe(200);
  expect(headers['x-ratelimit-remaining']).toBe('4');
  expect((await statusOf('header')).used).toBe(1);
});

test.each([
  ['POST /api/RateLimit', 'GET, HEAD'],
  ['POST /api/RateLimit/status', 'GET, HEAD'],
  ['GET /api/RateLimit/reset', 'POST'],
])('%s is 405, and %s are allowed', async (target, allow) => {
  const { status, headers } = await service.send(target);
  expect(status).toBe(405);
  expect(headers.allow).toBe(allow);
});

test('beyond 10,000 clients the one with the oldest window is dropped', async () => {
  nowMs = startMs;
  const many = await createService({ now: () => nowMs });
  try {
    const of = (id: string) => send(many.url, 'GET /api/RateLimit', as(id));
    await of('oldest');
    const requests = Array.from({ length: 10_000 }, (_, index) =>
      requestText('GET /api/RateLimit', as(`client ${index}`).headers),
    );
    const quarters = [0, 1, 2, 3].map((quarter) => requests.slice(2500 * quarter).slice(0, 2500));
    await Promise.all(quarters.map((each) => sendAll(many.url, each, 200)));
    expect((await of('client 9999')).json.used).toBe(2);
    expect((await of('oldest')).json.used).toBe(1);
  } finally {
    await many.close();
  }
}, 180_000);

describe('other forms of the headers', () => {
  test('ietf sends structured fields', async () => {
    nowMs = startMs;
    for (const remaining of [1, 0, 0]) {
      const { status, headers } = await hit('structured', '?headers=ietf&limit=2&window=30');
      const [[policy, figures]] = parseList(String(headers['ratelimit-policy'])) as [Item];
      expect([policy, Object.fromEntries(figures)]).toEqual(['default', { q: 2, w: 30 }]);
      const [[name, left]] = parseList(String(headers.ratelimit)) as [Item];
      const seconds = Math.ceil((startMs + 30_000 - nowMs) / 1000);
      expect([name, Object.fromEntries(left)]).toEqual(['default', { r: remaining, t: seconds }]);
      expect(headers).not.toHaveProperty('x-ratelimit-limit');
      if (status === 429) expect(headers['retry-after']).toBe(String(seconds));
      nowMs += 1500;
    }
  });

  test('seconds sends the time until the reset', async () => {
    nowMs = startMs;
    for (const reset of ['60', '60', '59']) {
      const response = await hit('counting', '?headers=seconds');
      expect(figures(response)[2]).toBe(reset);
      expect(response.headers).not.toHaveProperty('ratelimit');
      nowMs += 600;
    }
  });

  test.each(['?headers=ietf&limit=0', '?headers=ietf&error=503', '?headers=ietf&window=x'])(
    'failures that are not counted have them too: %s',
    async (query) => {
      const { status, headers } = await hit('failing', query);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(headers.ratelimit).toMatch(/^"default";r=5;t=\d+$/);
    },
  );

  test.each(['other', 'x&headers=ietf', ''])(
    'headers=%s is 400, with the usual ones',
    async (form) => {
      const response = await hit('wrong', `?headers=${form}`);
      expect(response.status).toBe(400);
      expect(response.json.message).toContain('headers must be');
      expect(response.headers['x-ratelimit-limit']).toBe('5');
    },
  );
});
