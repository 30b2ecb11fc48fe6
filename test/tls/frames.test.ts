/**
 * Frames that are invalid in one way each, and the error that the other end gets: RFC 9113 and RFC
 * 7541.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import {
  block,
  codeOf,
  data,
  type FrameConnection,
  flags,
  frame,
  frameTypes,
  headers,
  isAck,
  isOf,
  openFrames,
  ping,
  preface,
  requestFields,
  rstStream,
  settings,
  uint32,
  windowUpdate,
} from '../support/http2-frames.js';

let service: Service;
beforeAll(async () => {
  service = await createService({ tls: true });
});
afterAll(() => service.close());

const names: Readonly<Record<number, string>> = {
  0: 'NO_ERROR',
  1: 'PROTOCOL_ERROR',
  2: 'INTERNAL_ERROR',
  3: 'FLOW_CONTROL_ERROR',
  5: 'STREAM_CLOSED',
  6: 'FRAME_SIZE_ERROR',
  7: 'REFUSED_STREAM',
  8: 'CANCEL',
  9: 'COMPRESSION_ERROR',
  11: 'ENHANCE_YOUR_CALM',
};

const lastPing = Buffer.from('the last');

/**
 * Returns `continues`, or the error of a stream or of the connection. A final PING gets a response
 * unless the connection is over.
 */
async function outcomeOf(connection: FrameConnection): Promise<string> {
  connection.send(ping(lastPing));
  const isLastAck = (each: { payload: Buffer }) => each.payload.equals(lastPing);
  const end = await connection.until(
    (each) => each.type === frameTypes.goaway || (isAck(frameTypes.ping)(each) && isLastAck(each)),
  );
  const reset = connection.frames.find(isOf(frameTypes.rstStream));
  connection.socket.destroy();
  if (end === undefined) return 'closed';
  if (end.type === frameTypes.goaway) return `connection ${names[codeOf(end)]}`;
  return reset === undefined ? 'continues' : `stream ${names[codeOf(reset)]}`;
}

const open = flags.endHeaders;
const get = headers(1);
const post = headers(1, requestFields('/api/methods/post', 'POST'), open);
const hold = headers(1, requestFields('/api/http/delay/5'), open);
const { continuation, priority, pushPromise, goaway } = frameTypes;

type Case = readonly [what: string, bytes: readonly Uint8Array[], outcome: string];

