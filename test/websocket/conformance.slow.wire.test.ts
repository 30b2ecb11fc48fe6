/**
 * Cases of RFC 6455 and 7692 by the numbers of the Autobahn test suite (groups 1 to 7, 9, 10, 12
 * and 13), unless `frames.wire.test.ts` has them. Sizes above 1 MiB are reduced to it.
 */

import { constants, createDeflateRaw, createInflateRaw } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  closeFrame,
  frame,
  opcodes,
  openWebSocket,
  type RawWebSocket,
  text,
} from '../support/raw-web-socket.js';
import { useService } from '../support/service.js';

const service = useService();
const { ping, pong, continuation, binary } = opcodes;
const names = new Map<number, string>([
  [opcodes.text, 'text'],
  [binary, 'binary'],
  [ping, 'ping'],
  [pong, 'pong'],
]);
const kibibyte = 1024;

/** The received frames, messages joined, and the close code; closes after the given number. */
async function listen(socket: RawWebSocket, count: number): Promise<readonly string[]> {
  const heard: string[] = [];
  const end = () => {
    if (heard.length === count) socket.send(closeFrame(1000));
  };
  end();
  let parts: Buffer[] = [];
  let kind = '';
  for (let got = await socket.next(); got !== undefined; got = await socket.next()) {
    if (got.opcode === opcodes.close) {
      const { payload } = got;
      return [...heard, `close ${payload.length < 2 ? 1005 : payload.readUInt16BE()}`];
    }
    if (got.opcode === ping || got.opcode === pong) {
      heard.push(`${names.get(got.opcode)} ${got.payload.toString('latin1')}`);
      end();
      continue;
    }
    if (got.opcode !== continuation) kind = names.get(got.opcode) ?? '';
    parts.push(got.payload);
    if (!got.isFinal) continue;
    heard.push(`${kind} ${Buffer.concat(parts).toString('latin1')}`);
    parts = [];
    end();
  }
  return [...heard, 'cut'];
}

/**
 * Sends frames, in pieces of the given size, and a close frame once that many responses have
 * arrived.
 */
async function converse(
  frames: readonly Buffer[],
  responses: number,
  chop = 0,
): Promise<readonly string[]> {
  const socket = await openWebSocket(service.url, '/api/ws/echo');
  const bytes = Buffer.concat(frames);
  const size = chop || bytes.length;
  for (let place = 0; place < bytes.length; place += size) {
    socket.send(bytes.subarray(place, place + size));
  }
  const heard = await listen(socket, responses);
  socket.connection.socket.destroy();
  return heard;
}

const open = (opcode: number, payload: string | Buffer) =>
  frame(opcode, payload, { isFinal: false });
const more = (payload: string | Buffer) => open(continuation, payload);
const last = (payload: string | Buffer) => frame(continuation, payload);
const reserved = (opcode: number, bits: number) => frame(opcode, 'a', { reserved: bits });
const stars = (length: number) => '*'.repeat(length);
const normal = 'close 1000';
const fault = 'close 1002';
const eachSize = [0, 125, 126, 127, 128, 65_535, 65_536];

type Case = readonly [
  name: string,
  frames: readonly Buffer[],
  heard: readonly string[],
  chop?: number,
];

const framing: readonly Case[] = [
  ...eachSize.map(
    (size): Case => [
      `1.2: ${size} bytes`,
      [frame(binary, stars(size))],
      [`binary ${stars(size)}`, normal],
    ],
  ),
  ['1.1.8', [text(stars(65_536))], [`text ${stars(65_536)}`, normal], 997],
  ['1.2.8', [frame(binary, stars(65_536))], [`binary ${stars(65_536)}`, normal], 997],
  ['2.6', [frame(ping, stars(125))], [`pong ${stars(125)}`, normal], 1],
  ['2.7', [frame(pong)], [normal]],
  ['2.8', [frame(pong, 'unasked')], [normal]],
  ['2.9', [frame(pong, 'unasked'), frame(ping, 'a')], ['pong a', normal]],
  [
    '2.11',
    Array.from({ length: 10 }, (_, n) => frame(ping, `${n}`)),
    [...Array.from({ length: 10 }, (_, n) => `pong ${n}`), normal],
    1,
  ],
  ['3.1', [reserved(opcodes.text, 1)], [fault]],
  ['3.2', [text('a'), reserved(opcodes.text, 2), frame(ping)], ['text a', fault]],
  ['3.3', [text('a'), reserved(opcodes.text, 3), frame(ping)], ['text a', fault], 5],
  ['3.4', [text('a'), reserved(opcodes.text, 4), frame(ping)], ['text a', fault], 1],
  ['3.5', [reserved(binary, 5)], [fault]],
  ['3.6', [reserved(ping, 6)], [fault]],
  ['3.7', [reserved(opcodes.close, 7)], [fault]],
  ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].flatMap((opcode): readonly Case[] => [
    [`4: opcode ${opcode} after a text`, [text('a'), frame(opcode, 'b')], ['text a', fault]],
    [
      `4: opcode ${opcode}, by bytes`,
      [text('a'), frame(opcode), frame(ping)],
      ['text a', fault],
      1,
    ],
  ]),
];

