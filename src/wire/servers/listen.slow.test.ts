import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { keepAliveClient } from '../../../test/support/keep-alive-client.js';
import { rawExchange } from '../../../test/support/raw-exchange.js';
import { wireServiceOf } from '../../../test/support/wire-service.js';
import type { RequestListener } from '../wire-service.js';
import { type Listener, listen } from './listen.js';

const impatient = {
  headersMs: 200,
  requestMs: 400,
  keepAliveMs: 1000,
  idleSocketMs: 1500,
  checkIntervalMs: 50,
};

const open: Listener[] = [];
afterEach(async () => {
  for (const listener of open.splice(0)) {
    listener.closeNow();
    await listener.close();
  }
});

async function start(
  handle: RequestListener,
  host = '127.0.0.1',
  port = 0,
  limits = {},
): Promise<Listener> {
  const service = wireServiceOf(handle);
  const listener = await listen({ host, port, service, limits: { ...impatient, ...limits } });
  open.push(listener);
  return listener;
}

const respondOk: RequestListener = (_request, response) => void response.end('ok');
const readThenRespond: RequestListener = (request, response) => {
  request.resume().on('end', () => response.end('ok'));
};
const urlOf = ({ port }: Listener) => `http://127.0.0.1:${port}`;

test('connections that were reset before they were accepted are not served', async () => {
  const listener = await start(respondOk);
  const { port } = listener;
  const script = `
    for (let count = 0; count < 50; count++) {
      const client = require('node:net').connect(${port}, '127.0.0.1', () => {
        client.write('GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n');
        setTimeout(() => client.resetAndDestroy(), 50);
      });
    }
    // On a busy machine, the kernel delivers a reset later.
    setTimeout(() => {}, 1000);`;
  // No connection is accepted meanwhile.
  expect(spawnSync(process.execPath, ['-e', script]).status).toBe(0);
  let most = 0;
  for (let turn = 0; turn < 200; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, listener.connections());
  }
  expect(most).toBe(0);
  const { body } = await rawExchange(urlOf(listener), 'GET / HTTP/1.0\r\nHost: a\r\n\r\n');
  expect(body).toBe('ok');
});

