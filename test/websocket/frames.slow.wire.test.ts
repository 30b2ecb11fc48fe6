/** The behaviour of a server with frames: RFC 6455 sections 5 to 8 and RFC 7692, on the wire. */

import { once } from 'node:events';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { closeFrame, frame, opcodes, text } from '../support/raw-web-socket.js';
import { useService } from '../support/service.js';
import { useWebSockets } from '../support/web-sockets.js';

const service = useService();
const { ping, pong, continuation, binary } = opcodes;

const sockets = useWebSockets(service);
const open = (path = '/api/ws/echo', headers = {}) => sockets.open(path, headers);

const kibibyte = 1024;
const maxBytes = 1024 * kibibyte;

describe('messages are echoed', () => {
  const letters = (length: number) => Buffer.alloc(length, '*');
  test.each([
    ['an empty text', opcodes.text, letters(0)],
    ['125 bytes', opcodes.text, letters(125)],
    ['126 bytes', opcodes.text, letters(126)],
    ['127 bytes', opcodes.text, letters(127)],
    ['128 bytes', opcodes.text, letters(128)],
    ['65,535 bytes', opcodes.text, letters(65_535)],
    ['65,536 bytes', opcodes.text, letters(65_536)],
    ['1 MiB', opcodes.text, letters(maxBytes)],
    ['an empty binary message', binary, letters(0)],
    ['126 binary bytes', binary, Buffer.alloc(126, 0xfe)],
    ['1 MiB of binary', binary, Buffer.alloc(maxBytes, 0xfe)],
  ])('%s', async (_name, opcode, payload) => {
    const socket = await open();
    socket.send(frame(opcode, payload));
    const response = await socket.next();
    expect([response?.opcode, response?.isFinal, response?.isMasked, response?.reserved]).toEqual([
      opcode,
      true,
      false,
      0,
    ]);
    expect(response?.payload.equals(payload)).toBe(true);
  });

  const warning = (subject: string) =>
    `The length of ${subject} not in its shortest form (RFC 6455 section 5.2).`;

  test.each([
    ['7 bits', [text('hello')], []],
    ['16 bits for 5 bytes', [text('hello', { lengthBytes: 2 })], [warning('one frame is')]],
    ['64 bits for 5 bytes', [text('hello', { lengthBytes: 8 })], [warning('one frame is')]],
    ['64 bits for 200 bytes', [text(letters(200), { lengthBytes: 8 })], [warning('one frame is')]],
    ['16 bits for 126 bytes', [text(letters(126), { lengthBytes: 2 })], []],
    [
      'two of three frames',
      [
        text('a', { isFinal: false, lengthBytes: 2 }),
        frame(continuation, 'b', { isFinal: false }),
        frame(continuation, 'c', { lengthBytes: 8 }),
      ],
      [warning('2 frames are')],
    ],
  ])('and reported with report=true: a length in %s', async (_name, frames, warnings) => {
    const socket = await open('/api/ws/echo?report=true');
    socket.send(...frames);
    for (let left = frames.length; left > 0; left--) await socket.next();
    const report = JSON.parse(await socket.text());
    expect(report).toMatchObject({ message: 1, type: 'text', frames: frames.length, warnings });
    // Also a byte at a time, and the next message has none of these warnings.
    for (const byte of text('next')) socket.send(Buffer.from([byte]));
    expect(await socket.text()).toBe('next');
    expect(JSON.parse(await socket.text())).toMatchObject({ message: 2, warnings: [] });
  });

  test.each([0, 125, 126, 65_536])(
    'ws writes the length of %i bytes in its shortest form',
    async (bytes) => {
      const client = new WebSocket(`${service.url.replace('http', 'ws')}/api/ws/echo?report=true`);
      await once(client, 'open');
      const received: string[] = [];
      client.on('message', (data) => received.push(String(data)));
      client.send(Buffer.alloc(bytes));
      await expect.poll(() => received.length).toBe(2);
      expect(JSON.parse(received[1] ?? '')).toMatchObject({ type: 'binary', bytes, warnings: [] });
      client.terminate();
    },
  );

  test('a byte at a time as well', async () => {
    const socket = await open();
    for (const byte of text('slowly')) socket.send(Buffer.from([byte]));
    expect(await socket.text()).toBe('slowly');
  });

  test('many in one packet, in their order', async () => {
    const socket = await open();
    const texts = Array.from({ length: 500 }, (_, n) => `message ${n}`);
    socket.send(...texts.map((each) => text(each)));
    for (const each of texts) expect(await socket.text()).toBe(each);
  });
});

const begin = (payload: string | Buffer, opcode: number = opcodes.text) =>
  frame(opcode, payload, { isFinal: false });
