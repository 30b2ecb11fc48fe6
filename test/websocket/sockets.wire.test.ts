/** The behaviour of each socket, on the wire. */

import { describe, expect, test } from 'vitest';
import { closeFrame, frame, opcodes, text } from '../support/raw-web-socket.js';
import { useService } from '../support/service.js';
import { useWebSockets } from '../support/web-sockets.js';

const service = useService();
const { send } = service;

const { open, rejection } = useWebSockets(service);

test('?delay= of the echo delays each message, but not the handshake', async () => {
  const socket = await open('/api/ws/echo?delay=0.05');
  expect(socket.headers['x-simulated']).toBeUndefined();
  const startedAtMs = performance.now();
  socket.send(text('a'), text('b'), frame(opcodes.ping, 'at once'));
  expect((await socket.next())?.opcode).toBe(opcodes.pong);
  expect([await socket.text(), await socket.text()]).toEqual(['a', 'b']);
  expect(performance.now() - startedAtMs).toBeGreaterThan(95);
});

describe('push', () => {
  test('sends the requested number, and then closes with 1000', async () => {
    const socket = await open('/api/ws/push?interval=0&count=2');
    expect([await socket.text(), await socket.text()]).toEqual([
      '{"n":1,"of":2}',
      '{"n":2,"of":2}',
    ]);
    expect(await socket.closed()).toEqual([1000, 'All 2 were sent.']);
  });

  test('sends messages of a size, in binary', async () => {
    const socket = await open('/api/ws/push?interval=0&count=1&size=70000&binary=true');
    const message = await socket.next();
    expect([message?.opcode, message?.payload.length]).toEqual([opcodes.binary, 70_000]);
  });
});

describe('close', () => {
  test.each([
    ['code=1000', 1000, ''],
    ['code=1014&reason=bad%20gateway', 1014, 'bad gateway'],
    ['code=1003', 1003, ''],
    ['code=1007&reason=', 1007, ''],
    ['code=4999', 4999, ''],
    ['after=0.01&code=3000', 3000, ''],
    ['code=none', 1005, ''],
    ['code=none&after=0.01', 1005, ''],
  ])('%s', async (query, code, reason) => {
    const socket = await open(`/api/ws/close?${query}`);
    expect(await socket.closed()).toEqual([code, reason]);
    socket.send(closeFrame(1000));
    expect(await socket.connection.ended).toBe('closed');
  });

  test.each([
    '0',
    '999',
    '1004',
    '1005',
    '1006',
    '1015',
    '1016',
    '2000',
    '2999',
    '5000',
    '10000',
    '1e3',
    'None',
    '',
  ])('code "%s" must not be sent: 400', async (code) => {
    const { status, json } = await rejection(`/api/ws/close?code=${code}`);
    expect([status, json.errors[0].field]).toEqual([400, 'code']);
    expect(json.message).toContain('3000 to 4999 or none');
  });

  test('a reason without a code is 400', async () => {
    const { status, json } = await rejection('/api/ws/close?code=none&reason=bye');
    expect([status, json.errors[0].field]).toEqual([400, 'reason']);
  });

  test('a reason of more than 123 bytes is 400', async () => {
    const { status, json } = await rejection(`/api/ws/close?reason=${'%C3%A9'.repeat(62)}`);
    expect([status, json.errors[0].field]).toEqual([400, 'reason']);
  });

  test('abrupt=true ends the connection without a close frame', async () => {
    const socket = await open('/api/ws/close?abrupt=true');
    expect(await socket.next()).toBeUndefined();
  });
});

test('silent responds to messages, but not to pings', async () => {
  const socket = await open('/api/ws/silent');
  socket.send(frame(opcodes.ping, 'there?'), text('there?'));
  expect(await socket.text()).toBe('there?');
});

test('pings are sent, and their pongs reported', async () => {
  const socket = await open('/api/ws/pings?interval=0.02&count=2');
  const ping = await socket.next();
  expect([ping?.opcode, ping?.payload.toString()]).toEqual([opcodes.ping, '1']);
  socket.send(frame(opcodes.pong, '1'), frame(opcodes.pong, 'unasked'));
  const reports: { pong: string }[] = [];
  for (
    let frame = await socket.next();
    frame?.opcode !== opcodes.close;
    frame = await socket.next()
  ) {
    if (frame?.opcode === opcodes.text) reports.push(JSON.parse(frame.payload.toString()));
  }
  expect(reports).toEqual([
    { pong: '1', asked: true, afterMs: expect.any(Number) },
    { pong: 'unasked', asked: false, afterMs: null },
  ]);
});

test('slow sends a frame in many pieces', async () => {
  const socket = await open('/api/ws/slow?bytesPerSecond=200');
  socket.send(text('0123456789'));
  const pieces: number[] = [];
  socket.connection.socket.on('data', ({ length }) => pieces.push(length));
  expect(await socket.text()).toBe('0123456789');
  expect(pieces.length).toBeGreaterThan(1);
});

