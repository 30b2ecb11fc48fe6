/** The upgrade of a request to a WebSocket, and its rejection: RFC 6455 section 4. */

import { afterEach, describe, expect, test } from 'vitest';
import { createService } from '../support/create-service.js';
import { requestText } from '../support/raw-connection.js';
import { rawExchange } from '../support/raw-exchange.js';
import { handshake, openWebSocket, type RawWebSocket, text } from '../support/raw-web-socket.js';
import { useService } from '../support/service.js';

const service = useService({ webSockets: 9 });
const { send } = service;

const opened: RawWebSocket[] = [];
afterEach(() => {
  for (const { connection } of opened.splice(0)) connection.socket.destroy();
});
async function open(path: string, headers = {}, early?: Uint8Array): Promise<RawWebSocket> {
  const socket = await openWebSocket(service.url, path, headers, early);
  opened.push(socket);
  return socket;
}

test('the response is 101, with the accept key of the standard’s example, an id and CORS', async () => {
  const { status, headers } = await open('/api/ws/echo', { 'X-Request-Id': 'mine' });
  expect(status).toBe(101);
  expect(headers).toMatchObject({
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-accept': 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=',
    'x-request-id': 'mine',
    'access-control-allow-origin': '*',
  });
  expect(headers).not.toHaveProperty('content-length');
  expect(headers).not.toHaveProperty('sec-websocket-extensions');
});

test('bytes that arrive together with the handshake are part of the conversation', async () => {
  const socket = await open('/api/ws/echo', {}, text('early'));
  expect(await socket.text()).toBe('early');
  socket.send(text('later'));
  expect(await socket.text()).toBe('later');
});

test.each([
  ['no upgrade', {}, 426],
  ['another upgrade', { Connection: 'Upgrade', Upgrade: 'h2c' }, 426],
  ['another version', { ...handshake, 'Sec-WebSocket-Version': '8' }, 426],
  ['no version', { ...handshake, 'Sec-WebSocket-Version': '' }, 426],
  ['a short key', { ...handshake, 'Sec-WebSocket-Key': 'AAAA' }, 400],
  ['a repeated protocol', { ...handshake, 'Sec-WebSocket-Protocol': 'a, a' }, 400],
  ['a protocol with a space', { ...handshake, 'Sec-WebSocket-Protocol': 'a b' }, 400],
  ['an invalid sandbox', { ...handshake, 'X-Sandbox': 'a b' }, 400],
])('%s is rejected', async (_name, headers, status) => {
  const response = await rawExchange(
    service.url,
    requestText('GET /api/ws/echo', { Connection: 'close', ...headers }),
  );
  expect(response.status).toBe(status);
  expect(JSON.parse(response.body).status).toBe(status);
  if (status === 426) expect(response.head).toMatch(/^upgrade: websocket\r?$/im);
});

test('HEAD is 426 as well, other methods are 405, and other paths are served as usual', async () => {
  expect((await send('HEAD /api/ws/echo')).status).toBe(426);
  expect((await send('POST /api/ws/echo')).headers.allow).toBe('GET, HEAD');
  const { status, headers } = await open('/api/methods/any');
  expect([status, headers.connection]).toEqual([200, 'close']);
  const unknown = await open('/api/ws/none');
  expect(unknown.status).toBe(404);
  expect(await unknown.connection.ended).toBe('closed');
});

test('Java offers h2c with every request, bodies included, and is served as usual', async () => {
  const offer = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAEA' };
  const response = await rawExchange(
    service.url,
    requestText('POST /api/methods/post', { ...offer, 'Content-Type': 'text/plain' }, 'a body'),
  );
  expect(JSON.parse(response.body).body).toBe('a body');
});

describe('faults', () => {
  test('reject the upgrade, or delay it', async () => {
    expect((await open('/api/ws/echo?error=503&times=1&key=up')).status).toBe(503);
    expect((await open('/api/ws/echo?error=503&times=1&key=up')).status).toBe(101);
  });

  test('of a plan apply to the handshake below /s/, and are logged', async () => {
    const plan = {
      rules: [{ match: { path: '/api/ws/echo' }, sequence: [{ status: 500 }, { reset: true }] }],
    };
    await send('PUT /s/sockets/api/sandbox/faults', { json: plan });
    expect((await open('/s/sockets/api/ws/echo')).status).toBe(500);
    const lost = await rawExchange(
      service.url,
      requestText('GET /s/sockets/api/ws/echo', handshake),
    ).catch(({ code }) => code);
    expect(lost).toBe('ECONNRESET');
    const third = await open('/s/sockets/api/ws/echo');
    third.send(text('through'));
    expect(await third.text()).toBe('through');
    const { json } = await send('GET /s/sockets/api/sandbox/faults/log');
    expect(json.attempts).toHaveLength(3);
    expect(json.series[0].verdict).toMatchObject({ retried: true, succeeded: true });
  });
});

test('an IP address may have a third of all sockets; one more is 503 until one is closed', async () => {
  const sockets = [
    await open('/api/ws/echo'),
    await open('/api/ws/echo'),
    await open('/api/ws/echo'),
  ];
  expect(sockets.map(({ status }) => status)).toEqual([101, 101, 101]);
  const rejected = await open('/api/ws/echo');
  expect([rejected.status, rejected.headers['retry-after']]).toEqual([503, '5']);
  sockets[0]?.connection.socket.destroy();
  await expect.poll(async () => (await open('/api/ws/echo')).status).toBe(101);
});

test('a stop closes with 1001 and says why', async () => {
  const own = await createService();
  const socket = await openWebSocket(own.url, '/api/ws/echo');
  const closing = own.close();
  expect(await socket.closed()).toEqual([
    1001,
    'The service is stopping. Connect again in a moment.',
  ]);
  await closing;
});

test('an account is required, and a client without a key gets 401', async () => {
  const own = await createService({ accounts: 'required' });
  const stranger = await openWebSocket(own.url, '/api/ws/echo');
  expect(stranger.status).toBe(401);
  await own.close();
});
