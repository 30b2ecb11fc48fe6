/** The service behind the deployed proxy: it behaves as without one. */

import { Agent, request as httpRequest, type IncomingMessage, METHODS } from 'node:http';
import { connect } from 'node:net';
import { EventSource } from 'eventsource';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import { testsWith } from '../support/foreign-program.js';
import { type RunningProxy, startProxy } from '../support/proxy.js';
import { rawExchange } from '../support/raw-exchange.js';
import { endPrograms, runProgram } from '../support/run-program.js';
import { send } from '../support/service.js';

endPrograms();

const { isInstalled, test } = testsWith('haproxy');
const mebibyte = 1024 * 1024;

describe('behind the proxy', () => {
  let services: Service[] = [];
  let proxy: RunningProxy | undefined;
  beforeAll(async () => {
    if (!isInstalled) return;
    const options = { trustProxy: ['127.0.0.1'], metrics: 'on' } as const;
    services = await Promise.all([createService(options), createService(options)]);
    proxy = await startProxy(services.map(({ url }) => url));
  });
  afterAll(async () => {
    await proxy?.stop();
    for (const service of services) await service.close();
  });
  const url = () => proxy?.url ?? '';
  const sendThere = (target: string, options = {}) => send(url(), target, options);

  test('links begin with the base URL that the caller used', async () => {
    const { json } = await sendThere('GET /', { headers: { host: 'api.example.com:8443' } });
    expect(json.areas[0].start).toMatch(/^http:\/\/api\.example\.com:8443\//);
  });

  test('forwarding headers of callers are ignored', async () => {
    const headers = {
      forwarded: 'for=203.0.113.7',
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
    };
    const any = await sendThere('GET /api/methods/any', { headers });
    expect(any.json.ip).toBe('127.0.0.1');
    expect(any.json.headers).not.toHaveProperty('forwarded');
    const { json } = await sendThere('GET /', { headers });
    expect(json.areas[0].start).toMatch(/^http:\/\/127\.0\.0\.1:/);
  });

  test("the caller's IP address is logged, not the proxy's", async () => {
    const { hostname, port, host } = new URL(url());
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { host };
      const options = {
        hostname,
        port,
        path: '/api/RateLimit',
        headers,
        localAddress: '127.0.0.9',
      };
      httpRequest(options, resolve).on('error', reject).end();
    });
    let text = '';
    for await (const chunk of response) text += chunk;
    expect(JSON.parse(text).clientId).toBe('ip:127.0.0.9');
  });

  const passed = METHODS.filter((method) => method !== 'CONNECT');
  test.each(passed)(
    '%s passes, and gets the same response as without the proxy',
    async (method) => {
      const any = await sendThere(`${method} /api/methods/any`);
      expect(any.status).toBe(200);
      if (method === 'TRACE') expect(any.text).toMatch(/^TRACE \/api\/methods\/any HTTP/);
      else if (method !== 'HEAD') expect(any.json.method).toBe(method);
      const { status, headers } = await sendThere(`${method} /api/methods/put`);
      if (method === 'PUT') expect(status).toBe(200);
      else expect([status, headers.allow]).toEqual([405, 'PUT']);
    },
  );

  test.each([
    '/metrics',
    '//metrics',
    '/METRICS',
    '/metrics/',
    '/metrics?a=1',
    '/%6detrics',
    '/%4Detrics/',
    '*metrics',
    'metrics',
    'http://x/metrics',
    'HTTP://x//metrics',
    'http://x:80/%6Detrics?',
    'http://x',
    'http:///metrics',
    'ftp://x/metrics',
    '/a/../metrics',
    '/./metrics',
    '/metrics;a',
    '/metrics%20',
    '/metrics%2f',
    '/%256detrics',
  ])('metrics are unavailable at %s', async (target) => {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      const { head, body } = await rawExchange(
        url(),
        `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      expect(head).not.toMatch(/^content-type: text\/plain; version/im);
      expect(body).not.toContain('# HELP');
    }
  });

  test.each([
    [
      'CONNECT, which requests a tunnel from a proxy',
      'CONNECT /api/methods/any HTTP/1.1\r\nHost: a\r\n\r\n',
    ],
    ['a request that is not HTTP', 'nonsense\r\n\r\n'],
  ])('%s does not pass: the proxy itself responds with 400', async (_what, bytes) => {
    expect((await rawExchange(url(), bytes)).status).toBe(400);
  });

  test('the service, not the proxy, rejects headers that are too large, and explains', async () => {
    const head = `GET /api/methods/get HTTP/1.1\r\nHost: a\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`;
    const { status, body } = await rawExchange(
      url(),
      head.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
    );
    expect(status).toBe(431);
    expect(JSON.parse(body).message).toContain('16 KiB');
  });

  test('a body of many megabytes passes, and a larger one is rejected', async () => {
    const { json } = await sendThere('POST /api/methods/post', { body: 'x'.repeat(9 * mebibyte) });
    expect(json).toMatchObject({ bodyLength: 9 * mebibyte, bodyTruncated: true });
    const rejected = await sendThere('POST /api/methods/post', { body: 'x'.repeat(11 * mebibyte) });
    expect(rejected.status).toBe(413);
  });

  test('a caller that expects 100 gets it, or is rejected before it sends', async () => {
    const expecting = (size: number) =>
      new Promise<{ wasToldToGoOn: boolean; status: number }>((resolve, reject) => {
        let wasToldToGoOn = false;
        const headers = { expect: '100-continue', 'content-length': size };
        const outgoing = httpRequest(`${url()}/api/methods/post`, { method: 'POST', headers });
        outgoing.on('continue', () => {
          wasToldToGoOn = true;
          outgoing.end('x'.repeat(size));
        });
        outgoing.on('response', (response) => {
          response.resume();
          resolve({ wasToldToGoOn, status: response.statusCode ?? 0 });
          if (!wasToldToGoOn) outgoing.destroy();
        });
        outgoing.on('error', reject);
        outgoing.flushHeaders();
      });
    expect(await expecting(10)).toEqual({ wasToldToGoOn: true, status: 200 });
    expect(await expecting(20 * mebibyte)).toEqual({ wasToldToGoOn: false, status: 413 });
  });

  test('events arrive while the stream continues', async () => {
    // Without a shared state, one replica does not know the bins of the other.
    const alone = await startProxy([services[0]?.url ?? '']);
    const { json: bin } = await send(alone.url, 'POST /api/webhooks/bins');
    const source = new EventSource(`${alone.url}/api/webhooks/bins/${bin.id}/events`);
    await new Promise((resolve) => source.addEventListener('open', resolve));
    const event = new Promise<MessageEvent>((resolve) =>
      source.addEventListener('message', resolve),
    );
    await send(alone.url, `POST /api/webhooks/${bin.id}`, { body: 'through the proxy' });
    expect(JSON.parse((await event).data).body).toBe('through the proxy');
    source.close();
    await alone.stop();
  });

  test('a client that disconnects is gone for the service, too', async () => {
    const alone = await startProxy([services[1]?.url ?? '']);
    const { json: bin } = await send(alone.url, 'POST /api/webhooks/bins');
    const socket = connect(Number(new URL(alone.url).port), '127.0.0.1');
    socket.write(`GET /api/webhooks/bins/${bin.id}/events HTTP/1.1\r\nHost: a\r\n\r\n`);
    const held = async () => {
      const metrics = await fetch(`${services[1]?.url}/metrics`);
      return /^practice_api_held_requests (\d+)$/m.exec(await metrics.text())?.[1];
    };
    await expect.poll(held, { timeout: 10_000 }).toBe('1');
    socket.destroy();
    await expect.poll(held, { timeout: 10_000 }).toBe('0');
    await alone.stop();
  });

  test.each(['/metrics', '/METRICS/', '//metrics', '/%6detrics', '/metrics?x=1'])(
    'metrics are not public at %s',
    async (path) => {
      const { hostname, port } = new URL(url());
      const response = await rawExchange(
        `http://${hostname}:${port}`,
        `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      );
      expect(response.status).toBe(404);
      expect(response.body).not.toContain('practice_api_');
    },
  );
});

test('replicas are restarted one after the other, and callers notice nothing', {
  timeout: 90_000,
}, async () => {
  // Far longer than the proxy needs to notice that a replica drains, even on a busy machine.
  const flags = ['--port', '0', '--drain-seconds', '8'];
  const first = runProgram(flags);
  const second = runProgram(flags);
  const urls = await Promise.all([first.started, second.started]);
  // The program listens on localhost; the proxy's configuration has its address.
  const backends = urls.map((url) => url.replace('localhost', '127.0.0.1'));
  const proxy = await startProxy(backends);
  const agent = new Agent({ keepAlive: true });
  const failures: unknown[] = [];
  let responses = 0;
  let isOver = false;
  const post = () =>
    new Promise<void>((resolve) => {
      const fail = (failure: unknown) => {
        failures.push(failure);
        resolve();
      };
      const outgoing = httpRequest(`${proxy.url}/api/methods/post`, { method: 'POST', agent });
      outgoing.on('error', fail);
      outgoing.on('response', (response) => {
        response.on('error', fail).resume();
        response.on('end', () => {
          if (response.statusCode !== 200) fail(response.statusCode);
          responses += 1;
          resolve();
        });
      });
      outgoing.end('{"steady": "load"}');
    });
  const load = async () => {
    while (!isOver && failures.length === 0) await post();
  };
  const loads = Array.from({ length: 8 }, load);
  const respondMore = (count: number) => {
    const from = responses;
    // A failure ends the load, and is shown at the end.
    const isEnough = () => failures.length > 0 || responses - from > count;
    return expect.poll(isEnough, { timeout: 20_000 }).toBe(true);
  };
  try {
    await respondMore(50);
    first.process.kill('SIGTERM');
    expect(await first.ended).toEqual({ code: 0, signal: null });
    await runProgram(['--port', new URL(urls[0] ?? '').port]).started;
    await respondMore(50);
    // The proxy checks every second whether the first replica is ready again.
    await expect
      .poll(async () => (await metricsOf(backends[0] ?? '')).includes('area="methods"'), {
        timeout: 15_000,
      })
      .toBe(true);
    second.process.kill('SIGTERM');
    expect(await second.ended).toEqual({ code: 0, signal: null });
    await respondMore(50);
  } finally {
    isOver = true;
    await Promise.all(loads);
    agent.destroy();
    await proxy.stop();
  }
  expect(failures).toEqual([]);
});

test('when no replica is ready, the proxy responds in the shape of errors', async () => {
  const proxy = await startProxy(['http://127.0.0.1:9']);
  const response = await fetch(`${proxy.url}/api/Books`);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ status: 503, error: 'Service Unavailable' });
  await proxy.stop();
});

async function metricsOf(serviceUrl: string): Promise<string> {
  return (await fetch(`${serviceUrl}/metrics`)).text();
}
