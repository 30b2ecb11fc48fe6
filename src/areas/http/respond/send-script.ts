/** Sends a scripted response: interim responses, delays, chunks, trailers. */

import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { ownHeaders } from '#http/cookies/own-cookies.js';
import type { Reply } from '#http/exchange.js';
import { addGivenHeaders } from '#http/headers/add-given-headers.js';
import { encodeHeaders, type GivenHeaders, headerPairs } from '#http/headers/settable-headers.js';
import { type HeldRequest, type HeldRequests, pause } from '#http/held-requests.js';
import { isolatingHeaders } from '#http/isolating-headers.js';
import { sendInformational } from '#http/sending/informational.js';
import { isBodiless } from '#http/status/status-companions.js';
import { ownPathOf, type Script } from './script.js';

/** Delays end early if the client disconnects or the service stops. */
export async function sendScript(reply: Reply, script: Script, held: HeldRequests): Promise<Reply> {
  const { status = 200, headers = {}, informational = [], delayMs = 0, chunks } = script;
  const { headerEncoding: encoding } = script;
  const { request } = reply;
  const isSlow = delayMs > 0 || chunks?.some((chunk) => (chunk.delayMs ?? 0) > 0);
  const heldRequest = isSlow ? held.hold(request, reply) : undefined;
  for (const { status, headers = {} } of informational) {
    sendInformational(reply.raw, { status, headers: encodeHeaders(headers, encoding) });
  }
  await wait(delayMs, heldRequest);
  reply.code(status);
  const type = contentTypeOf(script);
  if (type !== undefined && !isBodiless(status)) reply.header('content-type', type);
  const given = ownHeaders(encodeHeaders(headers, encoding), ownPathOf(request));
  addGivenHeaders(reply, sendsTrailers(reply, script) ? given : withoutTrailer(given));
  reply.headers(isolatingHeaders);
  return isBodiless(status) ? reply.send() : sendBody(reply, script, heldRequest);
}

/** Without chunks, as in HTTP/1.0 and in responses to HEAD, there are no trailers. */
function sendsTrailers({ raw: { req }, statusCode }: Reply, { trailers }: Script): boolean {
  const hasChunks = req.httpVersion !== '1.0' && req.method !== 'HEAD' && !isBodiless(statusCode);
  return trailers !== undefined && hasChunks;
}

function withoutTrailer(headers: GivenHeaders): GivenHeaders {
  return headerPairs(headers).filter(([name]) => name.toLowerCase() !== 'trailer');
}

function contentTypeOf({ body, bodyBase64, chunks }: Script): string | undefined {
  if (bodyBase64 !== undefined) return 'application/octet-stream';
  return body === undefined && chunks === undefined ? undefined : 'text/plain; charset=utf-8';
}

function sendBody(reply: Reply, script: Script, heldRequest: HeldRequest | undefined): Reply {
  const { body = '', bodyBase64, chunks, trailers, headerEncoding } = script;
  const bytes = bodyBase64 === undefined ? Buffer.from(body) : Buffer.from(bodyBase64, 'base64');
  if (chunks === undefined && trailers === undefined) {
    return bytes.length === 0 ? reply.send() : reply.send(bytes);
  }
  // Same headers as for GET, where the length is not known beforehand.
  if (reply.raw.req.method === 'HEAD') return reply.send();
  if (sendsTrailers(reply, script)) {
    const pairs = encodeHeaders(trailers ?? {}, headerEncoding);
    const names = [...new Set(pairs.map(([name]) => name))];
    const isAnnounced = script.announceTrailers !== false && !reply.hasHeader('trailer');
    if (isAnnounced && names.length > 0) reply.header('trailer', names.join(', '));
    reply.raw.addTrailers(pairs.map(([...pair]) => pair));
  }
  const pieces = writePieces(chunks ?? [{ data: bytes }], reply.raw, heldRequest);
  return reply.send(Readable.from(pieces, { objectMode: true }));
}

interface Piece {
  readonly data: string | Buffer;
  readonly delayMs?: number;
  readonly cutAt?: number;
}

/** Cuts at a byte, also inside a character. */
const cut = (bytes: Buffer, at: number) => [bytes.subarray(0, at), bytes.subarray(at)];

/** Yields one chunk on the wire for each piece, or two for a piece that is cut. */
async function* writePieces(
  pieces: readonly Piece[],
  response: ServerResponse,
  heldRequest: HeldRequest | undefined,
): AsyncGenerator<Buffer> {
  // Sends the head before the delay of the first chunk. flushHeaders would bypass a planned fault. Bytes, because Node
  // would send the head of a text in UTF-8.
  response.write(Buffer.alloc(0));
  for (const { data, delayMs = 0, cutAt } of pieces) {
    const bytes = Buffer.from(data);
    for (const part of cutAt === undefined ? [bytes] : cut(bytes, cutAt)) {
      await wait(delayMs, heldRequest);
      if (part.length > 0) yield part;
    }
  }
}

async function wait(ms: number, heldRequest: HeldRequest | undefined): Promise<void> {
  if (ms > 0 && !heldRequest?.signal.aborted) await pause(ms, heldRequest);
}
