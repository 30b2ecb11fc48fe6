/**
 * Sends bytes with validators, whole or in ranges, while the client reads them: RFC 9110 sections
 * 13 and 14, with digests of RFC 9530. Bytes are generated or stored, and never whole in memory.
 */

import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { checkPreconditions, preconditionsOf, type Validators } from '../caching/conditional.js';
import type { Reply, Request } from '../exchange.js';
import type { HeldRequests } from '../held-requests.js';
import { HttpError } from '../http-error.js';
import {
  type ByteRange,
  contentRange,
  ifRangeHolds,
  multipartOf,
  parseRanges,
} from './byte-ranges.js';
import {
  type DigestAlgorithm,
  digestField,
  digestOf,
  startDigest,
  wantedDigest,
} from './digest-fields.js';
import { atPace, atPaceWhole } from './drip.js';
import { inTurns, streamOf } from './stream-of.js';

type Slices = Iterable<Buffer> | AsyncIterable<Buffer>;

/** Bytes that can be generated, or read, from any offset. */
export interface RandomAccess extends Validators {
  /** A strong tag, which identifies exactly these bytes. */
  readonly entityTag: string;
  readonly size: number;
  readonly contentType: string;
  readonly slices: (range: ByteRange) => Slices;
}

interface SendOptions {
  readonly held: HeldRequests;
  /** Unlimited by default. */
  readonly bytesPerSecond?: number | undefined;
  /**
   * Whether a paced response sends slices whole; otherwise each chunk has the bytes that are due.
   */
  readonly keepsSlices?: true;
}

/** A digest of more bytes is a trailer, so that no client waits for it. */
const maxDigestHeaderBytes = 1024 * 1024;

/** Slower responses are rejected. */
export const maxPacedSeconds = 600;

/**
 * Returns a handler's result that responds with 200, 206, 304, 412 or 416. The caller sets other
 * headers.
 */
export async function sendBytes(
  request: Request,
  reply: Reply,
  bytes: RandomAccess,
  options: SendOptions,
): Promise<Readable | null> {
  const { entityTag, lastModifiedMs } = bytes;
  reply.header('accept-ranges', 'bytes').header('etag', entityTag);
  if (lastModifiedMs !== undefined) {
    reply.header('last-modified', new Date(lastModifiedMs).toUTCString());
  }
  const outcome = checkPreconditions(preconditionsOf(request), bytes);
  if (outcome === 412) {
    const message = `A condition failed: If-Match does not match ${entityTag}, or the content changed after If-Unmodified-Since.`;
    throw new HttpError(412, message);
  }
  if (outcome === 304) {
    reply.code(304);
    return null;
  }
  return sendContent(request, reply, bytes, contentOf(request, bytes), options);
}

interface RangedContent {
  readonly status: 200 | 206;
  readonly headers: Readonly<Record<string, string>>;
  readonly size: number;
  readonly pieces: () => Slices;
}

function contentOf(request: Request, bytes: RandomAccess): RangedContent {
  const { size, contentType } = bytes;
  const { range: rangeHeader, 'if-range': ifRange } = request.headers;
  // Range is undefined for other methods (section 14.2).
  const isRanged = request.method === 'GET' && ifRangeHolds(ifRange as string, bytes, Date.now());
  const ranges = isRanged ? parseRanges(rangeHeader, size) : 'none';
  if (ranges === 'unsatisfiable') {
    const message = `Range ${JSON.stringify(rangeHeader?.slice(0, 100))} is outside of the ${size} bytes.`;
    throw new HttpError(416, message, {
      headers: { 'content-range': contentRange(undefined, size), 'accept-ranges': 'bytes' },
    });
  }
  if (ranges === 'none') {
    const headers = { 'content-type': contentType };
    return { status: 200, headers, size, pieces: () => allOf(bytes) };
  }
  const [only = { first: 0, last: -1 }] = ranges;
  if (ranges.length === 1) {
    return {
      status: 206,
      headers: { 'content-type': contentType, 'content-range': contentRange(only, size) },
      size: only.last - only.first + 1,
      pieces: () => bytes.slices(only),
    };
  }
  const boundary = randomBytes(18).toString('base64url');
  const multipart = multipartOf(ranges, boundary, contentType, size);
  return {
    status: 206,
    headers: { 'content-type': `multipart/byteranges; boundary=${boundary}` },
    size: multipart.size,
    async *pieces() {
      for (const { head, range } of multipart.parts) {
        yield head;
        yield* bytes.slices(range);
      }
      yield multipart.end;
    },
  };
}

function allOf(bytes: RandomAccess): Slices {
  return bytes.slices({ first: 0, last: bytes.size - 1 });
}

