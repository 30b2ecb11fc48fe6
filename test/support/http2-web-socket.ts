/** A WebSocket on an HTTP/2 stream, with frames as bytes: RFC 8441. */

import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import { type Frame, parseFrame } from './raw-web-socket.js';

export interface Http2WebSocket {
  readonly stream: ClientHttp2Stream;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  send(...frames: readonly Uint8Array[]): void;
  /** The next frame; `undefined` when the stream ended before one was complete. */
  next(): Promise<Frame | undefined>;
  /** The text of the next frame. */
  text(): Promise<string | undefined>;
  /** Code and reason of the next frame. */
  closed(): Promise<readonly [code: number, reason: string]>;
  /** All received bytes, once the stream has ended. */
  rest(): Promise<string>;
  /** The error code of the stream's end. */
  readonly rstCode: Promise<number>;
}

/** Resolves with the response, whatever its status. */
export async function openHttp2WebSocket(
  session: ClientHttp2Session,
  path: string,
  headers: Readonly<Record<string, string | undefined>> = {},
): Promise<Http2WebSocket> {
  const given = {
    ':method': 'CONNECT',
    ':protocol': 'websocket',
    ':path': path,
    'sec-websocket-version': '13',
    ...headers,
  };
  const sent = Object.entries(given).filter(([, value]) => value !== undefined);
  const stream = session.request(Object.fromEntries(sent));
  let received = Buffer.alloc(0);
  let isOver = false;
  let wake = () => {};
  stream.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  const rstCode = new Promise<number>((resolve) => {
    stream.on('error', () => {});
    stream.once('close', () => {
      isOver = true;
      wake();
      resolve(stream.rstCode);
    });
  });
  stream.once('end', () => {
    isOver = true;
    wake();
  });
  const head = await new Promise<IncomingHttpHeaders>((resolve) => {
    stream.once('response', resolve).once('close', () => resolve({}));
  });

  async function next(): Promise<Frame | undefined> {
    for (;;) {
      const found = parseFrame(received);
      if (found !== undefined) {
        received = received.subarray(found.bytes);
        return found.frame;
      }
      if (isOver) return undefined;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  return {
    stream,
    status: Number(head[':status']),
    headers: head,
    send: (...frames) => void stream.write(Buffer.concat(frames)),
    next,
    text: async () => (await next())?.payload.toString(),
    async closed() {
      const { payload = Buffer.alloc(0) } = (await next()) ?? {};
      return [payload.length < 2 ? 1005 : payload.readUInt16BE(), payload.toString('utf8', 2)];
    },
    async rest() {
      await rstCode;
      return received.toString();
    },
    rstCode,
  };
}
