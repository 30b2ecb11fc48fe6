/**
 * Request bodies for all areas: read with a bound on what is kept, and parsed as JSON where a
 * route's schema describes a JSON body. The framework's own parsers are not used, because they skip
 * bodies of GET and HEAD and refuse content types that an echo must show.
 */

import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BodiesInFlight } from './bodies-in-flight.js';
import { HttpError } from './http-error.js';
import { hasBody, type LeanRequest } from './lean-request.js';
import { minBytesPerSecond, paceWindowMs } from './pace.js';
import { JsonSyntaxError, parseJson } from './parse-json.js';

const mebibyte = 1024 * 1024;

/** A body larger than this is refused with 413 wherever it is read. */
export const maxBodyBytes = 10 * mebibyte;

/** A JSON, form or XML body larger than this is refused with 413. */
export const maxParsedBodyBytes = mebibyte;

/** Each can have a fault that the answer tells, so there must not be many; a route may take more. */
const usualJsonValues = 1_000;

/** A body of another format that stands for JSON; their parsers are slower. */
const maxOtherBodyBytes = 64 * 1024;

/** After a refusal the rest is read and dropped up to this many bytes, so that the client can see it. */
const maxDrainedBytes = 64 * mebibyte;

export interface RequestBody {
  /** The first bytes of the body, at most as many as were asked for. */
  readonly bytes: Buffer;
  /** How many bytes were sent. */
  readonly size: number;
  /** Whether `bytes` is less than what was sent. */
  readonly isTruncated: boolean;
}

const noBytes: Buffer = Buffer.alloc(0);
export const noBody: RequestBody = { bytes: noBytes, size: 0, isTruncated: false };

declare module 'fastify' {
  interface FastifyInstance {
    /** What the bodies of this service's requests hold. */
    readonly bodies: BodiesInFlight;
  }
}

/**
 * Reads the whole body, keeps its first `keepBytes` and counts the rest. Throws 413 over
 * `maxBytes`, 503 when all bodies together hold what they may, 408 when it comes too slowly, and 400
 * when the client goes away in the middle. Can be called once per request. What is kept counts until
 * the request has been answered.
 */
export function readBody(
  request: FastifyRequest,
  keepBytes: number,
  maxBytes = maxBodyBytes,
): Promise<RequestBody> {
  const message = request.raw as LeanRequest;
  if (!hasBody(message)) return Promise.resolve(noBody);
  if (Number(message.headers['content-length'] ?? 0) > maxBytes) {
    drain(message, 0);
    return Promise.reject(tooLarge(maxBytes));
  }
  const { bodies } = request.server;
  const kept = new KeptBytes(message, keepBytes, bodies);
  return new Promise((resolve, reject) => {
    const body = { arrivedBytes: 0, onTooSlow: () => fail(tooSlow()) };
    bodies.watch(body);
    function fail(error: HttpError): void {
      bodies.arrived(body);
      drain(message, body.arrivedBytes);
      reject(error);
    }
    message.readBy({
      take(chunk) {
        body.arrivedBytes += chunk.length;
        if (body.arrivedBytes > maxBytes) fail(tooLarge(maxBytes));
        else if (!kept.add(chunk)) fail(noRoomForBodies());
      },
      end() {
        bodies.arrived(body);
        const { bytes } = kept;
        const size = body.arrivedBytes;
        resolve({ bytes, size, isTruncated: size > bytes.length });
      },
      abandon() {
        fail(new HttpError(400, 'The connection ended before the whole body had arrived.'));
      },
    });
  });
}

/** A body that nobody counts: no connection has more than one, and most are no larger. */
const uncountedBytes = 1280;

/** How many times as much memory as has arrived, and is counted, a body that is still arriving takes at most. */
const maxSpare = 4;

/** The beginning of a body in one piece of memory, whatever its chunks are. */
class KeptBytes {
  readonly #message: LeanRequest;
  readonly #maxBytes: number;
  readonly #bodies: BodiesInFlight;
  #memory: Buffer = noBytes;
  #length = 0;
  #countedBytes = 0;

  constructor(message: LeanRequest, maxBytes: number, bodies: BodiesInFlight) {
    this.#message = message;
    this.#maxBytes = maxBytes;
    this.#bodies = bodies;
  }

  get bytes(): Buffer {
    return this.#memory.subarray(0, this.#length);
  }