const more = (payload: string | Buffer) => frame(continuation, payload, { isFinal: false });
const end = (payload: string | Buffer) => frame(continuation, payload);

describe('fragments', () => {
  test.each([
    ['two', [begin('frag'), end('ment')], ['frag', 'ment']],
    ['an empty one first', [begin(''), end('ment')], ['', 'ment']],
    ['empty ones in between', [begin('a'), more(''), more(''), end('b')], ['a', '', '', 'b']],
    ['an empty one last', [begin('a'), end('')], ['a', '']],
    ['only empty ones', [begin(''), more(''), end('')], ['', '', '']],
    [
      'a split character',
      [begin(Buffer.from([0xce])), end(Buffer.from([0xba]))],
      ['\ufffd', '\ufffd'],
    ],
  ])('%s are echoed unchanged', async (_name, frames, payloads) => {
    const socket = await open();
    socket.send(...frames);
    for (const [place, payload] of payloads.entries()) {
      const response = await socket.next();
      expect(response?.payload.toString()).toBe(payload);
      expect(response?.opcode).toBe(place === 0 ? opcodes.text : continuation);
      expect(response?.isFinal).toBe(place === payloads.length - 1);
    }
  });

  test('of one byte can be as many as the maximum message has bytes', async () => {
    const socket = await open();
    const count = 64 * kibibyte;
    const middle = more('b');
    const all = Buffer.alloc(middle.length * (count - 2));
    for (let place = 0; place < all.length; place += middle.length) all.set(middle, place);
    socket.send(begin('a'), all);
    socket.send(frame(ping, 'there?'));
    expect((await socket.next())?.payload.toString()).toBe('there?');
    socket.send(end('c'));
    const { connection } = socket;
    await connection.until(connection.received().length + 3 * count - 20_000);
  });

  test('are interleaved with pings and their pongs', async () => {
    const socket = await open();
    socket.send(begin('frag'), frame(ping, 'now'), end('ment'));
    const response = await socket.next();
    expect([response?.opcode, response?.payload.toString()]).toEqual([pong, 'now']);
    expect(await socket.text()).toBe('frag');
  });
});

describe('pings and pongs', () => {
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a text', Buffer.from('Hello')],
    ['bytes that are not text', Buffer.from([0, 0xff, 0xfe, 0xfd, 0xfc])],
    ['125 bytes', Buffer.alloc(125, 0xfe)],
  ])('a ping with %s gets the same pong', async (_name, payload) => {
    const socket = await open();
    socket.send(frame(ping, payload));
    const response = await socket.next();
    expect(response?.opcode).toBe(pong);
    expect(response?.payload).toEqual(payload);
  });

  test('an unsolicited pong is ignored', async () => {
    const socket = await open();
    socket.send(frame(pong, 'unasked'), frame(ping, 'asked'));
    expect((await socket.next())?.payload.toString()).toBe('asked');
  });

  test('ten pings have ten pongs in their order', async () => {
    const socket = await open();
    const numbers = Array.from({ length: 10 }, (_, n) => String(n));
    socket.send(...numbers.map((n) => frame(ping, n)));
    for (const n of numbers) expect((await socket.next())?.payload.toString()).toBe(n);
  });
});

