/** JSON responses that are written while their clients read them. */

import { turns } from '#base/work-in-turns.js';
import type { Reply, Request } from '../exchange.js';
import { HttpError } from '../http-error.js';
import { type JsonLayout, jsonLengths, jsonPieces, WrittenJson } from '../json/json-pieces.js';
import { reserveUntilResponse } from './reserve-until-response.js';
import { inSlices, streamOf } from './stream-of.js';

/** Limit for JSON responses. */
export const maxJsonBytes = 8 * 1024 * 1024;

export const tooMuchJson = () =>
  new HttpError(400, `The response would have more than ${maxJsonBytes} bytes. Send less data.`);

/**
 * Writes parsed JSON at once, so that the much larger value can be collected. Its bytes count as
 * body bytes until the response is complete. Throws 400 if it is too long for a response, and 503
 * if there is no room.
 */
export function writeAhead(request: Request, reply: Reply, value: unknown): WrittenJson {
  const written = WrittenJson.of(value, maxJsonBytes);
  if (written === undefined) throw tooMuchJson();
  reserveUntilResponse(request, reply, written.byteLength);
  return written;
}

/**
 * Returns a handler's result that sends a value like {@link jsonPieces}, followed by `end`; its
 * type fits every response schema. The value is written twice: to count its bytes, and while the
 * client reads it. The caller sets the Content-Type. Throws 400 if it is too long.
 */
export async function sendLargeJson(
  request: Request,
  reply: Reply,
  value: unknown,
  { layout, end = '' }: { readonly layout?: JsonLayout; readonly end?: string } = {},
): Promise<never> {
  let bytes = Buffer.byteLength(end);
  await turns.whenFree();
  for (const length of jsonLengths(value, layout)) {
    bytes += length;
    if (bytes > maxJsonBytes) throw tooMuchJson();
    await turns.whenFree();
    // After the client has left, its data must not wait for more turns.
    if (reply.raw.destroyed) return streamOf(request, () => []) as never;
  }
  function* pieces() {
    yield* jsonPieces(value, layout);
    yield end;
  }
  // A stream could not be altered.
  if (reply.alter !== undefined) return [...pieces()].join('') as never;
  reply.header('content-length', String(bytes));
  return streamOf(request, () => inSlices(pieces())) as never;
}
