/** Attacks on deliveries and on the listener. */

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { forward } from '../../src/listen/forward.js';
import { listen } from '../../src/listen/listen.js';
import { parseOptions } from '../../src/listen/options.js';
import { openStream } from '../support/event-source.js';
import { openConnection } from '../support/raw-connection.js';
import { useService } from '../support/service.js';
import { hooksOf, path } from './hooks.js';

const service = useService();
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Starts a receiver, and returns its URL. */
async function receiver(handle: RequestListener): Promise<URL> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
}

const sent = { headers: { 'Content-Type': 'application/json' }, body: '{}' };

test('of more than 10,000 waiting deliveries the oldest are dropped, and a failing object blocks no other', async () => {
  const hooks = hooksOf(service, 'ten-thousand');
  const { id } = await hooks.subscribe({ events: ['things.*'] });
  await hooks.call('PUT /api/sandbox/data', {
    things: [
      { id: 1, n: 0 },
      { id: 2, n: 0 },
    ],
  });
  for (let written = 0; written < 10_100; written += 100) {
    const many = Array.from({ length: 100 }, (_, index) => written + index);
    await Promise.all(many.map((n) => hooks.call(`PUT /my/things/${1 + (n % 2)}`, { n })));
  }
  const due = await hooks.due(id);
  expect(due).toHaveLength(2);
  await hooks.report(id, due[0], 500);
  const [other] = await hooks.due(id);
  expect(other.event.type).toBe('things.updated');
  const replayed = await hooks.call(`POST ${path}/${id}/replay?since=2020-01-01T00:00:00Z`);
  expect(replayed.json).toEqual({ deliveries: 10_000 });
}, 240_000);

test('a listener that never reads holds one delivery after the other, and leaves nothing behind', async () => {
  const hooks = hooksOf(service, 'never-reads');
  const { id } = await hooks.subscribe();
  const connection = openConnection(service.url);
  connection.send(
    `GET ${path}/${id}/deliveries/stream HTTP/1.1\r\nHost: x\r\nX-Sandbox: never-reads\r\n\r\n`,
  );
  await connection.until('retry');
  connection.socket.pause();
  const data = { id: 1, filler: 'x'.repeat(200_000) };
  for (let count = 0; count < 20; count++) {
    await hooks.call(`POST ${path}/${id}/test`, {
      type: 'order.paid',
      data: { ...data, id: count },
    });
  }
  connection.socket.destroy();
  for (let status = 0; status !== 200; ) {
    const target = `/s/never-reads${path}/${id}/deliveries/stream?listener=next`;
    const stream = await openStream(service.url, target, { method: 'GET' });
    status = stream.status;
    stream.close();
  }
  const { deliveries } = (await hooks.call(`GET ${path}/${id}/deliveries?state=waiting`)).json;
  expect(deliveries).toHaveLength(20);
});

test('a response of 1 GiB is not read to its end', async () => {
  let written = 0;
  const url = await receiver((_request, response) => {
    const chunk = Buffer.alloc(1024 * 1024);
    response.writeHead(200, { 'Content-Length': String(1024 ** 3) });
    const write = () => {
      while (!response.destroyed && written < 1024) {
        written += 1;
        if (!response.write(chunk)) {
          response.once('drain', write);
          return;
        }
      }
    };
    write();
  });
  const result = await forward(url, sent, 5000);
  expect(result.status).toBe(200);
  expect(written).toBeLessThan(100);
});

