/** Sends a response as its script says: interim responses, delays, chunks, trailers. */

import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { withOwnPath } from '../../../http/cookies/own-cookies.js';
import type { Reply } from '../../../http/exchange.js';
import { headerPairs, headersByName } from '../../../http/headers/settable-headers.js';
import { type HeldRequest, pause } from '../../../http/held-requests.js';
import { isolatingHeaders } from '../../../http/isolating-headers.js';
import { sendInformational } from '../../../http/sending/informational.js';
import { isBodiless } from '../../../http/status/status-companions.js';
import type { Script } from './script.js';

/** `place` is among the held requests where the script has delays, which end with it. */
export async function sendScript(
  reply: Reply,
  script: Script,
  ownPath: string,
  place: HeldRequest | undefined,
): Promise<Reply> {
  const { status = 200, headers = {}, informational = [], delayMs = 0 } = script;
  for (const response of informational) sendInformational(reply.raw, response);
  await wait(delayMs, place);
  reply.code(status);
  const type = contentTypeOf(script);
  if (type !== undefined && !isBodiless(status)) reply.header('content-type', type);
  for (const [name, value] of headersByName(headers)) {
    const isCookie = name === 'set-cookie';
    const values = [value].flat();
    reply.header(name, isCookie ? values.map((each) => withOwnPath(each, ownPath)) : value);
  }
  reply.headers(isolatingHeaders);
  if (isBodiless(status)) return reply.send();
  return sendBody(reply, script, place);
}

function contentTypeOf({ body, bodyBase64, chunks }: Script): string | undefined {
  if (bodyBase64 !== undefined) return 'application/octet-stream';
  return body === undefined && chunks === undefined ? undefined : 'text/plain; charset=utf-8';
}

function sendBody(reply: Reply, script: Script, place: HeldRequest | undefined): Reply {
  const { body = '', bodyBase64, chunks, trailers = {} } = script;
  const { req } = reply.raw;
  // Nothing comes behind chunks where there are none, as in HTTP/1.0 and in responses to HEAD.
  const hasChunks = req.httpVersion !== '1.0' && req.method !== 'HEAD';
  const names = hasChunks ? headerPairs(trailers).map(([name]) => name) : [];
  if (names.length > 0) reply.header('trailer', [...new Set(names)].join(', '));
  const bytes = bodyBase64 === undefined ? Buffer.from(body) : Buffer.from(bodyBase64, 'base64');
  const isStreamed = chunks !== undefined || headerPairs(trailers).length > 0;
  if (!isStreamed) return bytes.length === 0 ? reply.send() : reply.send(bytes);
  // As to GET, where no length is known beforehand.
  if (req.method === 'HEAD') return reply.send();
  const pieces = writePieces(chunks ?? [{ data: bytes }], reply.raw, place);
  if (names.length > 0) reply.raw.addTrailers(headerPairs(trailers).map(([...pair]) => pair));
  return reply.send(Readable.from(pieces, { objectMode: true }));
}

interface Piece {
  readonly data: string | Buffer;
  readonly delayMs?: number;
}

/** What is a piece here is a chunk on the wire. */
async function* writePieces(
  pieces: readonly Piece[],
  response: ServerResponse,
  place: HeldRequest | undefined,
): AsyncGenerator<Buffer> {
  // Who waits for the first chunk should see the head before it. flushHeaders would pass by a planned fault.
  response.write('');
  for (const { data, delayMs = 0 } of pieces) {
    await wait(delayMs, place);
    if (data.length > 0) yield Buffer.from(data);
  }
}

async function wait(ms: number, place: HeldRequest | undefined): Promise<void> {
  if (ms > 0 && !place?.signal.aborted) await pause(ms, place);
}