async function sendContent(
  request: Request,
  reply: Reply,
  bytes: RandomAccess,
  content: RangedContent,
  { held, bytesPerSecond, keepsSlices }: SendOptions,
): Promise<Readable> {
  if (bytesPerSecond !== undefined && content.size / bytesPerSecond > maxPacedSeconds) {
    const field = 'bytesPerSecond';
    const message = `At ${bytesPerSecond} bytes a second, ${content.size} bytes would take longer than ${maxPacedSeconds} s. Request fewer bytes, or a higher rate.`;
    throw new HttpError(400, message, { body: { errors: [{ field, message }] } });
  }
  // Before the response is changed, because there may be no room to hold it.
  const isPaced = bytesPerSecond !== undefined && request.method !== 'HEAD';
  const heldRequest = isPaced ? held.hold(request, reply) : undefined;
  reply.code(content.status).headers(content.headers);
  const trailers = await addDigests(request, reply, bytes, content);
  if (trailers.length > 0) {
    reply.header('trailer', trailers.map(({ name }) => name).join(', '));
  } else {
    reply.header('content-length', String(content.size));
  }
  return streamOf(request, () => {
    const whole = withTrailers(inTurns(content.pieces()), reply, trailers);
    if (bytesPerSecond === undefined || heldRequest === undefined) return whole;
    return (keepsSlices ? atPaceWhole : atPace)(whole, bytesPerSecond, heldRequest);
  });
}

interface DigestTrailer {
  readonly name: string;
  /** Called with each chunk that is sent. */
  readonly see?: (piece: Buffer) => void;
  readonly value: () => Promise<string>;
}

/** Sets the digests that are known before the bytes are sent, and returns the others. */
async function addDigests(
  { method, headers, raw }: Request,
  reply: Reply,
  bytes: RandomAccess,
  content: RangedContent,
): Promise<DigestTrailer[]> {
  const trailers: DigestTrailer[] = [];
  const addTrailer = (trailer: DigestTrailer) => {
    if (raw.httpVersion !== '1.0' && method !== 'HEAD') trailers.push(trailer);
  };
  const ofContent = wantedDigest(headers['want-content-digest'] as string | undefined);
  if (ofContent !== undefined) {
    // A response to HEAD has no content, whose digest is a constant (RFC 9530 appendix B.2).
    if (method === 'HEAD') reply.header('content-digest', digestOf(ofContent, Buffer.alloc(0)));
    else if (content.size <= maxDigestHeaderBytes) {
      // The parts of a multipart body are the same each time.
      reply.header('content-digest', await digestAll(ofContent, content.pieces()));
    } else addTrailer(running('Content-Digest', ofContent));
  }
  const ofBytes = wantedDigest(headers['want-repr-digest'] as string | undefined);
  if (ofBytes !== undefined) {
    if (bytes.size <= maxDigestHeaderBytes) {
      reply.header('repr-digest', await reprDigest(ofBytes, bytes));
    } else if (content.status === 200) addTrailer(running('Repr-Digest', ofBytes));
    else addTrailer({ name: 'Repr-Digest', value: () => reprDigest(ofBytes, bytes) });
  }
  return trailers;
}

function running(name: string, algorithm: DigestAlgorithm): DigestTrailer {
  const hash = startDigest(algorithm);
  return {
    name,
    see: (piece) => hash.update(piece),
    value: async () => digestField(algorithm, hash),
  };
}

async function* withTrailers(
  pieces: AsyncIterable<Buffer>,
  reply: Reply,
  trailers: readonly DigestTrailer[],
): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    for (const { see } of trailers) see?.(piece);
    yield piece;
  }
  const fields: Record<string, string> = {};
  for (const { name, value } of trailers) fields[name] = await value();
  if (trailers.length > 0) reply.raw.addTrailers(fields);
}

async function digestAll(algorithm: DigestAlgorithm, pieces: Slices): Promise<string> {
  const hash = startDigest(algorithm);
  for await (const piece of inTurns(pieces)) hash.update(piece);
  return digestField(algorithm, hash);
}

/** The latest digests, by algorithm and tag, which identifies the bytes. */
const knownDigests = new Map<string, Promise<string>>();
const maxKnownDigests = 200;

/**
 * Hashes all bytes only once, even if a client requests one byte of a hundred MiB again and again.
 */
function reprDigest(algorithm: DigestAlgorithm, bytes: RandomAccess): Promise<string> {
  const key = `${algorithm} ${bytes.entityTag}`;
  const known = knownDigests.get(key);
  if (known !== undefined) return known;
  const made = digestAll(algorithm, allOf(bytes));
  knownDigests.set(key, made);
  made.catch(() => knownDigests.delete(key));
  const [oldest] = knownDigests.keys();
  if (knownDigests.size > maxKnownDigests && oldest !== undefined) knownDigests.delete(oldest);
  return made;
}
