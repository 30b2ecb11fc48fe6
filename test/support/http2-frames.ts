/** HTTP/2 frames, valid and invalid, written and read on a raw connection: RFC 9113 section 4. */

import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const flags = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 0x20 } as const;

export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

type Bytes = Uint8Array | readonly number[];

export function frame(type: number, flagBits: number, stream: number, payload: Bytes = []): Buffer {
  const body = Buffer.from(payload as Uint8Array);
  const head = Buffer.alloc(9);
  head.writeUIntBE(body.length, 0, 3);
  head[3] = type;
  head[4] = flagBits;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, body]);
}

export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

export function settings(...pairs: readonly (readonly [id: number, value: number])[]): Buffer {
  const payload = pairs.map(([id, value]) => Buffer.concat([Buffer.from([0, id]), uint32(value)]));
  return frame(frameTypes.settings, 0, 0, Buffer.concat(payload));
}

export const rstStream = (stream: number, code = 8) =>
  frame(frameTypes.rstStream, 0, stream, uint32(code));
export const ping = (payload: Bytes = Buffer.alloc(8)) => frame(frameTypes.ping, 0, 0, payload);
export const data = (stream: number, payload: Bytes = [], flagBits = 0) =>
  frame(frameTypes.data, flagBits, stream, payload);
export const windowUpdate = (stream: number, increment: number) =>
  frame(frameTypes.windowUpdate, 0, stream, uint32(increment));

type Field = readonly [name: string, value: string];

/**
 * Fields as literals without indexing (RFC 7541 section 6.2.2), shorter than 127 or
 * length-prefixed.
 */
export function block(fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]),
  );
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  return Buffer.concat([prefixed(bytes.length), bytes]);
}

/** An integer with a prefix of seven bits (RFC 7541 section 5.1). */
function prefixed(value: number): Buffer {
  if (value < 127) return Buffer.from([value]);
  const bytes = [127];
  let rest = value - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}

/** The pseudo-header fields of a request, followed by others. */
export const requestFields = (path = '/health', method = 'GET', more: readonly Field[] = []) =>
  [
    [':method', method],
    [':scheme', 'https'],
    [':authority', 'localhost'],
    [':path', path],
    ...more,
  ] as const satisfies readonly Field[];

/** A whole head of a request; `flagBits` says what it ends. */
export function headers(
  stream: number,
  fields: readonly Field[] | Buffer = requestFields(),
  flagBits: number = flags.endHeaders | flags.endStream,
): Buffer {
  const payload = Buffer.isBuffer(fields) ? fields : block(fields);
  return frame(frameTypes.headers, flagBits, stream, payload);
}

export interface FrameConnection {
  readonly socket: Socket;
  /** All received frames. */
  readonly frames: readonly Frame[];
  send(...bytes: readonly Uint8Array[]): void;
  /**
   * Resolves with the first received or future frame that matches; `undefined` when the connection
   * ends.
   */
  until(isIt: (frame: Frame) => boolean): Promise<Frame | undefined>;
  readonly ended: Promise<void>;
}

/** Connects and sends the preface with empty settings, unless options say otherwise. */
export function openFrames(
  url: string,
  { begin = Buffer.concat([preface, settings()]) }: { readonly begin?: Buffer } = {},
): FrameConnection {
  const { hostname, port, protocol } = new URL(url);
  const to = { host: hostname, port: Number(port) };
  const socket =
    protocol === 'https:'
      ? connectTls({ ...to, ALPNProtocols: ['h2'], rejectUnauthorized: false })
      : connectPlain(to);
  const frames: Frame[] = [];
  const looks = new Set<() => void>();
  let isOver = false;
  let rest: Buffer = Buffer.alloc(0);
  const wake = () => {
    for (const look of looks) look();
  };
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const length = rest.length < 9 ? 0 : rest.readUIntBE(0, 3);
      if (rest.length < 9 + length) break;
      frames.push({
        type: rest[3] ?? 0,
        flags: rest[4] ?? 0,
        stream: rest.readUInt32BE(5),
        payload: rest.subarray(9, 9 + length),
      });
      rest = rest.subarray(9 + length);
    }
    wake();
  });
  socket.on('error', () => {});
  const ended = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isOver = true;
      wake();
      resolve();
    });
  });
  socket.write(begin);
  return {
    socket,
    frames,
    send: (...bytes) => void socket.write(Buffer.concat(bytes)),
    until: (isIt) =>
      new Promise((resolve) => {
        function look(): void {
          const found = frames.find(isIt);
          if (found === undefined && !isOver) return;
          looks.delete(look);
          resolve(found);
        }
        looks.add(look);
        look();
      }),
    ended,
  };
}

/** The code of a GOAWAY or RST_STREAM. */
export const codeOf = ({ type, payload }: Frame): number =>
  payload.readUInt32BE(type === frameTypes.goaway ? 4 : 0);

export const isAck =
  (type: number) =>
  (each: Frame): boolean =>
    each.type === type && (each.flags & flags.ack) !== 0;
export const isOf =
  (type: number, stream?: number) =>
  (each: Frame): boolean =>
    each.type === type && (stream === undefined || each.stream === stream);
