/** Sends a scripted response: interim responses, delays, chunks, trailers. */

import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { basePathOf, sentPathOf } from '../../../http/address/sandbox-address.js';
import { ownHeaders } from '../../../http/cookies/own-cookies.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { keepLetterCase } from '../../../http/headers/head-form.js';
import { encodeHeaders } from '../../../http/headers/settable-headers.js';
import { type HeldRequest, type HeldRequests, pause } from '../../../http/held-requests.js';
import { isolatingHeaders } from '../../../http/isolating-headers.js';
import { sendInformational } from '../../../http/sending/informational.js';
import { isBodiless } from '../../../http/status/status-companions.js';
import type { Script } from './script.js';

/** Delays end early if the client disconnects or the service stops. */
export async function sendScript(reply: Reply, script: Script, held: HeldRequests): Promise<Reply> {
  const { status = 200, headers = {}, informational = [], delayMs = 0, chunks } = script;
  const { headerEncoding: encoding } = script;
  const { request } = reply;
  const isSlow = delayMs > 0 || chunks?.some((chunk) => (chunk.delayMs ?? 0) > 0);
  const place = isSlow ? held.hold(request, reply) : undefined;
  for (const { status, headers = {} } of informational) {
    sendInformational(reply.raw, { status, headers: encodeHeaders(headers, encoding) });
  }
  await wait(delayMs, place);
  reply.code(status);
  const type = contentTypeOf(script);
  if (type !== undefined && !isBodiless(status)) reply.header('content-type', type);
  reply.headers(
    Object.fromEntries(ownHeaders(encodeHeaders(headers, encoding), ownPathOf(request))),
  );
  reply.headers(isolatingHeaders);
  keepLetterCase(reply, headers);
  return isBodiless(status) ? reply.send() : sendBody(reply, script, place);
}

/** Returns the path that belongs to the caller: the sandbox prefix in the URL, or otherwise only this path. */
export function ownPathOf(request: Request): string {
  const basePath = basePathOf(request.baseUrl);
  return request.raw.sandboxAddress === undefined ? basePath + sentPathOf(request) : basePath;
}

function contentTypeOf({ body, bodyBase64, chunks }: Script): string | undefined {
  if (bodyBase64 !== undefined) return 'application/octet-stream';
  return body === undefined && chunks === undefined ? undefined : 'text/plain; charset=utf-8';
}

function sendBody(reply: Reply, script: Script, place: HeldRequest | undefined): Reply {
  const { body = '', bodyBase64, chunks, trailers = {}, headerEncoding } = script;
  const { req } = reply.raw;
  // Without chunks, as in HTTP/1.0 and in responses to HEAD, there are no trailers.
  const hasChunks = req.httpVersion !== '1.0' && req.method !== 'HEAD';
  const pairs = encodeHeaders(trailers, headerEncoding);
  const names = hasChunks ? pairs.map(([name]) => name) : [];
  if (names.length > 0) reply.header('trailer', [...new Set(names)].join(', '));
  const bytes = bodyBase64 === undefined ? Buffer.from(body) : Buffer.from(bodyBase64, 'base64');
  if (chunks === undefined && pairs.length === 0) {
    return bytes.length === 0 ? reply.send() : reply.send(bytes);
  }
  // Same headers as for GET, where the length is not known beforehand.
  if (req.method === 'HEAD') return reply.send();
  const pieces = writePieces(chunks ?? [{ data: bytes }], reply.raw, place);
  if (names.length > 0) reply.raw.addTrailers(pairs.map(([...pair]) => pair));
  return reply.send(Readable.from(pieces, { objectMode: true }));
}

/** Yields one chunk on the wire for each piece. */
async function* writePieces(
  pieces: readonly { readonly data: string | Buffer; readonly delayMs?: number }[],
  response: ServerResponse,
  place: HeldRequest | undefined,
): AsyncGenerator<Buffer> {
  // Sends the head before the delay of the first chunk. flushHeaders would bypass a planned fault. Bytes, because Node
  // would send the head of a text in UTF-8.
  response.write(Buffer.alloc(0));
  for (const { data, delayMs = 0 } of pieces) {
    await wait(delayMs, place);
    if (data.length > 0) yield Buffer.from(data);
  }
}

async function wait(ms: number, place: HeldRequest | undefined): Promise<void> {
  if (ms > 0 && !place?.signal.aborted) await pause(ms, place);
}
