/** The memory that sockets can use: received bytes, unread bytes, and floods. */

import { afterEach, expect, test } from 'vitest';
import type { Service } from '../../src/index.js';
import { createService } from '../support/create-service.js';
import { frame, opcodes, text } from '../support/raw-web-socket.js';
import { send } from '../support/service.js';
import { useWebSockets } from '../support/web-sockets.js';

const mebibyte = 1024 * 1024;

let service: Service | undefined;
afterEach(() => service?.close());
const { open } = useWebSockets({
  get url() {
    return service?.url ?? '';
  },
});

async function start(options: Parameters<typeof createService>[0]): Promise<string> {
  service = await createService({ metrics: 'on', ...options });
  return service.url;
}

async function gauge(url: string, name: string): Promise<number> {
  const { text: page } = await send(url, 'GET /metrics');
  return Number(new RegExp(`^practice_api_${name} (\\d+)$`, 'm').exec(page)?.[1]);
}

const half = Buffer.alloc(mebibyte / 2, 'a');

test('incomplete messages count as request bodies, up to the same limit', async () => {
  const url = await start({ bodyBytes: mebibyte });
  const first = await open('/api/ws/echo');
  first.send(frame(opcodes.text, half, { isFinal: false }));
  const held = () => gauge(url, 'body_bytes');
  await expect.poll(held).toBeGreaterThanOrEqual(half.length);
  const second = await open('/api/ws/echo');
  second.send(frame(opcodes.text, half, { isFinal: false }), frame(0, half));
  expect((await second.closed())[0]).toBe(1013);
  first.connection.socket.destroy();
  await expect.poll(held).toBe(0);
  await expect.poll(() => gauge(url, 'web_sockets')).toBe(0);
});

test('fragments of one byte count with their overhead', async () => {
  const url = await start({});
  const { send } = await open('/api/ws/echo');
  const count = 4096;
  send(frame(opcodes.text, 'a', { isFinal: false }));
  const middle = frame(opcodes.continuation, 'b', { isFinal: false });
  send(Buffer.concat(Array(count).fill(middle)));
  await expect.poll(() => gauge(url, 'body_bytes')).toBeGreaterThanOrEqual(128 * count);
  send(frame(opcodes.continuation, 'c'));
  await expect.poll(() => gauge(url, 'body_bytes')).toBe(0);
});

test('the server stops reading from a client that never reads, and its bytes count until it leaves', async () => {
  const url = await start({});
  const { connection } = await open('/api/ws/echo');
  connection.socket.pause();
  const message = text(Buffer.alloc(mebibyte, 'a'));
  for (let count = 0; count < 24; count++) connection.send(message);
  const unsent = () => gauge(url, 'unsent_bytes');
  await expect.poll(unsent).toBeGreaterThan(64 * 1024);
  expect(await unsent()).toBeLessThanOrEqual(2 * mebibyte);
  connection.socket.destroy();
  await expect.poll(unsent).toBe(0);
});

test('beyond the limit of unsent bytes, the slowest reader is cut', async () => {
  const url = await start({ unsentBytes: 3 * mebibyte });
  const path = '/api/ws/push?interval=0&count=10000&size=1048576';
  const sockets = [];
  for (let count = 0; count < 8; count++) sockets.push(await open(path));
  for (const { connection } of sockets) connection.socket.pause();
  await expect.poll(() => gauge(url, 'web_sockets')).toBeLessThan(8);
  expect(await gauge(url, 'unsent_bytes')).toBeLessThanOrEqual(4 * mebibyte);
});

test('a client that floods with pings and reads no pongs is cut', async () => {
  const url = await start({});
  const { connection } = await open('/api/ws/echo');
  connection.socket.pause();
  connection.socket.on('error', () => {});
  const pings = Buffer.concat(Array(2000).fill(frame(opcodes.ping, Buffer.alloc(125))));
  const isOpen = () => gauge(url, 'web_sockets');
  await expect
    .poll(async () => {
      for (let count = 0; count < 8; count++) connection.send(pings);
      return isOpen();
    })
    .toBe(0);
});

test('pushed messages wait for a client that does not read, which is not cut', async () => {
  const url = await start({});
  // Far beyond what the buffers of a connection hold, and what cuts a client.
  const { connection } = await open(`/api/ws/push?interval=0&count=32&size=${mebibyte}`);
  connection.socket.pause();
  await expect.poll(() => gauge(url, 'unsent_bytes')).toBeGreaterThan(64 * 1024);
  // During each request, the sender has turns in which it could send more.
  for (let count = 0; count < 100; count++) {
    expect(await gauge(url, 'unsent_bytes')).toBeLessThanOrEqual(2 * mebibyte);
  }
  expect(await gauge(url, 'web_sockets')).toBe(1);
});