const two = [open(opcodes.text, 'a'), last('b')];
const pinged = [open(opcodes.text, 'a'), frame(ping, 'p'), last('b')];
const fragments: readonly Case[] = [
  ['5.1', [open(ping, 'a'), last('b')], [fault]],
  ['5.2', [open(pong, 'a'), last('b')], [fault]],
  ['5.3', two, ['text ab', normal]],
  ['5.4', two, ['text ab', normal], 7],
  ['5.5', two, ['text ab', normal], 1],
  ['5.6', pinged, ['pong p', 'text ab', normal]],
  ['5.7', pinged, ['pong p', 'text ab', normal], 7],
  ['5.8', pinged, ['pong p', 'text ab', normal], 1],
  ['5.9', [last('a'), text('b')], [fault]],
  ['5.10', [last('a'), text('b')], [fault], 7],
  ['5.11', [last('a'), text('b')], [fault], 1],
  ['5.12', [more('a'), text('b')], [fault]],
  ['5.13', [more('a'), text('b')], [fault], 7],
  ['5.14', [more('a'), text('b')], [fault], 1],
  ['5.15', [...two, more('c'), text('d')], ['text ab', fault]],
  ['5.16', [more('a'), text('b'), more('a'), text('b')], [fault]],
  ['5.17', [last('a'), text('b'), last('a'), text('b')], [fault]],
  ['5.18', [open(opcodes.text, 'a'), text('b')], [fault]],
  ...[0, 1].map(
    (chop): Case => [
      `5.${19 + chop}`,
      [
        open(opcodes.text, 'a'),
        more('b'),
        frame(ping, 'p'),
        more('c'),
        more('d'),
        frame(ping, 'q'),
        last('e'),
      ],
      ['pong p', 'pong q', 'text abcde', normal],
      chop,
    ],
  ),
];

const greek = Buffer.from('κόσμε');
const latin = (bytes: Buffer) => bytes.toString('latin1');
const byBytes = (bytes: Buffer) => [
  open(opcodes.text, bytes.subarray(0, 1)),
  ...Array.from(bytes.subarray(1), (byte) => more(Buffer.from([byte]))),
  last(''),
];
const edited = Buffer.concat([greek, Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('edited')]);
const beyond = Buffer.from([0xf4, 0x90, 0x80, 0x80]);
const noText = 'close 1007';

/** UTF-8 by the groups of Markus Kuhn's file: valid texts as text, invalid ones in hexadecimal. */
const rightUtf8 = [
  ['6.5', ['68656c6c6f24', '68c2a277', '68e282ac77', '68f0a4ada277', 'cebae1bdb9cf83cebcceb5']],
  ['6.7', ['00', 'c280', 'e0a080', 'f0908080']],
  ['6.9', ['7f', 'dfbf', 'efbfbf', 'f48fbfbf']],
  ['6.11', ['ed9fbf', 'ee8080', 'efbfbd', 'f48fbfbf']],
  [
    '6.22',
    [
      'efbfbe',
      'efbfbf',
      ...['f09f', 'f0af', 'f0bf', 'f48f'],
      ...['f1', 'f2', 'f3'].flatMap((first) =>
        ['8f', '9f', 'af', 'bf'].map((next) => first + next),
      ),
    ].flatMap((start) => (start.length > 4 ? [start] : [`${start}bfbe`, `${start}bfbf`])),
  ],
  ['6.23', ['b9', 'ba', 'bb', 'bc', 'bd', 'be', 'bf'].map((end) => `efbf${end}`)],
] as const;
const lonely = (from: number, to: number) =>
  Buffer.from(Array.from({ length: to - from }, (_, n) => [from + n, 0x20]).flat()).toString('hex');
