/** Responses of JSON that are written while their clients take them. */

import { turns } from '../../base/work-in-turns.js';
import { reserveUntilResponse } from '../body/request-body.js';
import type { Reply, Request } from '../exchange.js';
import { HttpError } from '../http-error.js';
import { inSlices, streamOf } from '../sending/stream-of.js';
import { type JsonLayout, jsonLengths, jsonPieces, WrittenJson } from './json-pieces.js';

/** No response of JSON is larger. */
export const maxJsonBytes = 8 * 1024 * 1024;

export const tooMuchJson = () =>
  new HttpError(400, `The response would have more than ${maxJsonBytes} bytes. Send less data.`);

/**
 * Writes parsed JSON at once, so that the much larger value can go. Its bytes count among the bodies until the response
 * is sent. Throws 400 when it becomes too long for a response, and 503 when there is no room.
 */
export function writeAhead(request: Request, reply: Reply, value: unknown): WrittenJson {
  const written = WrittenJson.of(value, maxJsonBytes);
  if (written === undefined) throw tooMuchJson();
  reserveUntilResponse(request, reply, written.byteLength);
  return written;
}

/**
 * Sends a value as {@link jsonPieces} writes it. It is written twice: once to know its Content-Length, and again while
 * the client takes it. `end` follows the JSON. The caller sets the Content-Type. Throws 400 when it is too long.
 * Returned by a handler; its type fits the schema of every response.
 */
export async function sendLargeJson(
  request: Request,
  reply: Reply,
  value: unknown,
  { layout, end = '' }: { readonly layout?: JsonLayout; readonly end?: string } = {},
): Promise<never> {
  function* pieces() {
    yield* jsonPieces(value, layout);
    yield end;
  }
  let bytes = Buffer.byteLength(end);
  await turns.whenFree();
  for (const length of jsonLengths(value, layout)) {
    bytes += length;
    if (bytes > maxJsonBytes) throw tooMuchJson();
    await turns.whenFree();
    // The client has left: its data must not wait for more turns.
    if (reply.raw.destroyed) return streamOf(request, () => []) as never;
  }
  reply.header('content-length', String(bytes));
  return streamOf(request, () => inSlices(pieces())) as never;
}
