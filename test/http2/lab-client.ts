/** A client of the lab that reads frames without a library, and believes everything. */

import { hash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import {
  block,
  data,
  type Frame,
  flags,
  frame,
  frameTypes,
  headers,
  preface,
  settings,
} from '../support/http2-frames.js';

export interface RawCase {
  readonly method?: 'POST' | undefined;
  readonly bodyBytes?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface Exchange {
  readonly frames: readonly Frame[];
  /** Bytes that are no frame. */
  readonly rest: Buffer;
}

/** Naive: it acknowledges, ignores every fault, and resets what it does not know. */
export type Habit = 'passive' | 'naive';

/** Sends a request, and reads until the lab ends the connection. */
export function meet(
  url: string,
  { method = undefined, bodyBytes = 1, headers: more = {} }: RawCase,
  habit: Habit = 'passive',
): Promise<Exchange> {
  const { hostname, port, pathname, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const body = method === 'POST' ? Buffer.alloc(Math.min(bodyBytes, 65_535), 'a') : undefined;
  const pieces = body
    ? Array.from({ length: Math.ceil(body.length / 16_384) }, (_, at) =>
        data(
          1,
          body.subarray(at * 16_384, (at + 1) * 16_384),
          bodyBytes <= 65_535 ? flags.endStream : 0,
        ),
      )
    : [];
  const fields = [
    [':method', method ?? 'GET'],
    [':scheme', 'http'],
    [':authority', host],
    [':path', pathname],
    ...Object.entries(more),
  ] as const;
  socket.write(
    Buffer.concat([
      preface,
      settings([2, 0]),
      headers(1, block(fields), flags.endHeaders | (body ? 0 : flags.endStream)),
      ...pieces,
    ]),
  );
  const frames: Frame[] = [];
  let rest: Buffer = Buffer.alloc(0);
  socket.on('error', () => {});
  return new Promise((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      for (let next = take(rest); next !== undefined; next = take(rest)) {
        rest = rest.subarray(9 + next.payload.length);
        frames.push(next);
        react(socket, next, habit);
      }
    });
    socket.once('close', () => resolve({ frames, rest }));
  });
}

function take(bytes: Buffer): Frame | undefined {
  const length = bytes.length < 9 ? 0 : bytes.readUIntBE(0, 3);
  // A response of HTTP/1.1 reads as a very large frame.
  if (bytes.length < 9 + length || length > 2 ** 20) return undefined;
  return {
    type: bytes[3] ?? 0,
    flags: bytes[4] ?? 0,
    stream: bytes.readUInt32BE(5),
    payload: bytes.subarray(9, 9 + length),
  };
}

const known: readonly number[] = Object.values(frameTypes);

function react(socket: Socket, { type, flags: bits, payload, stream }: Frame, habit: Habit): void {
  const isAck = (bits & flags.ack) !== 0;
  if (type === frameTypes.settings && !isAck)
    socket.write(frame(frameTypes.settings, flags.ack, 0));
  if (type === frameTypes.ping && !isAck)
    socket.write(frame(frameTypes.ping, flags.ack, 0, payload));
  if (habit === 'passive') return;
  const isUnusual =
    !known.includes(type) || stream >= 2 ** 31 || (type < 2 && (bits & flags.padded) !== 0);
  if (
    isUnusual ||
    type === frameTypes.priority ||
    (type === frameTypes.goaway && bits === 0 && payload.length > 8)
  ) {
    socket.write(frame(frameTypes.goaway, 0, 0, [0, 0, 0, 0, 0, 0, 0, 1]));
    socket.end();
  }
}

const names = Object.entries(frameTypes);

/** The field block of an ordinary response: `:status` 200, `content-type` text/plain. */
const okBlock = '00073a73746174757303323030000c636f6e74656e742d747970650a746578742f706c61696e';

/** A frame as a line, such as `data 1 #1 5 68656c6c6f`: type, flags, stream, length, octets or their digest. */
export function lineOf({ type, flags: bits, stream, payload }: Frame): string {
  const name = names.find(([, code]) => code === type)?.[0] ?? `0x${type.toString(16)}`;
  const shown =
    payload.length > 200
      ? hash('sha256', payload, 'hex').slice(0, 16)
      : payload.toString('hex').replace(okBlock, '(ok)');
  return `${name} ${bits} #${stream} ${payload.length} ${shown}`.trim();
}