describe('a protocol error closes the connection with a reason', () => {
  const close = (payload: Buffer) => frame(opcodes.close, payload);
  const faults: readonly (readonly [string, readonly Buffer[], number, string])[] = [
    ['RSV1', [text('a', { reserved: 0b100 })], 1002, 'RSV1 must be 0'],
    ['RSV2', [text('a', { reserved: 0b010 })], 1002, 'RSV2 and RSV3'],
    ['RSV3', [text('a', { reserved: 0b001 })], 1002, 'RSV2 and RSV3'],
    ['all reserved bits on a ping', [frame(ping, '', { reserved: 0b111 })], 1002, 'reserved bits'],
    ['a frame without a mask', [text('a', { isMasked: false })], 1002, 'masked'],
    ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map(
      (opcode) =>
        [`opcode ${opcode}`, [frame(opcode, 'a')], 1002, `opcode ${opcode} is reserved`] as const,
    ),
    ['a ping of 126 bytes', [frame(ping, Buffer.alloc(126))], 1002, 'at most 125 bytes'],
    ['a close frame of 126 bytes', [close(Buffer.alloc(126))], 1002, 'at most 125 bytes'],
    ['a ping in fragments', [frame(ping, '', { isFinal: false })], 1002, 'FIN must be 1'],
    ['a continuation of nothing', [end('a')], 1002, 'no message to continue'],
    [
      'a continuation after the last fragment',
      [begin('a'), end('b'), end('c')],
      1002,
      'no message to continue',
    ],
    ['a text amid a text', [begin('a'), text('b')], 1002, 'before the last fragment'],
    [
      'a binary message amid a text',
      [begin('a'), frame(binary, 'b')],
      1002,
      'before the last fragment',
    ],
    ['a text that is not UTF-8', [text(Buffer.from([0xce, 0xba, 0xff]))], 1007, 'UTF-8'],
    ['a surrogate', [text(Buffer.from([0xed, 0xa0, 0x80]))], 1007, 'UTF-8'],
    ['an overlong form', [text(Buffer.from([0xc0, 0xaf]))], 1007, 'UTF-8'],
    ['a code point beyond Unicode', [text(Buffer.from([0xf4, 0x90, 0x80, 0x80]))], 1007, 'UTF-8'],
    ['a truncated character', [text(Buffer.from([0xf0, 0x9f, 0x98]))], 1007, 'UTF-8'],
    [
      'a text that is not UTF-8 in fragments',
      [begin('κόσμε'), end(Buffer.from([0xff]))],
      1007,
      'UTF-8',
    ],
    ['a byte above 1 MiB', [text(Buffer.alloc(maxBytes + 1, 'a'))], 1009, 'at most 1048576 bytes'],
    [
      'a length above 1 MiB, at once',
      [text('', { length: 1n << 40n })],
      1009,
      'at most 1048576 bytes',
    ],
    [
      'a length of 63 bits',
      [text('', { length: (1n << 63n) - 1n })],
      1009,
      'at most 1048576 bytes',
    ],
    ...[1n << 63n, (1n << 63n) + 5n, (1n << 64n) - 1n].map(
      (length) =>
        [
          `a length of 64 bits, ${length}`,
          [text('', { length })],
          1002,
          'The highest bit of a 64-bit length must be 0.',
        ] as const,
    ),
    [
      'a continuation with a length of 64 bits',
      [begin('a'), frame(continuation, '', { length: 1n << 63n })],
      1002,
      'highest bit',
    ],
    [
      'fragments above 1 MiB',
      [begin(Buffer.alloc(maxBytes, 'a')), end('b')],
      1009,
      'at most 1048576 bytes',
    ],
    ['a close frame of one byte', [close(Buffer.alloc(1))], 1002, '1 byte'],
    ['a reason that is not UTF-8', [closeFrame(1000, Buffer.from([0xff]))], 1007, 'UTF-8'],
    ...[0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535].map(
      (code) =>
        [`close code ${code}`, [closeFrame(code)], 1002, `close code ${code} must not`] as const,
    ),
  ];
  test.each(faults)('%s', async (_name, frames, code, words) => {
    const socket = await open();
    socket.send(...frames);
    let response = await socket.next();
    // Messages before the error get their responses first.
    while (response !== undefined && response.opcode !== opcodes.close)
      response = await socket.next();
    expect(response?.payload.readUInt16BE()).toBe(code);
    expect(response?.payload.toString('utf8', 2)).toContain(words);
    expect(response?.payload.length).toBeLessThanOrEqual(125);
    socket.connection.socket.end();
    expect(await socket.connection.ended).toBe('closed');
  });
});

test('the response has the limit of ?max=', async () => {
  const socket = await open('/api/ws/echo?max=10');
  socket.send(text('0123456789'), text('0123456789a'));
  expect(await socket.text()).toBe('0123456789');
  expect(await socket.closed()).toEqual([1009, 'A message may have at most 10 bytes.']);
});

describe('closing', () => {
  test.each([
    1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999,
  ])('by %i gets the same, and the connection ends', async (code) => {
    const socket = await open();
    socket.send(closeFrame(code, 'a reason'));
    expect(await socket.closed()).toEqual([code, 'a reason']);
    expect(await socket.connection.ended).toBe('closed');
  });

  test.each([
    ['without a code', frame(opcodes.close), 1005, ''],
    ['with the longest reason', closeFrame(1000, '*'.repeat(123)), 1000, '*'.repeat(123)],
  ])('%s', async (_name, sent, code, reason) => {
    const socket = await open();
    socket.send(sent);
    expect(await socket.closed()).toEqual([code, reason]);
  });

  test('frames after a close frame are ignored', async () => {
    const socket = await open();
    socket.send(closeFrame(1000), text('late'), frame(ping, 'late'));
    expect(await socket.closed()).toEqual([1000, '']);
    expect(await socket.next()).toBeUndefined();
  });
});

