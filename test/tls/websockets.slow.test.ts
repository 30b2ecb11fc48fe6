/** WebSockets on HTTP/2 streams: RFC 8441, and the rules of the service for them. */

import { once } from 'node:events';
import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import { type Http2WebSocket, openHttp2WebSocket } from '../support/http2-web-socket.js';
import { closeFrame, frame, opcodes, text } from '../support/raw-web-socket.js';
import { send } from '../support/service.js';

let service: Service;
let session: ClientHttp2Session;
beforeAll(async () => {
  service = await createService({ tls: true, h2c: true, metrics: 'on', webSockets: 9 });
});
afterAll(() => service.close());
afterEach(() => session?.destroy());

async function join(url = service.tlsUrl ?? ''): Promise<ClientHttp2Session> {
  session = connect(url, { rejectUnauthorized: false });
  session.on('error', () => {});
  await once(session, 'remoteSettings');
  return session;
}

const open = async (
  path = '/api/ws/echo',
  headers: Readonly<Record<string, string | undefined>> = {},
): Promise<Http2WebSocket> => openHttp2WebSocket(session, path, headers);

async function gauge(name: string, url = service.url): Promise<number> {
  const { text: metrics } = await send(url, 'GET /metrics');
  return Number(new RegExp(`^practice_api_${name} (\\d+)$`, 'm').exec(metrics)?.[1]);
}