const cases: Readonly<Record<string, readonly Case[]>> = {
  'Frames (section 4)': [
    ['of an unknown type are ignored', [frame(0x16, 0, 0, [0, 0, 0])], 'continues'],
    [
      'with unknown flags are accepted',
      [frame(frameTypes.ping, 0xfe, 0, Buffer.alloc(8))],
      'continues',
    ],
    [
      'with the reserved bit are accepted',
      [frame(frameTypes.ping, 0, 2 ** 31, Buffer.alloc(8))],
      'continues',
    ],
    ['may be of 16 KiB', [post, data(1, Buffer.alloc(2 ** 14), 1)], 'continues'],
    [
      'with data must not be larger',
      [post, data(1, Buffer.alloc(2 ** 14 + 1), 1)],
      'connection FRAME_SIZE_ERROR',
    ],
    [
      'with headers must not be larger',
      [headers(1, Buffer.alloc(2 ** 14 + 1))],
      'connection FRAME_SIZE_ERROR',
    ],
    [
      'of another type must not come between headers',
      [headers(1, block(requestFields()), 1), frame(priority, 0, 1, [0, 0, 0, 0, 1])],
      'connection PROTOCOL_ERROR',
    ],
    [
      'of another stream must not either',
      [headers(1, block(requestFields()), 1), headers(3)],
      'connection PROTOCOL_ERROR',
    ],
    [
      'of an unknown type must not either',
      [headers(1, block(requestFields()), 1), frame(0x16, 0, 0)],
      'connection PROTOCOL_ERROR',
    ],
  ],
  'Streams (section 5)': [
    ['have odd numbers', [headers(2)], 'connection PROTOCOL_ERROR'],
    [
      'with a smaller number than a previous one are ignored',
      [headers(5), headers(3)],
      'continues',
    ],
    ['that are idle must not get data', [data(1, [1], 1)], 'connection PROTOCOL_ERROR'],
    ['that are idle must not be reset', [rstStream(1)], 'connection PROTOCOL_ERROR'],
    ['that are idle must not get a window', [windowUpdate(1, 100)], 'connection PROTOCOL_ERROR'],
    [
      'that are idle must not get a continuation',
      [frame(continuation, 4, 1, block(requestFields()))],
      'connection PROTOCOL_ERROR',
    ],
    [
      'that their client ended must not get data',
      [headers(1, requestFields('/api/http/stream/2?interval=5')), data(1, [1], 1)],
      'connection STREAM_CLOSED',
    ],
    [
      'that their client ended must not get headers',
      [headers(1, requestFields('/api/http/stream/2?interval=5')), headers(1)],
      'connection STREAM_CLOSED',
    ],
    ['that were reset may get data', [post, rstStream(1), data(1, [1], 1)], 'continues'],
    ['that were reset may get headers', [post, rstStream(1), headers(1)], 'continues'],
    [
      'must not depend on themselves',
      [headers(1, Buffer.concat([uint32(1), Buffer.from([1]), block(requestFields())]), 0x25)],
      'connection PROTOCOL_ERROR',
    ],
    [
      'must not be reset by half a code',
      [post, frame(frameTypes.rstStream, 0, 1, [0, 0, 0])],
      'connection FRAME_SIZE_ERROR',
    ],
    ['of number 0 must not be reset', [rstStream(0)], 'connection PROTOCOL_ERROR'],
  ],
  'DATA (section 6.1)': [
    ['belongs to a stream', [data(0, [1])], 'connection PROTOCOL_ERROR'],
    [
      'must not have more padding than bytes',
      [post, data(1, [5, 1, 1], flags.padded | 1)],
      'connection PROTOCOL_ERROR',
    ],
    ['may have padding', [post, data(1, [1, 1, 0], flags.padded | 1)], 'continues'],
  ],
  'HEADERS (sections 6.2 and 6.10)': [
    ['belong to a stream', [headers(0)], 'connection PROTOCOL_ERROR'],
    [
      'must not have more padding than bytes',
      [
        headers(
          1,
          Buffer.concat([Buffer.from([255]), block(requestFields())]),
          open | 1 | flags.padded,
        ),
      ],
      'connection PROTOCOL_ERROR',
    ],
    [
      'continue in continuations',
      [headers(1, block(requestFields()), 1), frame(continuation, 0, 1), frame(continuation, 4, 1)],
      'continues',
    ],
    [
      'continue in continuations of the same stream',
      [headers(1, block(requestFields()), 1), frame(continuation, 4, 0)],
      'connection PROTOCOL_ERROR',
    ],
    [
      'that have ended must not continue',
      [hold, frame(continuation, 4, 1)],
      'connection PROTOCOL_ERROR',
    ],
    [
      'must be complete before any data',
      [headers(1, block(requestFields()), 1), frame(continuation, 0, 1), data(1)],
      'connection PROTOCOL_ERROR',
    ],
    [
      'that are sent twice end the request',
      [post, headers(1, [['x-more', '1']], open)],
      'stream PROTOCOL_ERROR',
    ],
  ],
  'PRIORITY (section 6.3)': [
    ['belongs to a stream', [frame(priority, 0, 0, [0, 0, 0, 0, 1])], 'connection PROTOCOL_ERROR'],
    ['has five bytes', [frame(priority, 0, 1, [0, 0, 0, 0])], 'connection FRAME_SIZE_ERROR'],
    ['is ignored otherwise', [frame(priority, 0, 1, [0, 0, 0, 0, 1])], 'continues'],
  ],
  'SETTINGS (section 6.5)': [
    [
      'that acknowledge are empty',
      [frame(frameTypes.settings, flags.ack, 0, [0])],
      'connection FRAME_SIZE_ERROR',
    ],
    ['belong to the connection', [frame(frameTypes.settings, 0, 1)], 'connection PROTOCOL_ERROR'],
    [
      'have six bytes each',
      [frame(frameTypes.settings, 0, 0, [0, 3, 0])],
      'connection FRAME_SIZE_ERROR',
    ],
    ['allow or forbid pushes', [settings([2, 2])], 'connection PROTOCOL_ERROR'],
    ['have windows below 2 GiB', [settings([4, 2 ** 31])], 'connection FLOW_CONTROL_ERROR'],
    ['have frames of at least 16 KiB', [settings([5, 2 ** 14 - 1])], 'connection PROTOCOL_ERROR'],
    ['have frames of at most 16 MiB', [settings([5, 2 ** 24])], 'connection PROTOCOL_ERROR'],
    ['with unknown identifiers are ignored', [settings([0xff, 1])], 'continues'],
  ],
  'PUSH_PROMISE, PING, GOAWAY (sections 6.6 to 6.8)': [
    [
      'a client must not push',
      [get, frame(pushPromise, 4, 1, Buffer.concat([uint32(2), block(requestFields())]))],
      'connection PROTOCOL_ERROR',
    ],
    [
      'a ping belongs to the connection',
      [frame(frameTypes.ping, 0, 1, Buffer.alloc(8))],
      'connection PROTOCOL_ERROR',
    ],
    [
      'a ping has eight bytes',
      [frame(frameTypes.ping, 0, 0, Buffer.alloc(6))],
      'connection FRAME_SIZE_ERROR',
    ],
    [
      'a GOAWAY belongs to the connection',
      [frame(goaway, 0, 1, Buffer.alloc(8))],
      'connection PROTOCOL_ERROR',
    ],
  ],
  'WINDOW_UPDATE (section 6.9)': [
    ['of the connection must not be zero', [windowUpdate(0, 0)], 'connection PROTOCOL_ERROR'],
    ['of a stream must not be zero', [post, windowUpdate(1, 0)], 'connection PROTOCOL_ERROR'],
    [
      'has four bytes',
      [frame(frameTypes.windowUpdate, 0, 0, [0, 0, 1])],
      'connection FRAME_SIZE_ERROR',
    ],
    [
      'leaves the window below 2 GiB',
      [windowUpdate(0, 2 ** 31 - 1), windowUpdate(0, 2 ** 31 - 1)],
      'connection FLOW_CONTROL_ERROR',
    ],
    [
      'leaves the window of a stream below it, too',
      [post, windowUpdate(1, 2 ** 31 - 1), windowUpdate(1, 2 ** 31 - 1)],
      'stream FLOW_CONTROL_ERROR',
    ],
    [
      'by settings leaves the window of a stream below it, too',
      [post, windowUpdate(1, 2 ** 30), settings([4, 2 ** 31 - 1])],
      'stream FLOW_CONTROL_ERROR',
    ],
  ],
  'Requests (section 8)': [
    [
      'must not have an unknown pseudo-header',
      [headers(1, [...requestFields(), [':test', 'x']])],
      'stream PROTOCOL_ERROR',
    ],
    [
      'must not have a pseudo-header of responses',
      [headers(1, [...requestFields(), [':status', '200']])],
      'stream PROTOCOL_ERROR',
    ],
    [
      'must not have a pseudo-header after other headers',
      [headers(1, [['x-first', '1'], ...requestFields()])],
      'stream PROTOCOL_ERROR',
    ],
    [
      'must not have a pseudo-header in trailers',
      [post, headers(1, [[':path', '/']])],
      'stream PROTOCOL_ERROR',
    ],
    [
      'must not have upper case in names',
      [headers(1, [...requestFields(), ['X-Test', '1']])],
      'stream PROTOCOL_ERROR',
    ],
    [
      'must not have connection headers',
      [headers(1, [...requestFields(), ['connection', 'keep-alive']])],
      'stream PROTOCOL_ERROR',
    ],
    [
      'must not have Transfer-Encoding',
      [headers(1, [...requestFields(), ['transfer-encoding', 'chunked']])],
      'stream PROTOCOL_ERROR',
    ],
    [
      'may have TE with trailers only',
      [headers(1, [...requestFields(), ['te', 'trailers, deflate']])],
      'stream PROTOCOL_ERROR',
    ],
    ['must not have an empty path', [headers(1, requestFields(''))], 'stream PROTOCOL_ERROR'],
    ...[':method', ':scheme', ':path'].flatMap((name): Case[] => {
      const without = requestFields().filter(([each]) => each !== name);
      const twice = requestFields().flatMap((each) => (each[0] === name ? [each, each] : [each]));
      return [
        [`must have a ${name}`, [headers(1, without)], 'stream PROTOCOL_ERROR'],
        [`must have only one ${name}`, [headers(1, twice)], 'stream PROTOCOL_ERROR'],
      ];
    }),
    [
      'must match their length',
      [
        headers(1, requestFields('/api/methods/post', 'POST', [['content-length', '1']]), open),
        data(1, [1, 2, 3, 4], 1),
      ],
      'stream PROTOCOL_ERROR',
    ],
    [
      'must match their length in pieces, too',
      [
        headers(1, requestFields('/api/methods/post', 'POST', [['content-length', '1']]), open),
        data(1, [1]),
        data(1, [2], 1),
      ],
      'stream PROTOCOL_ERROR',
    ],
  ],
  'HPACK (RFC 7541)': [
    ['has no index 0', [headers(1, Buffer.from([0x80]))], 'connection COMPRESSION_ERROR'],
    [
      'has no index beyond its table',
      [headers(1, Buffer.from([0xc6]))],
      'connection COMPRESSION_ERROR',
    ],
    [
      'has no such index of a literal either',
      [headers(1, Buffer.from([0x7f, 0x0f, 1, 0x61]))],
      'connection COMPRESSION_ERROR',
    ],
    [
      'must not have a table larger than agreed',
      [headers(1, Buffer.concat([Buffer.from([0x3f, 0xe2, 0x1f]), block(requestFields())]))],
      'connection COMPRESSION_ERROR',
    ],
    [
      'must change its table first',
      [headers(1, Buffer.concat([block(requestFields()), Buffer.from([0x20])]))],
      'connection COMPRESSION_ERROR',
    ],
    [
      'must pad Huffman codes by less than a byte',
      [
        headers(
          1,
          Buffer.concat([
            block(requestFields()),
            Buffer.from([
              0, 1, 0x61, 0x85, 0xf2, 0xb2, 0x4a, 0x84, 0xff, 0x84, 0x49, 0x50, 0x9f, 0xff,
            ]),
          ]),
        ),
      ],
      'connection COMPRESSION_ERROR',
    ],
    [
      'must pad Huffman codes by ones',
      [headers(1, Buffer.concat([block(requestFields()), Buffer.from([0, 1, 0x61, 0x81, 0x18])]))],
      'connection COMPRESSION_ERROR',
    ],
    [
      'must not contain the end of string',
      [
        headers(
          1,
          Buffer.concat([
            block(requestFields()),
            Buffer.from([0, 1, 0x61, 0x84, 0xff, 0xff, 0xff, 0xff]),
          ]),
        ),
      ],
      'connection COMPRESSION_ERROR',
    ],
    [
      'must end at its length',
      [headers(1, Buffer.from([0x40, 0x7f]))],
      'connection COMPRESSION_ERROR',
    ],
  ],
};

