/** The body of a request that sends bytes of a resumable upload, checked against Upload-Checksum. */

import { createHash, timingSafeEqual } from 'node:crypto';
import { maxBodyBytes, readBody } from '#http/body/request-body.js';
import type { Request } from '#http/exchange.js';
import { singleHeader } from '#http/headers/header-values.js';
import { HttpError } from '#http/http-error.js';
import { slicesOf } from '#http/sending/stream-of.js';
import { bodyPieces } from './body-pieces.js';
import { beyondEnd, pieceBytes } from './uploads.js';

export const offsetType = 'application/offset+octet-stream';
export const checksums = ['sha1', 'sha256', 'sha512', 'md5'] as const;

interface Checksum {
  readonly algorithm: (typeof checksums)[number];
  readonly digest: Buffer;
}

/**
 * Yields pieces as they arrive, so that they are stored even if the client disconnects. With a checksum, yields them
 * only after the complete body.
 */
export async function* sentPieces(
  request: Request,
  offset: number,
  size: number | null,
  checksum: Checksum | undefined,
): AsyncGenerator<Buffer> {
  checkAnnounced(request, offset, size);
  if (checksum === undefined) {
    yield* bodyPieces(request, pieceBytes);
    return;
  }
  const { algorithm, digest } = checksum;
  const { bytes } = await readBody(request, maxBodyBytes);
  const actual = createHash(algorithm).update(bytes).digest();
  if (actual.length !== digest.length || !timingSafeEqual(actual, digest)) {
    const message = `The body's ${algorithm} is ${actual.toString('base64')}, which does not match Upload-Checksum.`;
    throw new HttpError(460, message, { body: { error: 'Checksum Mismatch' } });
  }
  yield* slicesOf(bytes, pieceBytes);
}

export function checksumOf(request: Request): Checksum | undefined {
  const header = singleHeader(request, 'upload-checksum');
  if (header === undefined) return undefined;
  const [, name, digest = ''] = /^(\S+) ([A-Za-z0-9+/]+={0,2})$/.exec(header.trim()) ?? [];
  const algorithm = checksums.find((each) => each === name?.toLowerCase());
  if (algorithm !== undefined) return { algorithm, digest: Buffer.from(digest, 'base64') };
  const message = `Upload-Checksum must be one of ${checksums.join(', ')}, a space and the digest in base64.`;
  throw new HttpError(400, message);
}

/** Throws 413 before anything is stored. A body of unknown length is rejected when it exceeds the size. */
export function checkAnnounced(request: Request, offset: number, size: number | null): void {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (size !== null && offset + announced > size) throw beyondEnd(size);
}