const cutShort = [
  ...['c0', 'e080', 'f08080', 'f8808080', 'fc80808080'],
  ...['df', 'efbf', 'f7bfbf', 'fbbfbfbf', 'fdbfbfbfbf'],
];
const wrongUtf8 = [
  ['6.6', ['ce', 'cebae1', 'cebae1bd', 'cebae1bdb9cf', 'cebae1bdb9cf83ce', 'cebae1bdb9cf83cebcce']],
  ['6.8', ['f888808080', 'fc8480808080']],
  ['6.10', ['f7bfbfbf', 'fbbfbfbfbf', 'fdbfbfbfbfbf']],
  ['6.11', ['f4908080']],
  ['6.12', ['80', 'bf', '80bf', '80bf80', '80bf80bf', '80bf80bf80', '80bf80bf80bf']],
  ['6.12', [Buffer.from(Array.from({ length: 63 }, (_, n) => 0x80 + n)).toString('hex')]],
  [
    '6.13',
    [
      lonely(0xc0, 0xdf),
      lonely(0xe0, 0xef),
      lonely(0xf0, 0xf7),
      lonely(0xf8, 0xfb),
      lonely(0xfc, 0xfd),
    ],
  ],
  ['6.14', cutShort],
  ['6.15', [cutShort.join('')]],
  ['6.16', ['fe', 'ff', 'fefeffff']],
  ['6.17', ['c0af', 'e080af', 'f08080af', 'f8808080af', 'fc80808080af']],
  ['6.18', ['c1bf', 'e09fbf', 'f08fbfbf', 'f887bfbfbf', 'fc83bfbfbfbf']],
  ['6.19', ['c080', 'e08080', 'f0808080', 'f880808080', 'fc8080808080']],
  ['6.20', ['eda080', 'edadbf', 'edae80', 'edafbf', 'edb080', 'edbe80', 'edbfbf']],
  [
    '6.21',
    ['eda080', 'edadbf', 'edae80', 'edafbf'].flatMap((high) => [`${high}edb080`, `${high}edbfbf`]),
  ],
] as const;

const utf8: readonly Case[] = [
  ['6.1.1', [text('')], ['text ', normal]],
  ['6.1.2', [open(opcodes.text, ''), more(''), last('')], ['text ', normal]],
  ['6.1.3', [open(opcodes.text, ''), more('middle'), last('')], ['text middle', normal]],
  ['6.2.1', [text(greek)], [`text ${latin(greek)}`, normal]],
  [
    '6.2.2',
    [open(opcodes.text, greek.subarray(0, 5)), last(greek.subarray(5))],
    [`text ${latin(greek)}`, normal],
  ],
  ['6.2.3', byBytes(greek), [`text ${latin(greek)}`, normal]],
  ['6.2.4', byBytes(Buffer.from('\u1f79')), [`text ${latin(Buffer.from('\u1f79'))}`, normal]],
  ['6.3.1', [text(edited)], [noText]],
  ['6.3.2', byBytes(edited), [noText]],
  // The server checks a text when it is complete, which the standard allows.
  ['6.4.1', [open(opcodes.text, greek), more(beyond), last('edited')], [noText]],
  ['6.4.2', [open(opcodes.text, greek), more(beyond.subarray(0, 2)), last(beyond)], [noText]],
  ['6.4.3', [text(Buffer.concat([greek, beyond, Buffer.from('edited')]))], [noText], 11],
  ['6.4.4', [text(Buffer.concat([greek, beyond, Buffer.from('edited')]))], [noText], 1],
  ...rightUtf8.flatMap(([group, all]) =>
    all.map((hex): Case => {
      const bytes = Buffer.from(hex, 'hex');
      return [`${group}: ${hex}`, [text(bytes)], [`text ${latin(bytes)}`, normal]];
    }),
  ),
  ...wrongUtf8.flatMap(([group, all]) =>
    all.map((hex): Case => [`${group}: ${hex}`, [text(Buffer.from(hex, 'hex'))], [noText]]),
  ),
];