  /** Keeps of a chunk what there is to keep; says whether there was room for it. */
  add(chunk: Buffer): boolean {
    const part = chunk.subarray(0, this.#maxBytes - this.#length);
    const length = this.#length + part.length;
    if (this.#length === 0) {
      // Most bodies are one chunk, which is kept as it is.
      if (!this.#count(length)) return false;
      this.#memory = part;
    } else {
      if (length > this.#memory.length && !this.#grow(this.#roomFor(length))) return false;
      part.copy(this.#memory, this.#length);
    }
    this.#length = length;
    return true;
  }

  /** As much as is announced, once a part of that is here; of what is not announced, as much again. */
  #roomFor(length: number): number {
    const announced = Number(this.#message.headers['content-length'] ?? 0);
    const isNear = announced >= length && announced <= maxSpare * length;
    return Math.min(isNear ? announced : 2 * length, this.#maxBytes);
  }

  #grow(size: number): boolean {
    if (!this.#count(size)) return false;
    const memory = Buffer.allocUnsafeSlow(size);
    this.bytes.copy(memory);
    this.#memory = memory;
    return true;
  }

  /** Counts what the memory takes now, until the request has been answered. */
  #count(size: number): boolean {
    if (size <= uncountedBytes) return true;
    if (!this.#bodies.reserve(size - this.#countedBytes)) return false;
    if (this.#countedBytes === 0) {
      this.#message.answer?.once('close', () => {
        this.#bodies.release(this.#countedBytes);
        this.#memory = noBytes;
      });
    }
    this.#countedBytes = size;
    return true;
  }
}

/**
 * Keeps reading what nobody wants, so that a client busy sending gets to read its answer; a client
 * that goes on far beyond any reason is cut off.
 */
function drain(message: LeanRequest, alreadyRead: number): void {
  let size = alreadyRead;
  message.readBy({
    take(chunk) {
      size += chunk.length;
      if (size > maxDrainedBytes) message.destroy();
    },
    end() {},
    abandon() {},
  });
}

export function tooSlow(): HttpError {
  return new HttpError(
    408,
    `The body came slower than ${minBytesPerSecond} bytes a second over ${paceWindowMs / 1000} s.`,
    { headers: { connection: 'close' } },
  );
}

/**
 * Sets memory aside for work on a request, among what all bodies hold, until it has been answered or its client
 * has left. Throws 503 when there is not as much.
 */
export function reserveUntilResponse(
  { server: { bodies } }: FastifyRequest,
  { raw }: FastifyReply,
  bytes: number,
): void {
  if (raw.destroyed) return;
  if (!bodies.reserve(bytes)) throw noRoomForBodies();
  raw.once('close', () => bodies.release(bytes));
}

export function noRoomForBodies(): HttpError {
  return new HttpError(
    503,
    'The bodies of all requests under way hold as much as they may. Try again in a moment.',
    { headers: { 'retry-after': '2' } },
  );
}

function tooLarge(maxBytes: number): HttpError {
  const size = maxBytes < mebibyte ? `${maxBytes / 1024} KiB` : `${maxBytes / mebibyte} MiB`;
  const limit = `${size} (${maxBytes} bytes)`;
  return new HttpError(413, `The body is larger than ${limit}, the limit of this path.`);
}

/** The text of a body kept whole; throws 400 when it is not UTF-8. A byte-order mark is dropped. */
export function bodyText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new HttpError(400, 'The body is not valid UTF-8.');
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.toString('utf8', hasMark ? 3 : 0);
}

const jsonType = /^application\/(?:json|[\w.!#$&^+-]+\+json)$/;

/** Whether a Content-Type header names JSON: `application/json` or a type ending in `+json`. */
export function isJsonType(contentType: string | undefined): boolean {
  return isJson(mediaType(contentType));
}

/** The same of a media type without parameters. */
export function isJson(type: string): boolean {
  return type === 'application/json' || jsonType.test(type);
}

/** The media type of a Content-Type header in lower case, without parameters; empty without one. */
export function mediaType(contentType = ''): string {
  const end = contentType.indexOf(';');
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

/**
 * Parses the JSON body of every route whose schema describes a body, before it is validated. A
 * request may leave out a body whose schema has a default.
 */
export function parseJsonBodies(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.schema?.body === undefined) return;
    const { default: absent } = route.schema.body as { readonly default?: object };
    const readBody = (request: FastifyRequest) => readJsonBody(request, absent);
    route.preValidation = [readBody, ...[route.preValidation ?? []].flat()];
  });
}

const maxShownCharacters = 100;

function cut(text: string): string {
  return text.length > maxShownCharacters ? `${text.slice(0, maxShownCharacters)}…` : text;
}

/** Throws 415 for a compressed body. */
export function rejectContentEncoding(contentEncoding: string | undefined): void {
  if (contentEncoding === undefined || contentEncoding.toLowerCase() === 'identity') return;
  throw new HttpError(
    415,
    `Content-Encoding ${cut(contentEncoding)} is not supported. Send it plain.`,
    {
      headers: { 'accept-encoding': 'identity' },
    },
  );
}

/** For a body whose Content-Type is none of those that are `taken`. */
export function typeNotTaken(contentType: string | undefined, taken: string): HttpError {
  const sent = contentType ? `is ${cut(contentType)}` : 'has no Content-Type';
  return new HttpError(415, `The body ${sent}. Send ${taken}.`);
}

/** Reads and parses a JSON body, which is not validated by that; `absent` takes the place of an empty one. */
export async function readJsonBody(
  request: FastifyRequest,
  absent: object | undefined,
): Promise<void> {
  const { 'content-type': contentType, 'content-encoding': contentEncoding } = request.headers;
  const { bytes } = await readBody(request, maxParsedBodyBytes, maxParsedBodyBytes);
  if (bytes.length === 0 && absent !== undefined) {
    request.body = { ...absent };
    return;
  }
  if (bytes.length === 0) {
    throw new HttpError(400, 'The request has no body. Send a JSON object.');
  }
  const { maxJsonValues = usualJsonValues, otherBodies } = request.routeOptions.config;
  const type = mediaType(contentType);
  const parseOther = isJson(type) ? undefined : otherBodies?.[type];
  if (!isJson(type) && parseOther === undefined) {
    const others = Object.keys(otherBodies ?? {});
    const taken = ['Content-Type: application/json', ...others].join(', ');
    throw typeNotTaken(contentType, taken);
  }
  rejectContentEncoding(contentEncoding);
  if (parseOther !== undefined) {
    if (bytes.length > maxOtherBodyBytes) throw tooLarge(maxOtherBodyBytes);
    request.body = parseOther(bodyText(bytes));
    return;
  }
  try {
    request.body = parseJson(bodyText(bytes), maxJsonValues);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new HttpError(400, error.message);
    throw error;
  }
}