describe('fragments', () => {
  test('have the requested sizes', async () => {
    const socket = await open('/api/ws/fragments?sizes=1,0,2');
    socket.send(text('abcdef'));
    const frames = [
      await socket.next(),
      await socket.next(),
      await socket.next(),
      await socket.next(),
    ];
    expect(frames.map((each) => each?.payload.toString())).toEqual(['a', '', 'bc', 'def']);
    expect(frames.map((each) => each?.opcode)).toEqual([1, 0, 0, 0]);
  });

  test('with invalid sizes are 400', async () => {
    expect((await rejection('/api/ws/fragments?sizes=a')).json.errors[0].field).toBe('sizes');
  });
});

describe('protocols', () => {
  test.each([
    ['chat.v2', 'chat.v2'],
    ['unknown, json, chat.v1', 'json'],
  ])('the first supported of %s is selected', async (offered, spoken) => {
    const socket = await open('/api/ws/protocols', { 'Sec-WebSocket-Protocol': offered });
    expect(socket.headers['sec-websocket-protocol']).toBe(spoken);
    socket.send(text('{"a":1}'));
    expect(await socket.text()).toContain('{"a":1}');
  });

  test.each([[{}], [{ 'Sec-WebSocket-Protocol': 'chat.v3' }]])(
    'none of %j is 400, with the supported ones',
    async (headers) => {
      const { status, json } = await rejection('/api/ws/protocols', headers);
      expect(status).toBe(400);
      expect(json.message).toContain('chat.v1, chat.v2, json');
    },
  );

  test('invalid text in json closes with 1007', async () => {
    const socket = await open('/api/ws/protocols', { 'Sec-WebSocket-Protocol': 'json' });
    socket.send(text('{'));
    expect((await socket.closed())[0]).toBe(1007);
  });
});

test('rpc responds as JSON-RPC does, and sends notifications', async () => {
  const socket = await open('/api/ws/rpc');
  socket.send(text('{"jsonrpc":"2.0","method":"notify","params":[1],"id":7}'));
  expect(await socket.text()).toBe('{"jsonrpc":"2.0","method":"notified","params":[1]}');
  expect(JSON.parse(await socket.text())).toEqual({
    jsonrpc: '2.0',
    result: { notified: true },
    id: 7,
  });
  socket.send(text('{"jsonrpc":"2.0","method":"echo"}'), text('{'));
  expect(JSON.parse(await socket.text()).error.code).toBe(-32700);
});

test.each([200, 302, 401, 418, 503])('reject/%i rejects with that status', async (status) => {
  const { connection, status: got, headers } = await open(`/api/ws/refuse/${status}`);
  expect(got).toBe(status);
  if (status === 302) expect(headers.location).toBe('/api/ws/echo');
  if (status === 401) expect(headers).toHaveProperty('www-authenticate');
  expect(await connection.ended).toBe('closed');
});

describe('broken', () => {
  test.each([
    ['reserved-bits', 'b105'],
    ['bad-length', '817f8000000000000005'],
    ['invalid-utf8', '81046865fffe'],
    ['long-control', '897e007e'],
    ['orphan-continuation', '8005'],
    ['masked', '818500000000'],
    ['close-one-byte', '880103'],
    ['close-reserved-code', '880203ed'],
    ['close-undefined-code', '88020bb7'],
    ['close-invalid-reason', '880403e8fffe'],
  ])('%s', async (kind, start) => {
    const { connection } = await open(`/api/ws/broken/${kind}`);
    const head = connection.received().indexOf('\r\n\r\n') + 4;
    await connection.until(head + start.length / 2);
    expect(connection.received().subarray(head).toString('hex')).toMatch(new RegExp(`^${start}`));
  });

  test('wrong-accept', async () => {
    const { status, headers } = await open('/api/ws/broken/wrong-accept');
    expect([status, headers['sec-websocket-accept']]).toEqual([
      101,
      'AAAAAAAAAAAAAAAAAAAAAAAAAAA=',
    ]);
  });

  test('unknown kinds are 404, with a list', async () => {
    const { status, json } = await rejection('/api/ws/broken/none');
    expect(status).toBe(404);
    expect(json.message).toContain('reserved-bits, bad-length');
  });
});

test('every path without an upgrade is 426, and the index lists them all', async () => {
  const { endpoints } = (await send('GET /api/ws')).json;
  const paths = endpoints.filter(({ method }: { method: string }) => method === 'GET');
  expect(paths.length).toBeGreaterThan(12);
  for (const { path } of paths) {
    const { status, headers } = await send(
      `GET ${path.replace('{status}', '503').replace('{name}', 'a').replace('{kind}', 'reserved-bits')}`,
    );
    expect([path, status, headers.upgrade]).toEqual([path, 426, 'websocket']);
  }
});