const close = (payload: string | Buffer) => frame(opcodes.close, payload);
const long = stars(256 * kibibyte);
const closing: readonly Case[] = [
  ['7.1.1', [text('a')], ['text a', normal]],
  ['7.1.2', [closeFrame(1000), closeFrame(1000)], [normal]],
  ['7.1.3', [closeFrame(1000), frame(ping)], [normal]],
  ['7.1.4', [closeFrame(1000), text('a')], [normal]],
  ['7.1.5', [open(opcodes.text, 'a'), closeFrame(1000), last('b')], [normal]],
  [
    '7.1.6',
    [text(long), text('a'), closeFrame(1000), frame(ping)],
    [`text ${long}`, 'text a', normal],
  ],
  ['7.3.1', [close('')], ['close 1005']],
  ['7.3.2', [close('a')], [fault]],
  ['7.3.3', [closeFrame(1001)], ['close 1001']],
  ['7.3.4', [closeFrame(1001, 'a')], ['close 1001']],
  ['7.3.5', [closeFrame(1001, stars(123))], ['close 1001']],
  ['7.3.6', [closeFrame(1001, stars(124))], [fault]],
  ['7.5.1', [closeFrame(1000, edited)], [noText]],
];

const mebibyte = 1024 * kibibyte;
const inFragments = (opcode: number, payload: string, size: number) => {
  const count = Math.ceil(payload.length / size);
  return Array.from({ length: count }, (_, n) =>
    frame(n === 0 ? opcode : continuation, payload.slice(n * size, (n + 1) * size), {
      isFinal: n === count - 1,
    }),
  );
};
const sizes: readonly Case[] = [opcodes.text, binary].flatMap((opcode): readonly Case[] => {
  const kind = names.get(opcode) ?? '';
  const [whole, fragmented, chopped, many] = opcode === binary ? [2, 4, 6, 8] : [1, 3, 5, 7];
  const all = stars(mebibyte);
  return [
    ...[64, 256, 1024].map((size): Case => {
      const payload = stars(size * kibibyte);
      return [`9.${whole}: ${size} KiB`, [frame(opcode, payload)], [`${kind} ${payload}`, normal]];
    }),
    [`9.${whole}: 4 MiB`, [frame(opcode, stars(4 * mebibyte))], ['close 1009']],
    ...[64, 256, 1024].map(
      (size): Case => [
        `9.${fragmented}: 64 KiB in fragments of ${size} bytes`,
        inFragments(opcode, stars(65_536), size),
        [`${kind} ${stars(65_536)}`, normal],
      ],
    ),
    ...[16_384, 65_536, 262_144].map(
      (size): Case => [
        `9.${fragmented}: 1 MiB in fragments of ${size} bytes`,
        inFragments(opcode, all, size),
        [`${kind} ${all}`, normal],
      ],
    ),
    ...[64, 128, 256, 512, 1024, 2048].map(
      (chop): Case => [
        `9.${chopped}: 256 KiB in pieces of ${chop} bytes`,
        [frame(opcode, long)],
        [`${kind} ${long}`, normal],
        chop,
      ],
    ),
    ...[0, 16, 64, 256, 1024, 4096].map(
      (size): Case => [
        `9.${many}: 200 messages of ${size} bytes`,
        Array.from({ length: 200 }, () => frame(opcode, stars(size))),
        [...Array.from({ length: 200 }, () => `${kind} ${stars(size)}`), normal],
      ],
    ),
  ];
});
const automatic: Case = [
  '10.1.1',
  inFragments(opcodes.text, stars(65_536), 1300),
  [`text ${stars(65_536)}`, normal],
];

const cases = [...framing, ...fragments, ...utf8, ...closing, ...sizes, automatic];
const named = cases.map(([name, frames, heard, chop]) => ({ name, frames, heard, chop }));
test.each(named)('$name', async ({ frames, heard, chop }) => {
  const got = await converse(frames, heard.length - 1, chop);
  // Long ones are not worth showing.
  expect(got.map(({ length }) => length)).toEqual(heard.map(({ length }) => length));
  expect(got.join()).toBe(heard.join());
});

