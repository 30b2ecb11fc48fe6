/**
 * Sends bytes that have validators, in whole or in ranges, as they are taken: RFC 9110 sections 13 and 14, with
 * digests by RFC 9530. What is sent was generated or stored, and never lies in memory as a whole.
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
import { type DigestAlgorithm, digestOf, RunningDigest, wantedDigest } from './digest-fields.js';
import { atPace } from './drip.js';
import { inTurns, streamOf } from './stream-of.js';

type Slices = Iterable<Buffer> | AsyncIterable<Buffer>;

/** Bytes that can be made, or read, from any place on. */
export interface RandomAccess extends Validators {
  /** A strong one, which names these bytes and no others. */
  readonly entityTag: string;
  readonly size: number;
  readonly contentType: string;
  readonly slices: (range: ByteRange) => Slices;
}

export interface SendOptions {
  readonly held: HeldRequests;
  /** At most so many; as many as the client takes without it. */
  readonly bytesPerSecond?: number | undefined;
}

/** A digest of more bytes comes behind them, as a trailer: nobody waits for it. */
export const maxDigestHeaderBytes = 1024 * 1024;

/** A paced response that would take longer is rejected. */
export const maxPacedSeconds = 600;

/** What a handler returns to respond with 200, 206, 304, 412 or 416; other headers are the caller's to set. */
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
  const judged = checkPreconditions(preconditionsOf(request), bytes);
  if (judged === 412) {
    const message = `A condition does not hold: If-Match names another version than ${entityTag}, or it has changed since the time of If-Unmodified-Since.`;
    throw new HttpError(412, message);
  }
  if (judged === 304) {
    reply.code(304);
    return null;
  }
  return sendContent(request, reply, bytes, contentOf(request, bytes), options);
}

/** What one response holds: all of the bytes, or parts of them. */
interface RangedContent {
  readonly status: 200 | 206;
  readonly headers: Readonly<Record<string, string>>;
  readonly size: number;
  readonly isWhole: boolean;
  readonly pieces: () => Slices;
}

function contentOf(request: Request, bytes: RandomAccess): RangedContent {
  const { size, contentType } = bytes;
  const { range: rangeHeader, 'if-range': ifRange } = request.headers;
  // Of other methods Range means nothing (section 14.2).
  const isAsked = request.method === 'GET' && ifRangeHolds(ifRange as string, bytes, Date.now());
  const ranges = isAsked ? parseRanges(rangeHeader, size) : 'none';
  if (ranges === 'unsatisfiable') {
    const message = `Range ${JSON.stringify(rangeHeader?.slice(0, 100))} asks for none of the ${size} bytes that there are.`;
    throw new HttpError(416, message, {
      headers: { 'content-range': contentRange(undefined, size), 'accept-ranges': 'bytes' },
    });
  }
  const [first] = ranges;
  if (ranges === 'none' || typeof first !== 'object') {
    const pieces = () => bytes.slices({ first: 0, last: size - 1 });
    const headers = { 'content-type': contentType };
    return { status: 200, headers, size, isWhole: true, pieces };
  }
  if (ranges.length === 1) {
    return {
      status: 206,
      headers: { 'content-type': contentType, 'content-range': contentRange(first, size) },
      size: first.last - first.first + 1,
      isWhole: false,
      pieces: () => bytes.slices(first),
    };
  }
  const boundary = randomBytes(18).toString('base64url');
  const multipart = multipartOf(ranges, boundary, contentType, size);
  return {
    status: 206,
    headers: { 'content-type': `multipart/byteranges; boundary=${boundary}` },
    size: multipart.size,
    isWhole: false,
    async *pieces() {
      for (const { head, range } of multipart.parts) {
        yield head;
        yield* bytes.slices(range);
      }
      yield multipart.end;
    },
  };
}

