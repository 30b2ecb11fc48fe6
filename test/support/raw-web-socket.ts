/**
 * A WebSocket client that sends and reads frames as bytes, valid or invalid: RFC 6455 section 5.2.
 */

import { expect } from 'vitest';
import {
  openConnection,
  type RawConnection,
  requestText,
  splitResponse,
} from './raw-connection.js';

export interface Frame {
  readonly isFinal: boolean;
  /** RSV1 to RSV3 as bits. */
  readonly reserved: number;
  readonly opcode: number;
  readonly isMasked: boolean;
  readonly payload: Buffer;
}

export const opcodes = {
  continuation: 0,
  text: 1,
  binary: 2,
  close: 8,
  ping: 9,
  pong: 10,
} as const;

export interface RawWebSocket {
  readonly connection: RawConnection;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  send(...frames: readonly Uint8Array[]): void;
  /** The next frame; `undefined` when the connection ended before one was complete. */
  next(): Promise<Frame | undefined>;
  /** The text of the next frame, which must be a text frame. */
  text(): Promise<string>;
  /** Code and reason of the next frame, which must be a close frame. */
  closed(): Promise<readonly [code: number, reason: string]>;
}

export const handshake = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

const mask = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);

interface FrameOptions {
  readonly isFinal?: boolean;
  readonly reserved?: number;
  readonly isMasked?: boolean;
  /** Replaces the length of the payload. */
  readonly length?: bigint;
  /** Bytes of the length beyond the first: the fewest by default. */
  readonly lengthBytes?: 0 | 2 | 8;
}

/** A frame of a client, masked by default. */
export function frame(
  opcode: number,
  payload: string | Uint8Array = '',
  { isFinal = true, reserved = 0, isMasked = true, length, lengthBytes }: FrameOptions = {},
): Buffer {
  const bytes = Buffer.from(payload as string);
  const first = (isFinal ? 0x80 : 0) | (reserved << 4) | opcode;
  const announced = length ?? BigInt(bytes.length);
  const shortest = announced < 126n ? 0 : announced < 65536n ? 2 : 8;
  const used = lengthBytes ?? shortest;
  const small = used === 0 ? Number(announced) : used === 2 ? 126 : 127;
  const head = Buffer.alloc(2 + (small === 126 ? 2 : small === 127 ? 8 : 0));
  head[0] = first;
  head[1] = (isMasked ? 0x80 : 0) | small;
  if (small === 126) head.writeUInt16BE(Number(announced), 2);
  if (small === 127) head.writeBigUInt64BE(announced, 2);
  if (!isMasked) return Buffer.concat([head, bytes]);
  const masked = bytes.map((byte, place) => byte ^ (mask[place % 4] ?? 0));
  return Buffer.concat([head, mask, masked]);
}

export const text = (payload: string | Uint8Array, options?: FrameOptions) =>
  frame(opcodes.text, payload, options);

export function closeFrame(code: number, reason: string | Uint8Array = ''): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(2), Buffer.from(reason as string)]);
  bytes.writeUInt16BE(code);
  return frame(opcodes.close, bytes);
}

export async function openWebSocket(
  baseUrl: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  early: Uint8Array = Buffer.alloc(0),
): Promise<RawWebSocket> {
  const connection = openConnection(baseUrl);
  const request = requestText(`GET ${path}`, { ...handshake, ...headers });
  connection.send(Buffer.concat([Buffer.from(request), early]));
  await connection.until('\r\n\r\n');
  const { status, headers: received } = splitResponse(connection.received());
  let place = connection.received().indexOf('\r\n\r\n') + 4;
  let isOver = false;
  connection.ended.then(() => {
    isOver = true;
    connection.socket.emit('data', Buffer.alloc(0));
  });

  async function next(): Promise<Frame | undefined> {
    for (;;) {
      const rest = connection.received().subarray(place);
      const found = parseFrame(rest);
      if (found !== undefined) {
        place += found.bytes;
        return found.frame;
      }
      if (isOver) return undefined;
      await new Promise((resolve) => connection.socket.once('data', resolve));
    }
  }

  return {
    connection,
    status,
    headers: received,
    send: (...frames) => connection.send(Buffer.concat(frames)),
    next,
    async text() {
      const found = await next();
      expect(found?.opcode, 'the frame is one of text').toBe(opcodes.text);
      return found?.payload.toString() ?? '';
    },
    async closed() {
      const found = await next();
      expect(found?.opcode, 'the frame closes').toBe(opcodes.close);
      const { payload = Buffer.alloc(0) } = found ?? {};
      return [payload.length < 2 ? 1005 : payload.readUInt16BE(), payload.toString('utf8', 2)];
    },
  };
}

export function parseFrame(
  bytes: Buffer,
): { readonly frame: Frame; readonly bytes: number } | undefined {
  if (bytes.length < 2) return undefined;
  const [first = 0, second = 0] = bytes;
  const small = second & 0x7f;
  const start = 2 + (small === 126 ? 2 : small === 127 ? 8 : 0);
  if (bytes.length < start) return undefined;
  const length =
    small === 126
      ? bytes.readUInt16BE(2)
      : small === 127
        ? Number(bytes.readBigUInt64BE(2))
        : small;
  if (bytes.length < start + length) return undefined;
  const found = {
    isFinal: first >= 0x80,
    reserved: (first >> 4) & 7,
    opcode: first & 15,
    isMasked: second >= 0x80,
    payload: bytes.subarray(start, start + length),
  };
  return { frame: found, bytes: start + length };
}
