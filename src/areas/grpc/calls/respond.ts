/** Writes the responses of calls: one message, or a stream, and then the status. */

import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { DescMessage, Message } from '@bufbuild/protobuf';
import { create } from '@bufbuild/protobuf';
import { addVary } from '#http/caching/caching.js';
import type { Reply } from '#http/exchange.js';
import { encode } from '../messages/codec.js';
import { isExpected, toRpcError } from '../messages/details.js';
import {
  asTrailerHeaders,
  connectEnd,
  statusTrailers,
  webTrailers,
  writeFailure,
} from '../messages/failures.js';
import { compress, flags, frame } from '../messages/frames.js';
import { RpcError } from '../messages/rpc-error.js';
import type { Call } from '../model/call.js';

/** Shorter messages do not become shorter. */
const leastCompressedBytes = 64;

/** Compresses as the client does, if it accepts that. */
function isCompressed({ encoding, form, request }: Call, bytes: Uint8Array): boolean {
  if (encoding === 'identity' || bytes.length < leastCompressedBytes) return false;
  return /\bgzip\b/.test(String(request.headers[form.encodingHeaders[1]] ?? ''));
}

/** Returns the bytes of a message, compressed if the client does so. */
function bytesOf(call: Call, desc: DescMessage, message: unknown): readonly [number, Uint8Array] {
  const bytes = encode(desc, create(desc, message as Message), call.form.codec);
  return isCompressed(call, bytes) ? [flags.compressed, compress(bytes)] : [flags.plain, bytes];
}

const asText = (bytes: Buffer): Buffer => Buffer.from(bytes.toString('base64'), 'latin1');

/** Sends one message with the status of success. */
export function respondOnce(call: Call, desc: DescMessage, message: unknown): Reply {
  const { form, reply, headers } = call;
  const [flag, bytes] = bytesOf(call, desc, message);
  reply.headers(headers).type(form.contentType);
  if (flag === flags.compressed) reply.header(form.encodingHeaders[0], 'gzip');
  if (form.isBare) return respondBare(call, bytes);
  const body = frame(flag, bytes);
  const last = lastPiece(call, undefined);
  const whole = last === undefined ? body : Buffer.concat([body, last]);
  return reply.send(form.isText ? asText(whole) : whole);
}

/** Sends a message of unary Connect; a GET can be cached and revalidated. */
function respondBare({ reply, request, trailers }: Call, bytes: Uint8Array): Reply {
  reply.headers(asTrailerHeaders(trailers));
  if (request.method !== 'POST') {
    const etag = `"${hash('sha256', Buffer.from(bytes), 'base64url').slice(0, 22)}"`;
    reply.header('cache-control', 'private, no-cache').header('etag', etag);
    addVary(reply, 'X-Sandbox, X-Service-Key, Accept-Encoding');
    const known = String(request.headers['if-none-match'] ?? '')
      .split(',')
      .map((each) => each.trim());
    if (known.includes(etag) || known.includes('*')) return reply.code(304).send();
  }
  return reply.send(Buffer.from(bytes));
}

/** Sends a failure, before any message. */
export function respondFailed(call: Call, error: unknown): Reply {
  const failure = failureOf(call, error);
  const { form, reply, headers, trailers } = call;
  const { status, contentType, body, headers: own } = writeFailure(form, failure, trailers);
  reply.code(status).headers(headers).headers(own).type(contentType);
  return reply.serializer(String).send(body === '' ? undefined : Buffer.from(body));
}

/** Returns the failure of a call; reports what no caller can have caused. */
export function failureOf(call: Call, error: unknown): RpcError {
  if (call.failure !== undefined) return call.failure;
  if (!isExpected(error)) call.parts.reportFailure(call.request, error);
  return toRpcError(error);
}

/** Sends messages while they are made. A failure before the first has no other head. */
export async function respondMany(
  call: Call,
  desc: DescMessage,
  outputs: AsyncIterable<unknown>,
): Promise<Reply> {
  const { reply, form } = call;
  const iterator = outputs[Symbol.asyncIterator]();
  const first = iterator.next();
  await call.untilBegun(first);
  if (call.failure !== undefined) throw call.failure;
  reply.headers(call.headers).type(form.contentType);
  if (call.encoding === 'gzip') reply.header(form.encodingHeaders[0], 'gzip');
  const pieces = piecesOf(call, desc, { iterator, first });
  return reply.send(Readable.from(pieces, { objectMode: true, highWaterMark: 1 }));
}

interface Outputs {
  readonly iterator: AsyncIterator<unknown>;
  readonly first: Promise<IteratorResult<unknown>>;
}

async function* piecesOf(
  call: Call,
  desc: DescMessage,
  { iterator, first }: Outputs,
): AsyncGenerator<Buffer> {
  const { isText } = call.form;
  let failure: RpcError | undefined;
  try {
    // Not earlier: headers of a quota may be added until the stream is read.
    if (!call.reply.raw.destroyed) call.reply.raw.flushHeaders();
    for (let next = await first; !next.done; next = await iterator.next()) {
      if (call.failure !== undefined) break;
      const piece = frame(...bytesOf(call, desc, next.value));
      yield isText ? asText(piece) : piece;
    }
    failure = call.failure;
  } catch (error) {
    failure = failureOf(call, error);
  } finally {
    // The client may have left.
    call.fail(new RpcError('CANCELLED', 'The call is over.'));
    void iterator.return?.();
  }
  const last = lastPiece(call, failure);
  if (last !== undefined) yield isText ? asText(last) : last;
}

/** Sets the trailers, or returns them as a message where the protocol has it so. */
function lastPiece({ form, reply, trailers }: Call, failure: RpcError | undefined) {
  if (form.protocol === 'Connect') return connectEnd(failure, trailers);
  const status = statusTrailers(failure, trailers);
  if (form.protocol === 'gRPC-Web') return webTrailers(status);
  reply.raw.addTrailers(status);
  return undefined;
}
