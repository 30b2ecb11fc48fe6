/** Frames that cost the server more than the client: RFC 9113 section 10.5. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import {
  block,
  codeOf,
  data,
  flags,
  frame,
  frameTypes,
  headers,
  isAck,
  isOf,
  openFrames,
  ping,
  requestFields,
  rstStream,
  settings,
  windowUpdate,
} from '../support/http2-frames.js';

let service: Service;
beforeAll(async () => {
  service = await createService({ tls: true, h2c: true });
});
afterAll(() => service.close());

const enhanceYourCalm = 11;
const open = flags.endHeaders;
const postFields = requestFields('/api/methods/post', 'POST');
const times = (count: number, make: (place: number) => Uint8Array) =>
  Array.from({ length: count }, (_, place) => make(place));
const stream = (place: number) => 2 * place + 1;

const floods: readonly (readonly [string, (count: number) => Uint8Array[]])[] = [
  // Without an open request, only 60 are accepted.
  ['PING', (count) => [headers(1, postFields, open), ...times(count, () => ping())]],
  // The preface contained the first.
  ['SETTINGS', (count) => times(count - 1, () => settings())],
  [
    'a reset of a complete request',
    (count) =>
      times(count, (place) => Buffer.concat([headers(stream(place)), rstStream(stream(place))])),
  ],
  [
    'a reset of a request that has begun',
    (count) =>
      times(count, (place) =>
        Buffer.concat([headers(stream(place), postFields, open), rstStream(stream(place))]),
      ),
  ],
];

test.each(floods)(
  'more than 1,000 of: %s, at once, end the connection with ENHANCE_YOUR_CALM',
  async (_what, make) => {
    for (const url of [service.tlsUrl ?? '', service.url]) {
      const connection = openFrames(url);
      connection.send(...make(1_100));
      const goaway = await connection.until(isOf(frameTypes.goaway));
      expect(goaway && codeOf(goaway)).toBe(enhanceYourCalm);
      await connection.ended;
    }
  },
);

test('and so do more than 1,000 sent one by one', async () => {
  const connection = openFrames(service.url);
  for (let sent = 0; sent < 1_100; sent += 100) {
    const before = connection.frames.length;
    connection.send(...times(100, () => ping()));
    await connection.until(
      (each) => connection.frames.length >= before + 100 || each.type === frameTypes.goaway,
    );
  }
  const goaway = await connection.until(isOf(frameTypes.goaway));
  expect(goaway && codeOf(goaway)).toBe(enhanceYourCalm);
});

test.each(floods)('fewer than 1,000 of: %s, are accepted', async (_what, make) => {
  const connection = openFrames(service.tlsUrl ?? '');
  connection.send(...make(900), ping(Buffer.from('the last')));
  const response = await connection.until(
    (each) => isAck(frameTypes.ping)(each) && each.payload.toString() === 'the last',
  );
  expect(response).toBeDefined();
  expect(connection.frames.filter(isOf(frameTypes.goaway))).toEqual([]);
  connection.socket.destroy();
});

test.each<[string, Uint8Array[], number]>([
  [
    'endless headers',
    [
      headers(1, block(requestFields()), 1),
      ...times(2_000, () => frame(frameTypes.continuation, 0, 1, block([['x', 'a'.repeat(100)]]))),
    ],
    enhanceYourCalm,
  ],
  ['data frames without data', [headers(1, postFields, open), ...times(3_000, () => data(1))], 2],
])('%s end the connection', async (_what, bytes, code) => {
  const connection = openFrames(service.tlsUrl ?? '');
  connection.send(...bytes);
  const goaway = await connection.until(isOf(frameTypes.goaway));
  expect(goaway && codeOf(goaway)).toBe(code);
  await connection.ended;
});

test('windows that open by a byte cost other clients nothing', async () => {
  const connection = openFrames(service.tlsUrl ?? '');
  connection.send(...times(4_000, () => windowUpdate(0, 1)), headers(1));
  expect(await connection.until(isOf(frameTypes.headers, 1))).toBeDefined();
  connection.socket.destroy();
});

test.each([
  ['windows that open by a byte', () => windowUpdate(0, 1)],
  ['priorities', () => frame(frameTypes.priority, 0, 1, [0, 0, 0, 0, 1])],
  ['unknown frames', () => frame(0x16, 0, 0, Buffer.alloc(100))],
])('endless %s exceed the limit', async (_what, make) => {
  for (const url of [service.tlsUrl ?? '', service.url]) {
    const connection = openFrames(url);
    const many = Buffer.concat(times(1_000, make));
    const more = () => {
      while (!connection.socket.destroyed && connection.socket.write(many));
    };
    connection.socket.on('drain', more);
    more();
    const goaway = await connection.until(isOf(frameTypes.goaway));
    expect(goaway && codeOf(goaway)).toBe(enhanceYourCalm);
    connection.socket.destroy();
  }
});

/**
 * The first header fills the table, and the second refers to it in a byte: 30 times 4,000 bytes.
 */
const kept = Buffer.concat([
  block(requestFields()),
  Buffer.from([0x40, 1, 0x78, 0x7f, 0xa1, 0x1e]),
  Buffer.alloc(4_000, 'a'),
]);
const bomb = Buffer.concat([block(requestFields()), Buffer.alloc(30, 0xbe)]);

test('headers of more than 64 KiB are 431, even if small on the wire', async () => {
  const connection = openFrames(service.tlsUrl ?? '');
  connection.send(headers(1, kept), headers(3, bomb), headers(5));
  for (const id of [1, 3, 5])
    expect(await connection.until(isOf(frameTypes.data, id))).toBeDefined();
  const [rejection] = connection.frames.filter(isOf(frameTypes.data, 3));
  expect(JSON.parse(rejection?.payload.toString() ?? '')).toMatchObject({ status: 431 });
  connection.socket.destroy();
});

test('once the client knows the limit, larger headers reset their stream', async () => {
  const connection = openFrames(service.tlsUrl ?? '');
  connection.send(
    frame(frameTypes.settings, flags.ack, 0),
    headers(1, kept),
    headers(3, bomb),
    headers(5),
  );
  expect(await connection.until(isOf(frameTypes.rstStream, 3))).toBeDefined();
  expect(await connection.until(isOf(frameTypes.headers, 5))).toBeDefined();
  connection.socket.destroy();
});

test('resets that a caller provokes count as well', async () => {
  const connection = openFrames(service.url);
  const lost = requestFields('/api/http/connection?rst=cancel');
  for (let sent = 0; sent < 1_100; sent += 50) {
    connection.send(...times(50, (place) => headers(stream(sent + place), lost)));
    const last = stream(sent + 49);
    await connection.until(
      (each) => isOf(frameTypes.rstStream, last)(each) || isOf(frameTypes.goaway)(each),
    );
  }
  const goaway = await connection.until(isOf(frameTypes.goaway));
  expect(goaway && codeOf(goaway)).toBe(enhanceYourCalm);
});