describe.each(Object.entries(cases))('%s', (_section, each) => {
  test.each(each)('%s', async (_what, bytes, outcome) => {
    const connection = openFrames(service.tlsUrl ?? '');
    connection.send(...bytes);
    expect(await outcomeOf(connection)).toBe(outcome);
  });
});

test('a connection with another preface is closed', async () => {
  const connection = openFrames(service.tlsUrl ?? '', {
    begin: Buffer.from('INVALID CONNECTION PREFACE\r\n\r\n'),
  });
  await connection.ended;
  expect(connection.frames.filter(isOf(frameTypes.headers))).toEqual([]);
});

test('the first frame has the settings: streams, headers, windows, no pushes', async () => {
  const connection = openFrames(service.tlsUrl ?? '', { begin: preface });
  const first = await connection.until(() => true);
  expect(first?.type).toBe(frameTypes.settings);
  const told = new Map<number, number>();
  for (let place = 0; place < (first?.payload.length ?? 0); place += 6) {
    told.set(first?.payload.readUInt16BE(place) ?? 0, first?.payload.readUInt32BE(place + 2) ?? 0);
  }
  expect(told.get(3)).toBe(100);
  expect(told.get(6)).toBe(64 * 1024);
  connection.send(settings());
  expect(await connection.until(isAck(frameTypes.settings))).toBeDefined();
  connection.socket.destroy();
});