/** Compresses and inflates a conversation, with or without context takeover. */
class Deflate {
  readonly #deflate;
  readonly #inflate;
  constructor(serverBits: number, clientBits: number) {
    this.#deflate = createDeflateRaw({ windowBits: clientBits });
    this.#inflate = createInflateRaw({ windowBits: serverBits });
  }
  async compress(payload: string): Promise<Buffer> {
    const chunks: Buffer[] = [];
    const keep = (chunk: Buffer) => chunks.push(chunk);
    this.#deflate.on('data', keep).write(payload);
    await new Promise<void>((resolve) =>
      this.#deflate.flush(constants.Z_SYNC_FLUSH, () => resolve()),
    );
    this.#deflate.off('data', keep);
    return Buffer.concat(chunks).subarray(0, -4);
  }
  async inflate(payload: Buffer): Promise<string> {
    const chunks: Buffer[] = [];
    const keep = (chunk: Buffer) => chunks.push(chunk);
    this.#inflate.on('data', keep).write(payload);
    this.#inflate.write(Buffer.from([0, 0, 0xff, 0xff]));
    await new Promise<void>((resolve) => this.#inflate.flush(() => resolve()));
    this.#inflate.off('data', keep);
    return Buffer.concat(chunks).toString();
  }
}

const noTakeover = 'server_no_context_takeover; client_no_context_takeover';
const offers = [
  ['12, 13.1', 'permessage-deflate', true],
  ['13.2', 'permessage-deflate; server_no_context_takeover', true],
  ['13.3', 'permessage-deflate; server_max_window_bits=8', false],
  ['13.4', 'permessage-deflate; server_max_window_bits=15', true],
  ['13.5', `permessage-deflate; ${noTakeover}; server_max_window_bits=8`, false],
  ['13.6', `permessage-deflate; ${noTakeover}; server_max_window_bits=15`, true],
  [
    '13.7',
    'permessage-deflate; server_no_context_takeover; server_max_window_bits=8, permessage-deflate; server_no_context_takeover, permessage-deflate',
    true,
  ],
  ['with a window of the client', 'permessage-deflate; client_max_window_bits=9', true],
] as const;
const json = JSON.stringify(
  Array.from({ length: 3000 }, (_, n) => ({ id: n, name: `name ${n * 7}`, isNew: n % 3 === 0 })),
);
/** Groups 12 and 13: sizes of messages, and of their fragments if any. */
const compressedSizes = [
  ...[16, 64, 256, 1024, 4096, 8192, 16_384, 32_768, 65_536, 131_072].map((size) => [size, 0]),
  ...[8192, 131_072].map((size) => [size, 256]),
  ...[1024, 4096, 32_768].map((fragment) => [131_072, fragment]),
] as const;

test.each(offers)('%s: %s', async (_name, offer, isAgreed) => {
  const headers = { 'Sec-WebSocket-Extensions': offer };
  const socket = await openWebSocket(service.url, '/api/ws/echo', headers);
  const agreed = socket.headers['sec-websocket-extensions'];
  expect(agreed !== undefined).toBe(isAgreed);
  const bits = (side: string) =>
    Number(new RegExp(`${side}_max_window_bits=(\\d+)`).exec(agreed ?? '')?.[1] ?? 15);
  const isForgotten = (side: string) => agreed?.includes(`${side}_no_context_takeover`) ?? false;
  const make = () => new Deflate(bits('server'), bits('client'));
  let sending = make();
  let receiving = make();
  for (const [size = 0, fragment = 0] of compressedSizes) {
    if (isForgotten('client')) sending = make();
    if (isForgotten('server')) receiving = make();
    const payload = (json + json).slice(size, 2 * size);
    const bytes = isAgreed ? await sending.compress(payload) : Buffer.from(payload);
    const step = fragment || bytes.length;
    for (let place = 0; place < bytes.length; place += step) {
      const isFirst = place === 0;
      socket.send(
        frame(isFirst ? opcodes.text : continuation, bytes.subarray(place, place + step), {
          isFinal: place + step >= bytes.length,
          reserved: isFirst && isAgreed ? 0b100 : 0,
        }),
      );
    }
    let isFinal = false;
    let isCompressed = false;
    const parts: Buffer[] = [];
    while (!isFinal) {
      const got = await socket.next();
      if (got === undefined) throw new Error('The connection has ended.');
      isCompressed ||= got.reserved === 0b100;
      parts.push(got.payload);
      isFinal = got.isFinal;
    }
    const whole = Buffer.concat(parts);
    expect(isCompressed ? await receiving.inflate(whole) : whole.toString()).toBe(payload);
  }
  socket.connection.socket.destroy();
});