test('redirects are not followed, and the line of the listener says so', async () => {
  const paths: string[] = [];
  const url = await receiver((request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(307, { Location: 'http://169.254.169.254/latest' }).end();
  });
  const hooks = hooksOf(service, 'redirects');
  const stop = new AbortController();
  const lines: string[] = [];
  const args = ['--url', service.url, '--sandbox', 'redirects', '--forward', url.href];
  const options = parseOptions(args, {});
  if (options === undefined) throw new Error('There are no options.');
  const { id } = await hooks.subscribe();
  const running = listen(options, stop.signal, {
    print(line) {
      lines.push(line);
      stop.abort();
    },
    say: () => {},
  });
  await hooks.call(`POST ${path}/${id}/test`, { type: 'order.paid', data: { id: 1 } });
  expect(await running).toBe(0);
  expect(lines[0]).toMatch(
    /order\.paid +307 .* redirect not followed: http:\/\/169\.254\.169\.254\/latest$/,
  );
  expect(paths).toEqual(['/hook']);
  const { deliveries } = (await hooks.call(`GET ${path}/${id}/deliveries`)).json;
  expect(deliveries[0]).toMatchObject({ state: 'waiting', lastStatus: 307, attempt: 2 });
});

test('hostile headers of a receiver control no terminal, and long ones are cut', async () => {
  const url = await receiver((_request, response) => {
    const raw = [
      'HTTP/1.1 200 OK',
      'X-Colour: \u001b]0;owned\u0007\u001b[31m',
      `X-Long: ${'y'.repeat(5000)}`,
      ...Array.from({ length: 200 }, (_, index) => `X-${index}: z`),
      'Content-Length: 0',
    ];
    response.socket?.end(`${raw.join('\r\n')}\r\n\r\n`, 'latin1');
  });
  const { status, headers = {}, error = '' } = await forward(url, sent, 5000);
  expect(status === 200 || error !== '').toBe(true);
  for (const value of [...Object.values(headers), error]) expect(value).toMatch(/^[ -~]{0,200}$/);
  expect(Object.keys(headers).length).toBeLessThanOrEqual(40);
  expect(JSON.stringify(headers).length).toBeLessThan(8192);
});

test('long values and many headers that a parser accepts are cut', async () => {
  const url = await receiver((_request, response) => {
    const raw = [
      'HTTP/1.1 200 OK',
      'X-Colour: \u009b31m',
      `X-Long: ${'y'.repeat(5000)}`,
      ...Array.from({ length: 200 }, (_, index) => `X-${index}: z`),
      'Content-Length: 0',
    ];
    response.socket?.end(`${raw.join('\r\n')}\r\n\r\n`, 'latin1');
  });
  const { status, headers = {} } = await forward(url, sent, 5000);
  expect(status).toBe(200);
  expect(Object.keys(headers)).toHaveLength(40);
  for (const value of Object.values(headers)) expect(value).toMatch(/^[ -~]{0,200}$/);
  expect(headers['x-long']?.length).toBeLessThanOrEqual(200);
});

test('a receiver that never responds costs the timeout, and one without HTTP is reported', async () => {
  const silent = await receiver(() => {});
  expect(await forward(silent, sent, 50)).toMatchObject({ status: null, error: 'timeout' });
  const other = await receiver((request) => request.socket.end('no HTTP\r\n\r\n'));
  expect(await forward(other, sent, 5000)).toMatchObject({ status: null });
});

test('reports with too many, too long or malformed headers are rejected', async () => {
  const hooks = hooksOf(service, 'reports');
  const { id } = await hooks.subscribe();
  await hooks.call(`POST ${path}/${id}/test`, { type: 'order.paid', data: {} });
  const [delivery] = await hooks.due(id);
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`x-${index}`, '']));
  const long = { 'x-long': 'x'.repeat(1001) };
  const heavy = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [`x-${index}`, 'y'.repeat(900)]),
  );
  for (const headers of [many, long, heavy, { n: 1 }, []]) {
    expect((await hooks.report(id, delivery, 200, { headers })).status).toBe(400);
  }
  for (const status of [99, 600, '200']) {
    expect((await hooks.report(id, delivery, status as number)).status).toBe(400);
  }
  const wrong = { headers: { 'set-cookie': '\u001b[2J\r\nX: 1' } };
  const { json } = await hooks.report(id, delivery, 200, wrong);
  expect(json.state).toBe('delivered');
});