test('a ping is echoed unchanged', async () => {
  const connection = openFrames(service.tlsUrl ?? '');
  connection.send(ping(Buffer.from('01234567')));
  const response = await connection.until(isAck(frameTypes.ping));
  expect(response?.payload.toString()).toBe('01234567');
  connection.socket.destroy();
});

test('no more than the window is sent, and more when it opens', async () => {
  const connection = openFrames(service.tlsUrl ?? '', {
    begin: Buffer.concat([preface, settings([4, 3])]),
  });
  connection.send(headers(1));
  const first = await connection.until(isOf(frameTypes.data, 1));
  expect(first?.payload.length).toBe(3);
  connection.send(settings([4, 5]));
  const second = await connection.until((each) => each !== first && isOf(frameTypes.data, 1)(each));
  expect(second?.payload.length).toBe(2);
  connection.socket.destroy();
});

test('a negative window is respected', async () => {
  const connection = openFrames(service.tlsUrl ?? '', {
    begin: Buffer.concat([preface, settings([4, 3])]),
  });
  connection.send(headers(1));
  const first = await connection.until(isOf(frameTypes.data, 1));
  connection.send(settings([4, 1]), windowUpdate(1, 3));
  const second = await connection.until((each) => each !== first && isOf(frameTypes.data, 1)(each));
  expect(second?.payload.length).toBe(1);
  connection.socket.destroy();
});

test.each([
  ['before the limit is acknowledged', [], 'stream 201 REFUSED_STREAM'],
  ['after it is', [frame(frameTypes.settings, flags.ack, 0)], 'connection PROTOCOL_ERROR'],
])('a hundred and one streams at once are too many %s', async (_when, first, outcome) => {
  const connection = openFrames(service.tlsUrl ?? '');
  await connection.until(isAck(frameTypes.settings));
  const streams = Array.from({ length: 101 }, (_, place) => 2 * place + 1);
  const fields = requestFields('/api/methods/post', 'POST');
  connection.send(...first, ...streams.map((id) => headers(id, fields, open)));
  const told = await connection.until(
    (each) => isOf(frameTypes.rstStream)(each) || isOf(frameTypes.goaway)(each),
  );
  const whose = told?.type === frameTypes.goaway ? 'connection' : `stream ${told?.stream}`;
  expect(`${whose} ${told && names[codeOf(told)]}`).toBe(outcome);
  connection.socket.destroy();
});