describe('compression', () => {
  const offer = (parameters = '') => ({
    'Sec-WebSocket-Extensions': `permessage-deflate${parameters}`,
  });
  const compress = (payload: string | Buffer, windowBits = 15) =>
    deflateRawSync(payload, { windowBits, finishFlush: 2 }).subarray(0, -4);
  const inflate = (payload: Buffer) =>
    inflateRawSync(Buffer.concat([payload, Buffer.from([0, 0, 0xff, 0xff])]), {
      finishFlush: 2,
    }).toString();
  const compressed = { reserved: 0b100 };
  const bomb = compress(Buffer.alloc(8 * maxBytes));

  test.each([
    ['nothing', '', /^permessage-deflate; server_max_window_bits=12$/],
    [
      'the offer of browsers',
      '; client_max_window_bits',
      /server_max_window_bits=12; client_max_window_bits=12|client_max_window_bits=12; server_max_window_bits=12/,
    ],
    [
      'windows of 9 bits',
      '; server_max_window_bits=9; client_max_window_bits=10',
      /(?=.*server_max_window_bits=9)(?=.*client_max_window_bits=10)/,
    ],
    [
      'no context takeover',
      '; server_no_context_takeover; client_no_context_takeover',
      /(?=.*server_no_context_takeover)(?=.*client_no_context_takeover)/,
    ],
    [
      'a second offer after an impossible one',
      '; server_max_window_bits=8, permessage-deflate',
      /^permessage-deflate; server_max_window_bits=12$/,
    ],
    [
      'a second offer after an unknown parameter',
      '; unknown, permessage-deflate; server_no_context_takeover',
      /server_no_context_takeover/,
    ],
  ])('offered with %s is accepted', async (_name, parameters, response) => {
    const { headers } = await open('/api/ws/echo', offer(parameters));
    expect(headers['sec-websocket-extensions']).toMatch(response);
  });

  test.each([
    ['an unknown parameter', '; unknown'],
    ['a window of 8 bits, which zlib does not support', '; server_max_window_bits=8'],
    ['an invalid window', '; server_max_window_bits=16'],
    ['a repeated parameter', '; client_no_context_takeover; client_no_context_takeover'],
    ['an invalid list', '; ='],
  ])('offered only with %s is ignored', async (_name, parameters) => {
    const { status, headers } = await open('/api/ws/echo', offer(parameters));
    expect([status, headers['sec-websocket-extensions']]).toEqual([101, undefined]);
  });

  test.each([
    ['with context takeover', ''],
    ['without', '; server_no_context_takeover; client_no_context_takeover'],
    ['in small windows', '; server_max_window_bits=9; client_max_window_bits=9'],
  ])('%s, messages are compressed both ways', async (_name, parameters) => {
    const socket = await open('/api/ws/echo', offer(parameters));
    const payload = 'a text that has repetitions, repetitions, repetitions. '.repeat(40);
    for (let round = 0; round < 3; round++) {
      socket.send(text(compress(payload, 9), compressed));
      const response = await socket.next();
      expect(response?.reserved).toBe(0b100);
      if (round === 0 || parameters.includes('no_context'))
        expect(inflate(response?.payload ?? Buffer.alloc(0))).toBe(payload);
    }
  });

  test('a fragmented message is compressed as a whole, and echoed in the same number of fragments', async () => {
    const socket = await open('/api/ws/echo', offer());
    const bytes = compress('ab'.repeat(500));
    socket.send(
      frame(opcodes.text, bytes.subarray(0, 4), { isFinal: false, ...compressed }),
      end(bytes.subarray(4)),
    );
    const [first, last] = [await socket.next(), await socket.next()];
    expect([first?.reserved, first?.isFinal, last?.reserved, last?.isFinal]).toEqual([
      0b100,
      false,
      0,
      true,
    ]);
  });

  test('uncompressed messages are accepted nevertheless', async () => {
    const socket = await open('/api/ws/echo', offer('; server_no_context_takeover'));
    socket.send(text('plain'));
    expect(await socket.text()).toBe('plain');
  });

  test.each([
    ['a bomb', [text(bomb, compressed)], 1009, 'at most 1048576'],
    [
      'a bomb in fragments',
      [
        frame(opcodes.text, bomb.subarray(0, 1000), { isFinal: false, ...compressed }),
        end(bomb.subarray(1000)),
      ],
      1009,
      'at most 1048576',
    ],
    ['invalid DEFLATE', [text(Buffer.from([0xff, 0xff, 0xff]), compressed)], 1007, 'DEFLATE'],
    ['RSV1 on a continuation', [begin('a'), frame(continuation, 'b', compressed)], 1002, 'RSV1'],
    ['RSV1 on a ping', [frame(ping, '', compressed)], 1002, 'RSV1'],
  ])('%s is closed', async (_name, frames, code, words) => {
    const socket = await open('/api/ws/echo', offer());
    socket.send(...frames);
    const [got, reason] = await socket.closed();
    expect([got, reason.includes(words)]).toEqual([code, true]);
  });
});