describe('a slow client', () => {
  const large = Buffer.alloc(32 * 1024 * 1024);

  test.each([
    ['nothing', 0],
    ['less than 1 KiB a second', 100],
  ])('that reads %s of its response is cut off', async (_what, bytesPerSecond) => {
    const patient = { idleSocketMs: 60_000, keepAliveMs: 60_000, paceMs: 600 };
    const response: RequestListener = (_request, response) => void response.end(large);
    const listener = await start(response, '127.0.0.1', 0, patient);
    const client = connect(listener.port, '127.0.0.1').on('error', () => {});
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    client.pause();
    const reading = setInterval(() => client.read(bytesPerSecond / 10), 100);
    await expect.poll(() => listener.unsentBytes()).toBeGreaterThan(1024 * 1024);
    await expect.poll(() => listener.connections()).toBe(0);
    expect(listener.unsentBytes()).toBe(0);
    clearInterval(reading);
    client.destroy();
  });

  test('that reads more is not cut off', async () => {
    const response: RequestListener = (_request, response) => void response.end(large);
    const listener = await start(response, '127.0.0.1', 0, { idleSocketMs: 60_000, paceMs: 1_500 });
    const client = connect(listener.port, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    let length = 0;
    client.on('data', async (chunk) => {
      length += chunk.length;
      client.pause();
      await sleep(5);
      client.resume();
    });
    await new Promise((resolve) => client.once('close', resolve));
    expect(length).toBeGreaterThan(large.length);
  });

  test('that does not finish its headers gets 408 and is cut off', async () => {
    const listener = await start(respondOk);
    const { status, body } = await rawExchange(urlOf(listener), 'GET / HTTP/1.1\r\nHost: a\r\n');
    expect(status).toBe(408);
    expect(JSON.parse(body)).toMatchObject({ status: 408 });
  });

  test('that does not finish its body gets 408 and is cut off', async () => {
    const listener = await start(readThenRespond);
    const { status } = await rawExchange(
      urlOf(listener),
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf',
    );
    expect(status).toBe(408);
  });

  test('that does not read its response is cut off', async () => {
    const listener = await start((_request, response) => {
      response.end(Buffer.alloc(64 * 1024 * 1024));
    });
    const socket = connect(listener.port, '127.0.0.1');
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await sleep(100);
    await listener.close();
    socket.destroy();
  });

  test('does not keep others waiting', async () => {
    const listener = await start(respondOk);
    const sockets = Array.from({ length: 50 }, () => {
      const socket = connect(listener.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write('GET / HT');
      return socket;
    });
    expect((await fetch(urlOf(listener))).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});

describe('closing', () => {
  test('finishes current requests, accepts nothing new, and drops idle connections', async () => {
    let hasArrived = (_finish: () => void) => {};
    const arrival = new Promise<() => void>((resolve) => {
      hasArrived = resolve;
    });
    const listener = await start((_request, response) => {
      hasArrived(() => response.end('finished'));
    });
    const idle = connect(listener.port, '127.0.0.1');
    const inFlight = fetch(urlOf(listener));
    const finish = await arrival;
    const closed = listener.close();
    await expect(fetch(urlOf(listener))).rejects.toThrow();
    finish();
    expect(await (await inFlight).text()).toBe('finished');
    await closed;
    idle.destroy();
  });

  test('at once cuts current requests', async () => {
    const listener = await start(() => {});
    const inFlight = expect(fetch(urlOf(listener))).rejects.toThrow();
    await sleep(50);
    const closed = listener.close();
    listener.closeNow();
    await closed;
    await inFlight;
  });
});

describe('draining', () => {
  test('ends each connection with its next response', async () => {
    const listener = await start(respondOk);
    const url = urlOf(listener);
    const before = await rawExchange(url, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2));
    expect(before.body).toMatch(/HTTP\/1\.1 200 OK[\s\S]*ok$/);
    listener.drain();
    for (let round = 0; round < 2; round += 1) {
      const { head, body } = await rawExchange(url, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      expect(head).toMatch(/^connection: close$/im);
      expect(body).toBe('ok');
    }
  });

  test('ends earlier connections, too', async () => {
    const listener = await start(respondOk);
    const client = await keepAliveClient(urlOf(listener));
    const request = { method: 'GET', path: '/', headers: [], body: '' };
    await client.send(request);
    expect(listener.connections()).toBe(1);
    listener.drain();
    expect((await client.send(request)).status).toBe(200);
    await expect(client.send(request)).rejects.toThrow();
    await expect.poll(() => listener.connections()).toBe(0);
  });
});

test('connections beyond the limit are closed, and those within it continue', async () => {
  const listener = await start(respondOk, '127.0.0.1', 0, { maxConnections: 1 });
  const client = await keepAliveClient(urlOf(listener));
  const request = { method: 'GET', path: '/', headers: [], body: '' };
  await client.send(request);
  await expect(fetch(urlOf(listener))).rejects.toThrow();
  expect((await client.send(request)).status).toBe(200);
  client.close();
  await expect.poll(() => listener.connections()).toBe(0);
  expect((await fetch(urlOf(listener))).status).toBe(200);
});

describe('listening on localhost', () => {
  test('uses one port on every loopback address', async () => {
    const listener = await start(respondOk, 'localhost');
    expect((await fetch(`http://localhost:${listener.port}`)).status).toBe(200);
    expect((await fetch(urlOf(listener))).status).toBe(200);
  });

  test('fails if the port of one of them is in use, and leaves nothing open', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const service = wireServiceOf(respondOk);
    await expect(listen({ host: 'localhost', port, service })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await new Promise((resolve) => other.close(resolve));
    expect((await start(respondOk, 'localhost', port)).port).toBe(port);
  });
});