describe.each(['TLS', 'h2c'])('over %s', (way) => {
  const url = () => (way === 'TLS' ? (service.tlsUrl ?? '') : service.url);

  test('the settings allow it, and a stream becomes a socket by 200, without key or length', async () => {
    expect((await join(url())).remoteSettings.enableConnectProtocol).toBe(true);
    const socket = await open('/api/ws/echo', { 'x-request-id': 'mine' });
    expect(socket.headers).toMatchObject({ ':status': 200, 'x-request-id': 'mine' });
    for (const name of ['sec-websocket-accept', 'content-length', 'upgrade', 'connection']) {
      expect(socket.headers).not.toHaveProperty(name);
    }
    socket.send(text('one'), frame(opcodes.binary, Buffer.from([1, 2])));
    expect(await socket.text()).toBe('one');
    expect(await socket.next()).toMatchObject({ opcode: 2, payload: Buffer.from([1, 2]) });
    socket.send(frame(opcodes.ping, 'there?'));
    expect(await socket.next()).toMatchObject({ opcode: 10, payload: Buffer.from('there?') });
    socket.send(closeFrame(1000, 'done'));
    expect(await socket.closed()).toEqual([1000, 'done']);
    socket.stream.end();
    expect(await socket.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
  });
});

test('many sockets and requests share a connection', async () => {
  await join();
  const sockets = [await open(), await open('/api/ws/room/streams'), await open('/api/ws/rpc')];
  expect(sockets.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await gauge('web_sockets')).toBe(3);
  expect(await gauge('connections')).toBe(2);
  const [echo, room, rpc] = sockets;
  rpc?.send(text('{"jsonrpc":"2.0","method":"sum","params":[1,2],"id":1}'));
  echo?.send(text('still there'));
  room?.send(text('hello'));
  expect(JSON.parse((await rpc?.text()) ?? '')).toMatchObject({ result: 3, id: 1 });
  expect(await echo?.text()).toBe('still there');
  expect(JSON.parse((await room?.text()) ?? '')).toMatchObject({ type: 'join' });
  const request = session.request({ ':path': '/health' });
  const [head] = await once(request, 'response');
  expect(head[':status']).toBe(200);
  session.destroy();
  await expect.poll(() => gauge('web_sockets')).toBe(0);
});

test('subprotocols and compression are negotiated as on HTTP/1.1, and GraphQL subscribes', async () => {
  await join();
  const chat = await open('/api/ws/protocols', {
    'sec-websocket-protocol': 'other, chat.v2',
    'sec-websocket-extensions': 'permessage-deflate',
  });
  expect(chat.headers).toMatchObject({
    'sec-websocket-protocol': 'chat.v2',
    'sec-websocket-extensions': expect.stringMatching(/^permessage-deflate/),
  });
  const graphql = await open('/graphql', { 'sec-websocket-protocol': 'graphql-transport-ws' });
  expect(graphql.headers['sec-websocket-protocol']).toBe('graphql-transport-ws');
  graphql.send(text('{"type":"connection_init"}'));
  expect(await graphql.text()).toContain('connection_ack');
  const payload = { query: 'subscription { countdown(from: 1, interval: 0.01) }' };
  graphql.send(text(JSON.stringify({ type: 'subscribe', id: 'a', payload })));
  const told = [await graphql.text(), await graphql.text(), await graphql.text()];
  expect(told.map((each) => JSON.parse(each ?? '').type)).toEqual(['next', 'next', 'complete']);
});

test.each<[string, string, Record<string, string | undefined>, number, RegExp]>([
  ['of another version', '/api/ws/echo', { 'sec-websocket-version': '8' }, 426, /must be 13/],
  ['of no version', '/api/ws/echo', { 'sec-websocket-version': undefined }, 426, /got none/],
  [
    'with a repeated protocol',
    '/api/ws/echo',
    { 'sec-websocket-protocol': 'a, a' },
    400,
    /different/,
  ],
  ['with an invalid sandbox', '/api/ws/echo', { 'x-sandbox': 'a b' }, 400, /sandbox/i],
  ['of an unknown kind', '/api/ws/none', {}, 404, /none/],
  ['at a path that rejects', '/api/ws/refuse/403', {}, 403, /Simulated failure/],
  ['with the wrong credentials', '/api/ws/auth', { authorization: 'Bearer no' }, 401, /token/],
  ['with a code that may not be sent', '/api/ws/close?code=1005', {}, 400, /^code must be/],
  ['that fail by ?error=', '/api/ws/echo?error=503', {}, 503, /error=503/],
  [
    'with a wrong accept key, which HTTP/2 lacks',
    '/api/ws/broken/wrong-accept',
    {},
    400,
    /HTTP\/1.1/,
  ],
  ['at a path that is no socket', '/api/methods/get', {}, 400, /opens no WebSocket/],
  ['at a stream', '/api/sse/clock', {}, 400, /opens no WebSocket/],
  ['at a path that rejects with success', '/api/ws/refuse/204', {}, 400, /would be 204/],
  ['of another protocol', '/api/ws/echo', { ':protocol': 'connect-udp' }, 501, /connect-udp/],
])('handshakes %s are rejected', async (_what, path, headers, status, message) => {
  await join();
  const socket = await open(path, headers);
  const body = JSON.parse(await socket.rest());
  expect(socket.status).toBe(status);
  expect(socket.headers['x-request-id']).toBeTruthy();
  expect(body).toMatchObject({ status, message: expect.stringMatching(message) });
  expect(await socket.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
  expect(await gauge('body_bytes')).toBe(0);
  expect(await gauge('held_requests')).toBe(0);
});

test('CONNECT without :protocol requests a tunnel, and is rejected with the reason', async () => {
  await join();
  const plain = { ':protocol': undefined, ':path': undefined, ':authority': 'example.com:80' };
  const socket = await open('', plain);
  expect(JSON.parse(await socket.rest())).toMatchObject({
    status: 400,
    message: expect.stringContaining('a tunnel to example.com:80'),
  });
});

test('a fault plan applies to the handshake', async () => {
  const rules = [
    { match: { path: '/api/ws/echo' }, sequence: [{ status: 500 }, { reset: true }, { slow: 1 }] },
  ];
  await send(service.url, 'PUT /s/streams/api/sandbox/faults', { json: { rules } });
  await join();
  expect((await open('/s/streams/api/ws/echo')).status).toBe(500);
  expect(await (await open('/s/streams/api/ws/echo')).rstCode).toBe(constants.NGHTTP2_CANCEL);
  const third = await open('/s/streams/api/ws/echo');
  third.send(text('through'));
  expect([third.status, await third.text()]).toEqual([200, 'through']);
});

test('sockets count for an IP address: one more than a third is 503, until one is closed', async () => {
  await join();
  const [first] = [await open(), await open(), await open()];
  const rejected = await open();
  expect([rejected.status, rejected.headers['retry-after']]).toEqual([503, '5']);
  first?.stream.close(constants.NGHTTP2_CANCEL);
  await expect.poll(async () => (await open()).status).toBe(200);
});

test('a protocol error closes with a reason, and an abrupt end cancels the stream', async () => {
  await join();
  const broken = await open();
  broken.send(frame(opcodes.text, 'x', { isMasked: false }));
  expect(await broken.closed()).toEqual([1002, expect.stringContaining('mask')]);
  const abrupt = await open('/api/ws/close?abrupt=true');
  expect(await abrupt.next()).toBeUndefined();
  expect(await abrupt.rstCode).toBe(constants.NGHTTP2_CANCEL);
  const long = await open('/api/ws/echo?max=10');
  long.send(text('12345678901'));
  expect((await long.closed())[0]).toBe(1009);
});

test('unread messages are limited by the window of their stream, and counted', async () => {
  await join();
  const socket = await open('/api/ws/echo?delay=0.05');
  socket.send(...Array.from({ length: 8 }, () => text('a'.repeat(40_000))));
  await expect.poll(() => gauge('body_bytes')).toBeGreaterThan(65_000);
  for (let got = 0; got < 8; got++) expect((await socket.text())?.length).toBe(40_000);
  socket.stream.close();
  await expect.poll(() => gauge('body_bytes')).toBe(0);
});

test('unread bytes of a socket count, and delay no other client', async () => {
  const own = await createService({ h2c: true, metrics: 'on' });
  await join(own.url);
  const socket = await open('/api/ws/push?interval=0&size=60000&count=1000');
  socket.stream.pause();
  await expect.poll(() => gauge('unsent_bytes', own.url)).toBeGreaterThan(50_000);
  // Others on the connection continue.
  const echo = await open();
  echo.send(text('here'));
  expect(await echo.text()).toBe('here');
  socket.stream.close();
  await expect.poll(() => gauge('unsent_bytes', own.url)).toBe(0);
  await own.close();
});

test('a stop closes them with 1001, and then the connection', async () => {
  const own = await createService({ tls: true });
  await join(own.tlsUrl);
  const gone = once(session, 'close');
  const socket = await open();
  const closing = own.close();
  expect(await socket.closed()).toEqual([
    1001,
    'The service is stopping. Connect again in a moment.',
  ]);
  socket.send(closeFrame(1001));
  socket.stream.end();
  await Promise.all([closing, gone]);
});
