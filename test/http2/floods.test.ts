/** Floods of the lab in both directions, and its limits. */

import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import {
  block,
  codeOf,
  data,
  flags,
  frame,
  frameTypes,
  headers,
  isOf,
  openFrames,
  ping,
  preface,
  requestFields,
  rstStream,
  settings,
  windowUpdate,
} from '../support/http2-frames.js';
import { openConnection } from '../support/raw-connection.js';
import { send } from '../support/service.js';

let service: Service;
let origin: string;
beforeAll(async () => {
  service = await createService({ http2LabPort: 0 });
  const [{ url }] = (await send(service.url, 'GET /api/http2/plan')).json;
  origin = new URL(url).origin;
});
afterAll(() => service.close());
afterEach(async () => {
  expect((await send(service.url, 'GET /health')).status).toBe(200);
});

const times = (count: number, make: (at: number) => Uint8Array) =>
  Buffer.concat(Array.from({ length: count }, (_, at) => make(at)));
const mebibyte = 1024 * 1024;
const calm = 11;
const unfinished = headers(1, block([['x', 'y']]), 0);

test.each<[string, Buffer, number]>([
  ['PING', times(70_000, () => ping()), calm],
  ['SETTINGS', times(80_000, () => settings()), calm],
  ['WINDOW_UPDATE', times(90_000, () => windowUpdate(0, 1)), calm],
  ['RST_STREAM', times(90_000, () => rstStream(1)), calm],
  ['unknown frames', times(120_000, () => frame(0xbb, 0, 0)), calm],
  [
    'DATA',
    Buffer.concat([
      headers(1, requestFields('/', 'POST'), flags.endHeaders),
      times(70, () => data(1, Buffer.alloc(16_384))),
    ]),
    calm,
  ],
  ['empty CONTINUATION', Buffer.concat([unfinished, times(8000, () => frame(9, 0, 1))]), calm],
  [
    'a field block of more than 64 KiB',
    Buffer.concat([unfinished, times(5, () => frame(9, 0, 1, Buffer.alloc(16_000)))]),
    calm,
  ],
  [
    'an HPACK bomb',
    headers(
      1,
      Buffer.concat([
        Buffer.from([0x40, 1, 0x78, 0x7f, 0xa1, 0x1e]),
        Buffer.alloc(4000, 'a'),
        Buffer.alloc(1000, 0xbe),
      ]),
    ),
    9,
  ],
  ['a frame of more than 16,384 octets', frame(0xbb, 0, 0, Buffer.alloc(16_385)), 6],
])('%s: the connection ends with GOAWAY', async (_what, flood, code) => {
  const connection = openFrames(origin);
  connection.send(flood);
  const goaway = await connection.until(isOf(frameTypes.goaway));
  expect(goaway && codeOf(goaway)).toBe(code);
  await connection.ended;
});

test('64 streams of a connection are served, and the next one is reset', async () => {
  const connection = openFrames(origin);
  connection.send(times(65, (at) => headers(2 * at + 1, requestFields('/nothing'))));
  expect(await connection.until(isOf(frameTypes.data, 127))).toBeDefined();
  const reset = await connection.until(isOf(frameTypes.rstStream));
  expect(reset && [reset.stream, codeOf(reset)]).toEqual([129, 7]);
  connection.socket.destroy();
});

test('a connection gets at most 1 MiB', async () => {
  const connection = openFrames(origin, {
    begin: Buffer.concat([preface, settings([4, 2 ** 31 - 1]), windowUpdate(0, 2 ** 30)]),
  });
  connection.send(times(60, (at) => headers(2 * at + 1, requestFields('/'))));
  await connection.ended;
  expect(connection.socket.bytesRead).toBeGreaterThan(mebibyte / 2);
  expect(connection.socket.bytesRead).toBeLessThanOrEqual(mebibyte);
});

test('a client that opens no window gets no DATA, and a client that reads nothing holds little', async () => {
  const closed = openFrames(origin, { begin: Buffer.concat([preface, settings([4, 0])]) });
  closed.send(headers(1, requestFields('/')), ping());
  await closed.until(isOf(frameTypes.ping));
  expect(closed.frames.some(isOf(frameTypes.data))).toBe(false);
  const { hostname, port } = new URL(origin);
  const silent = Array.from({ length: 20 }, () => connect(Number(port), hostname));
  for (const socket of silent) {
    socket
      .pause()
      .write(Buffer.concat([preface, settings(), headers(1, requestFields('/headers-256k'))]));
  }
  expect((await send(service.url, 'GET /api/http2/plan')).status).toBe(200);
  for (const socket of [closed.socket, ...silent]) socket.destroy();
});

describe('what is not HTTP/2', () => {
  test('HTTP/1.1 gets a short 400', async () => {
    const connection = openConnection(origin);
    connection.send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await connection.ended).toBe('closed');
    expect(connection.received().toString()).toMatch(
      /^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*only HTTP\/2/,
    );
  });

  test.each<[string, Buffer]>([
    ['a field block with a fault', headers(1, Buffer.from([0x80]))],
    ['CONTINUATION without HEADERS', frame(9, 4, 1)],
    ['a frame inside of a field block', Buffer.concat([unfinished, ping()])],
  ])('%s ends the connection', async (_what, bytes) => {
    const connection = openFrames(origin);
    connection.send(bytes);
    expect(await connection.until(isOf(frameTypes.goaway))).toBeDefined();
    await connection.ended;
  });
});
