/** Stores the content of a request of a resumable upload, as far as it arrives. */

import { maxBodyBytes } from '#http/body/request-body.js';
import type { Reply, Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { bodyPieces } from '../body-pieces.js';
import { maxTotalBytes, pieceBytes, type StoredFile, type Uploads } from '../uploads.js';
import {
  type DraftHeaders,
  inconsistent,
  limitsOf,
  sendResumptionSupported,
} from './draft-headers.js';
import type { Noting } from './upload-requests.js';

export interface Sending {
  readonly request: Request;
  readonly reply: Reply;
  readonly noting: Noting;
  readonly headers: DraftHeaders;
}

/** Adds the limits to the response, if they are the reason for it. */
function beyondLimits(message: string): HttpError {
  return new HttpError(413, message, { headers: { 'upload-limit': limitsOf() } });
}

function appendTooLarge({ noting }: Sending): HttpError {
  noting.fault = 'append-size';
  return beyondLimits(
    `A request has at most ${maxBodyBytes} bytes of content. Append the rest later.`,
  );
}

/** Throws 413 for content that is announced to be larger than the limit. */
export function checkAppendSize(sending: Sending): void {
  if ((sending.headers.announced ?? 0) > maxBodyBytes) throw appendTooLarge(sending);
}

/**
 * Returns the length of the upload if it is known, from Upload-Length or the end of the content of the last
 * request. Throws the problem of the draft if they differ from each other or from the `known` length.
 */
export function lengthOf({ headers, noting }: Sending, offset: number, known: number | null) {
  const { length, isComplete, announced } = headers;
  const byContent = isComplete && announced !== undefined ? offset + announced : undefined;
  const given = [length, byContent, known ?? undefined].filter((each) => each !== undefined);
  const [first, ...others] = given;
  if (others.some((other) => other !== first) || (first ?? offset) < offset) {
    noting.fault = 'length';
    const all = [...new Set(given)].join(' and ');
    const message = `The length of this upload is inconsistent: ${all} bytes, and ${offset} have arrived.`;
    throw inconsistent(message);
  }
  if (first !== undefined && first > maxTotalBytes) {
    throw beyondLimits(`An upload has at most ${maxTotalBytes} bytes; this one has ${first}.`);
  }
  return first ?? null;
}

/** Appends the content at `offset`. Completes the upload if the client says so, and all content has arrived. */
export async function storeContent(
  sending: Sending,
  uploads: Uploads,
  { id, size }: StoredFile,
  offset: number,
): Promise<StoredFile> {
  const { request, headers, noting } = sending;
  const isLast = () => headers.isComplete !== false && request.raw.complete;
  const isWhole = (file: StoredFile) => isLast() && (size === null || file.offset === size);
  const file = await uploads
    .write(id, offset, progressing(sending, offset, size), isWhole)
    .catch(async (error: unknown) => {
      if (noting.fault === 'length') await uploads.remove(id);
      throw error;
    });
  if (!isLast() || file.sha256 !== null) return file;
  noting.fault = 'length';
  throw inconsistent(
    `The upload is complete with ${file.offset} bytes, but its length is ${size}.`,
  );
}

/** Yields the pieces of the content, and sends the progress once each is stored. */
async function* progressing(sending: Sending, start: number, size: number | null) {
  const { request, reply, headers, noting } = sending;
  let offset = start;
  for await (const piece of bodyPieces(request, pieceBytes)) {
    if (offset > start) {
      sendResumptionSupported(reply, headers, { 'Upload-Offset': String(offset) });
    }
    if (offset - start + piece.length > maxBodyBytes) throw appendTooLarge(sending);
    if (size !== null && offset + piece.length > size) {
      noting.fault = 'length';
      throw inconsistent(`More than the ${size} bytes of this upload were sent. It is deleted.`);
    }
    yield piece;
    offset += piece.length;
  }
}
