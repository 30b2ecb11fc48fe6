/** Reads the messages of a request: one, or a stream. */

import type { Message } from '@bufbuild/protobuf';
import { newPromise } from '#base/awaitable.js';
import { turns } from '#base/work-in-turns.js';
import { hasBody, readBody } from '#http/body/request-body.js';
import { noRoomForBodies } from '#http/sending/reserve-until-response.js';
import { guard } from '#kit/connection.js';
import { decode } from '../messages/codec.js';
import { bareForm } from '../messages/forms.js';
import {
  decompress,
  encodingOf,
  FrameParser,
  fromBase64,
  maxMessageBytes,
  maxUnaryBytes,
  unpack,
} from '../messages/frames.js';
import { RpcError } from '../messages/rpc-error.js';
import type { Call } from '../model/call.js';
import type { ServedMethod } from '../model/method.js';

/** Base64 needs four bytes for three. */
const maxTextBytes = Math.ceil(maxUnaryBytes / 3) * 4;

/** Decompressed bytes of all messages of a call. */
export const maxDecompressedBytes = 16 * maxMessageBytes;

/** Smaller bodies are not counted: see `request-body.ts`. */
const uncountedBytes = 1280;

function readEncoding(call: Call): void {
  const { form, request } = call;
  const [own, accepted] = form.encodingHeaders;
  const sent = request.headers[own];
  if (sent !== undefined) call.encoding = encodingOf(String(sent), accepted);
}

export async function readOne(call: Call, { desc }: ServedMethod): Promise<Message> {
  const { request, form } = call;
  if (request.method !== 'POST') return readQuery(call, desc);
  readEncoding(call);
  const limit = form.isText ? maxTextBytes : maxUnaryBytes;
  const { bytes } = await readBody(request, limit, limit);
  if (form.isBare) {
    return decode(desc.input, call.encoding === 'gzip' ? decompress(bytes) : bytes, form.codec);
  }
  const parser = new FrameParser();
  parser.add(form.isText ? fromBase64(bytes) : bytes);
  const first = parser.next();
  if (first === undefined) parser.end();
  if (first === undefined || parser.pendingBytes > 0) {
    throw new RpcError(
      'UNIMPLEMENTED',
      `${desc.name} accepts exactly one message; the request has ${first ? 'more' : 'none'}.`,
    );
  }
  return decode(desc.input, unpack(first, call.encoding), form.codec);
}

/** Reads the message of a Connect GET. */
function readQuery(call: Call, { input }: ServedMethod['desc']): Message {
  const query = call.request.query as Readonly<Record<string, string | undefined>>;
  const { message, encoding, base64, compression } = query;
  const form = bareForm(encoding);
  if (typeof message !== 'string' || form === undefined) {
    throw new RpcError('INVALID_ARGUMENT', 'A GET needs message, and encoding=proto or json.');
  }
  const isBase64 = base64 === '1';
  if (isBase64 && !/^[\w+/-]*={0,2}$/.test(message)) {
    throw new RpcError('INVALID_ARGUMENT', 'The message is not valid Base64.');
  }
  call.encoding = encodingOf(compression, 'accept-encoding');
  const bytes = Buffer.from(message, isBase64 ? 'base64' : 'utf8');
  return decode(input, call.encoding === 'gzip' ? decompress(bytes) : bytes, form.codec);
}

/** Reads messages while they arrive. Throws the failure of the call when it ends early. */
export async function* readMany(call: Call, { desc }: ServedMethod): AsyncGenerator<Message> {
  if (call.form.isText) {
    throw new RpcError('UNIMPLEMENTED', 'grpc-web-text has no client streams.');
  }
  readEncoding(call);
  const parser = new FrameParser();
  const { bodies } = call.parts;
  let counted = 0;
  let decompressed = 0;
  try {
    for await (const chunk of chunksOf(call)) {
      parser.add(chunk);
      for (let found = parser.next(); found !== undefined; found = parser.next()) {
        const bytes = unpack(found, call.encoding);
        if (bytes !== found.bytes) decompressed += bytes.length;
        if (decompressed > maxDecompressedBytes) throw tooMuch();
        yield decode(desc.input, bytes, call.form.codec);
        await turns.whenFree();
      }
      const pending = parser.pendingBytes > uncountedBytes ? parser.pendingBytes : 0;
      if (!bodies.reserve(pending - counted)) throw noRoomForBodies();
      counted = pending;
    }
    parser.end();
  } finally {
    bodies.release(counted);
  }
}

const tooMuch = () =>
  new RpcError(
    'RESOURCE_EXHAUSTED',
    `The messages of the call decompress to more than ${maxDecompressedBytes} bytes, the limit.`,
  );

/** Chunks that may wait before the client must. */
const maxWaitingBytes = 64 * 1024;

/** Returns the bytes of the body, until the call ends early. */
async function* chunksOf(call: Call): AsyncGenerator<Buffer> {
  const { signal } = call;
  const { raw } = call.request;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let isOver = !hasBody(raw) || raw.readableEnded;
  let wake = () => {};
  const on = guard(raw, (chunk: Buffer) => {
    waiting.push(chunk);
    waitingBytes += chunk.length;
    if (waitingBytes > maxWaitingBytes) raw.pause();
    wake();
  });
  const end = guard(raw, () => {
    isOver = true;
    wake();
  });
  const stop = guard(raw, () => wake());
  raw.on('data', on).on('end', end).on('close', stop);
  signal.addEventListener('abort', stop);
  try {
    for (;;) {
      const chunks = waiting;
      waiting = [];
      waitingBytes = 0;
      yield* chunks;
      if (signal.aborted || (raw.destroyed && !raw.complete)) break;
      if (waiting.length > 0) continue;
      if (isOver) return;
      const { promise, resolve } = newPromise();
      wake = resolve;
      raw.resume();
      await promise;
    }
    throw call.failure ?? new RpcError('CANCELLED', 'The client has left.');
  } finally {
    raw.off('data', on).off('end', end).off('close', stop).resume();
    signal.removeEventListener('abort', stop);
  }
}

/** Time for a client to end its side of a call. */
const halfCloseMs = 1000;

/**
 * Drops the rest of a client stream, until its end or for a second. A proxy may cancel a call whose
 * response ends before its request, and the client would lose the status.
 */
export async function dropRest({ request: { raw }, signal }: Call): Promise<void> {
  if (raw.complete || raw.destroyed || signal.aborted) return;
  const { promise, resolve } = newPromise();
  const stop = guard(raw, resolve);
  const timer = setTimeout(stop, halfCloseMs);
  raw.once('end', stop).once('close', stop).resume();
  signal.addEventListener('abort', stop);
  await promise;
  clearTimeout(timer);
  raw.off('end', stop).off('close', stop);
  signal.removeEventListener('abort', stop);
}
