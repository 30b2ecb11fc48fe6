/** The memory that one caller can use: bytes of responses, bytes of bodies, and open requests. */

import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { Service } from '../../src/index.js';
import { createService } from '../support/create-service.js';
import { send } from '../support/service.js';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

let service: Service | undefined;
const clients: Socket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await service?.close();
});

async function start(options: Parameters<typeof createService>[0]): Promise<string> {
  service = await createService({ metrics: 'on', ...options });
  return service.url;
}

async function gauge(url: string, name: string): Promise<number> {
  const { text } = await send(url, 'GET /metrics');
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

/** Sends bytes and reads nothing of the response. */
function sendWithoutReading(url: string, bytes: string | Uint8Array): Socket {
  const { hostname, port } = new URL(url);
  const client = connect({ host: hostname, port: Number(port) });
  client.on('error', () => {});
  client.pause();
  client.write(bytes);
  clients.push(client);
  return client;
}

describe('unread responses', () => {
  // Echoed as JSON, so that the response is several times as large, and larger than the buffers of
  // a kernel.
  const body = '\u0001'.repeat(mebibyte);
  const request = `POST /api/methods/post HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const unsentBytes = 24 * mebibyte;

  const unsent = (url: string) => gauge(url, 'practice_api_unsent_bytes');

  test('of echoes hold a few slices each, however large the responses are', async () => {
    const url = await start({ unsentBytes });
    for (let count = 0; count < 10; count++) sendWithoutReading(url, request.repeat(3));
    await expect.poll(() => unsent(url), { timeout: 20_000 }).toBeGreaterThan(0);
    expect(await unsent(url)).toBeLessThanOrEqual(clients.length * 256 * kibibyte);
    expect((await send(url, 'POST /api/methods/post', { body })).status).toBe(200);
    for (const client of clients) client.destroy();
    await expect.poll(() => unsent(url)).toBe(0);
  });

  test('count for each client if a text is generated for its host', async () => {
    // A few clients reach the limit, before the first of them is cut for not reading.
    const url = await start({ unsentBytes: 8 * mebibyte });
    const texts = (host: string) =>
      Array.from(
        { length: 3 },
        (_, index) =>
          `GET /openapi.yaml?formats=all HTTP/1.1\r\nHost: ${host}-${index}.example\r\n\r\n`,
      ).join('');
    const ask = (count: number) =>
      send(url, 'GET /openapi.yaml?formats=all', { headers: { Host: `own-${count}.example` } });
    let asked = await ask(0);
    for (let count = 1; asked.status === 200 && count < 40; count++) {
      const before = await gauge(url, 'practice_api_unsent_bytes');
      sendWithoutReading(url, texts(`host-${count}`));
      await expect
        .poll(() => gauge(url, 'practice_api_unsent_bytes'), { timeout: 10_000 })
        .not.toBe(before);
      asked = await ask(count);
    }
    expect(asked.status).toBe(503);
    expect(asked.headers['retry-after']).toBe('2');
    expect(asked.json.message).toMatch(/limit of unread response bytes/);
    // The slowest client was cut, and the connection that requests the metrics is one of them.
    expect(await gauge(url, 'practice_api_connections')).toBeLessThanOrEqual(clients.length);
    expect((await send(url, 'GET /api/methods/get')).status).toBe(200);
    for (const client of clients) client.destroy();
    await expect.poll(() => gauge(url, 'practice_api_unsent_bytes')).toBe(0);
    expect((await ask(100)).status).toBe(200);
  });

  test('arrive completely when they are read late', async () => {
    const url = await start({});
    const client = sendWithoutReading(
      url,
      request.replace('Host: a', 'Host: a\r\nConnection: close'),
    );
    await expect.poll(() => gauge(url, 'practice_api_connections')).toBe(2);
    let length = 0;
    client.resume().on('data', (chunk) => {
      length += chunk.length;
    });
    await new Promise((resolve) => client.once('close', resolve));
    expect(length).toBeGreaterThan(6 * mebibyte);
    expect(await gauge(url, 'practice_api_unsent_bytes')).toBe(0);
  });
});

describe('incomplete bodies', () => {
  const head = 'POST /api/methods/post HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';

  test('count at most twice their bytes, however they are split', async () => {
    const url = await start({});
    const sentBytes = 200_000;
    sendWithoutReading(url, head + '1\r\na\r\n'.repeat(sentBytes));
    const held = () => gauge(url, 'practice_api_body_bytes');
    await expect.poll(held, { timeout: 10_000 }).toBeGreaterThanOrEqual(sentBytes);
    // Unparsed bytes, six for each, are few.
    expect(await held()).toBeLessThanOrEqual(2 * sentBytes + 128 * 1024);
    await expect.poll(held, { timeout: 10_000 }).toBeLessThanOrEqual(2 * sentBytes);
    clients[0]?.resetAndDestroy();
    await expect.poll(held).toBe(0);
  });

  test('count even before they are read', async () => {
    const url = await start({});
    const sentBytes = 40_000;
    const head = `POST /api/methods/post?delay=10 HTTP/1.1\r\nHost: a\r\nContent-Length: ${sentBytes}\r\n\r\n`;
    sendWithoutReading(url, head + 'a'.repeat(sentBytes));
    await expect.poll(() => gauge(url, 'practice_api_body_bytes')).toBe(sentBytes);
    clients[0]?.resetAndDestroy();
    await expect.poll(() => gauge(url, 'practice_api_body_bytes')).toBe(0);
  });

  test('are limited together: one more is 503, and finished ones free their bytes', async () => {
    // An echo needs four times its body.
    const url = await start({ bodyBytes: 3 * mebibyte });
    const chunk = `100000\r\n${'a'.repeat(mebibyte)}\r\n`;
    sendWithoutReading(url, head + chunk);
    const held = () => gauge(url, 'practice_api_body_bytes');
    await expect.poll(held).toBeGreaterThanOrEqual(mebibyte);
    const body = 'b'.repeat(0xa0000);
    const rejected = await send(url, 'POST /api/methods/post', { body });
    expect(rejected.status).toBe(503);
    expect(rejected.headers['retry-after']).toBe('2');
    clients[0]?.destroy();
    await expect.poll(held).toBe(0);
    expect((await send(url, 'POST /api/methods/post', { body })).status).toBe(200);
  });
});

describe('open requests', () => {
  const delayed = 'GET /api/methods/get?delay=10 HTTP/1.1\r\nHost: a\r\nX-Sandbox: NAME\r\n\r\n';
  const held = (url: string) => gauge(url, 'practice_api_held_requests');

  test('are limited for an IP address, and released when their clients leave', async () => {
    const url = await start({ heldRequests: 9 });
    for (let count = 0; count < 3; count++)
      sendWithoutReading(url, delayed.replace('NAME', `s${count}`));
    await expect.poll(() => held(url)).toBe(3);
    const rejected = await send(url, 'GET /api/methods/get?delay=0.1');
    expect(rejected.status).toBe(503);
    expect(rejected.headers['retry-after']).toBe('5');
    expect(rejected.json.message).toMatch(/3 requests of one address/);
    for (const client of clients) client.resetAndDestroy();
    await expect.poll(() => held(url)).toBe(0);
    expect((await send(url, 'GET /api/methods/get?delay=0.1')).status).toBe(200);
  });

  test('are limited for a sandbox', async () => {
    const url = await start({ heldRequests: 4, trustProxy: true });
    const from = (address: number) =>
      delayed.replace('NAME', `one\r\nX-Forwarded-For: 192.0.2.${address}`);
    for (const address of [1, 2]) sendWithoutReading(url, from(address));
    await expect.poll(() => held(url)).toBe(2);
    const headers = { 'X-Sandbox': 'one', 'X-Forwarded-For': '192.0.2.3' };
    const rejected = await send(url, 'GET /api/methods/get?delay=0.1', { headers });
    expect(rejected.status).toBe(503);
    expect(rejected.json.message).toMatch(/2 requests of one sandbox/);
  });

  test('of one connection wait for each other', async () => {
    const url = await start({});
    const client = sendWithoutReading(url, delayed.replace('NAME', 'a').repeat(50));
    await expect.poll(() => held(url)).toBe(1);
    client.destroy();
    await expect.poll(() => held(url)).toBe(0);
  });
});