async function sendContent(
  request: Request,
  reply: Reply,
  bytes: RandomAccess,
  content: RangedContent,
  { held, bytesPerSecond }: SendOptions,
): Promise<Readable> {
  if (bytesPerSecond !== undefined && content.size / bytesPerSecond > maxPacedSeconds) {
    const field = 'bytesPerSecond';
    const message = `At ${bytesPerSecond} bytes a second ${content.size} bytes would take longer than ${maxPacedSeconds} s. Ask for fewer bytes, or for more a second.`;
    throw new HttpError(400, message, { body: { errors: [{ field, message }] } });
  }
  // Before anything of the response is set: there may be no room to hold it.
  const isPaced = bytesPerSecond !== undefined && request.method !== 'HEAD';
  const place = isPaced ? held.hold(request, reply) : undefined;
  reply.code(content.status).headers(content.headers);
  const trailers = await addDigests(request, reply, bytes, content);
  if (trailers.length > 0) {
    reply.header('trailer', trailers.map(({ name }) => name).join(', '));
  } else {
    reply.header('content-length', String(content.size));
  }
  return streamOf(request, () => {
    const whole = withTrailers(inTurns(content.pieces()), reply, trailers);
    if (bytesPerSecond === undefined || place === undefined) return whole;
    return atPace(whole, bytesPerSecond, place);
  });
}

/** A digest that is told behind the bytes. */
interface DigestTrailer {
  readonly name: string;
  /** Called with each piece that is sent. */
  readonly see?: (piece: Buffer) => void;
  readonly value: () => Promise<string>;
}

/** Sets the digests that can be told before the bytes, and returns the others. */
async function addDigests(
  request: Request,
  reply: Reply,
  bytes: RandomAccess,
  content: RangedContent,
): Promise<DigestTrailer[]> {
  const { method, headers, raw } = request;
  const knowsTrailers = raw.httpVersion !== '1.0' && method !== 'HEAD';
  const ofContent = wantedDigest(headers['want-content-digest'] as string | undefined);
  const ofBytes = wantedDigest(headers['want-repr-digest'] as string | undefined);
  const trailers: DigestTrailer[] = [];
  if (ofContent !== undefined) {
    // A response to HEAD has no content, and that has a digest of its own (RFC 9530 appendix B.2).
    if (method === 'HEAD') reply.header('content-digest', digestOf(ofContent, Buffer.alloc(0)));
    else if (content.size <= maxDigestHeaderBytes) {
      // The parts of a multipart are in the same places whenever it is made.
      reply.header('content-digest', await digestAll(ofContent, content.pieces()));
    } else if (knowsTrailers) trailers.push(running('Content-Digest', ofContent));
  }
  if (ofBytes !== undefined) {
    if (bytes.size <= maxDigestHeaderBytes) {
      reply.header('repr-digest', await reprDigest(ofBytes, bytes));
    } else if (knowsTrailers && content.isWhole) trailers.push(running('Repr-Digest', ofBytes));
    else if (knowsTrailers) {
      trailers.push({ name: 'Repr-Digest', value: () => reprDigest(ofBytes, bytes) });
    }
  }
  return trailers;
}

function running(name: string, algorithm: DigestAlgorithm): DigestTrailer {
  const digest = new RunningDigest(algorithm);
  return { name, see: (piece) => digest.add(piece), value: async () => digest.end() };
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
  const digest = new RunningDigest(algorithm);
  for await (const piece of inTurns(pieces)) digest.add(piece);
  return digest.end();
}

/** Digests of what was asked for last, by algorithm and tag, which names the bytes exactly. */
const knownDigests = new Map<string, Promise<string>>();
const maxKnownDigests = 200;

/** A byte of a hundred MiB can be asked for again and again; all of them are hashed once. */
function reprDigest(algorithm: DigestAlgorithm, bytes: RandomAccess): Promise<string> {
  const key = `${algorithm} ${bytes.entityTag}`;
  const known = knownDigests.get(key);
  if (known !== undefined) return known;
  const made = digestAll(algorithm, bytes.slices({ first: 0, last: bytes.size - 1 }));
  knownDigests.set(key, made);
  made.catch(() => knownDigests.delete(key));
  const [oldest] = knownDigests.keys();
  if (knownDigests.size > maxKnownDigests && oldest !== undefined) knownDigests.delete(oldest);
  return made;
}
