/** Reads request bodies of any method, with a limit on the kept bytes, and parses them as JSON. */

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { cutText } from '#base/text/cut-text.js';
import { turns } from '#base/work-in-turns.js';
import type { ArrivingBody, BodiesInFlight } from '#wire/budgets/bodies-in-flight.js';
import { minBytesPerSecond, paceWindowMs } from '#wire/budgets/pace.js';
import { guard } from '#wire/guard.js';
import type { BodyReader } from '#wire/internals/direct-body.js';
import type { WireRequest } from '#wire/request.js';
import type { Request } from '../exchange.js';
import { HttpError } from '../http-error.js';
import { JsonSyntaxError, parseJson } from '../json/parse-json.js';
import { noRoomForBodies } from '../sending/reserve-until-response.js';

declare module 'node:http' {
  interface IncomingMessage {
    /** Replaces the bytes of the body before anything of it is parsed. */
    alterBody?: (bytes: Buffer) => Buffer;
  }
}

const mebibyte = 1024 * 1024;

/** Every endpoint rejects a larger body with 413. */
export const maxBodyBytes = 10 * mebibyte;

/** Limit for JSON, form and XML bodies. */
export const maxParsedBodyBytes = mebibyte;

/** The response may report a fault of each value; an endpoint may accept more. */
const usualJsonValues = 1_000;

/** Limit for other formats than JSON, whose parsers are slower. */
const maxOtherBodyBytes = 64 * 1024;

/**
 * After a rejection, up to this many bytes are read and dropped, so that the client can read the
 * response.
 */
const maxDrainedBytes = 64 * mebibyte;

export interface RequestBody {
  /** First bytes of the body, up to the limit. */
  readonly bytes: Buffer;
  readonly size: number;
  /** Whether the body was longer than `bytes`. */
  readonly isTruncated: boolean;
}

const noBytes: Buffer = Buffer.alloc(0);
export const noBody: RequestBody = { bytes: noBytes, size: 0, isTruncated: false };

/** Returns whether a request announces a body (RFC 9112 section 6.3); it may be empty. */
export function hasBody(request: IncomingMessage): boolean {
  return (request as WireRequest).announcesBody;
}

/** Returns whether the client may wait for 100 before it sends the body (RFC 9110 section 10.1.1). */
export function isBodyWithheld({ raw }: Request): boolean {
  return (raw as WireRequest).awaitsContinue;
}

/**
 * Reads the whole body, keeps its first `keepBytes` and counts the rest. Throws 413 over
 * `maxBytes`, 503 if all bodies together reach their limit, 408 if it arrives too slowly, and 400
 * if the client leaves early. Call once per request. Kept bytes count until the response is
 * complete.
 */
export function readBody(
  request: Request,
  keepBytes: number,
  maxBytes = maxBodyBytes,
): Promise<RequestBody> {
  const { alterBody } = request.raw;
  const body = receiveBody(request, keepBytes, maxBytes);
  if (alterBody === undefined) return body;
  return body.then((read) => ({ ...read, bytes: alterBody(read.bytes) }));
}

function receiveBody(request: Request, keepBytes: number, maxBytes: number): Promise<RequestBody> {
  const message = request.raw as WireRequest;
  if (!hasBody(message)) return Promise.resolve(noBody);
  const { bodies } = request.exchanges;
  return new Promise((resolve, reject) => {
    checkHead(request, maxBytes);
    const body = new IncomingBody(message, { keepBytes, maxBytes, bodies, resolve, reject });
    bodies.watch(body);
    message.readBy(body);
  });
}

/** Work on larger bodies may take some milliseconds. */
const largeBytes = 32 * 1024;

/** Smaller bodies are not counted: there is at most one per connection, and most are this small. */
const uncountedBytes = 1280;

/** Maximum ratio of memory to arrived bytes of an arriving body. */
const maxSpare = 4;

interface BodyOptions {
  readonly keepBytes: number;
  readonly maxBytes: number;
  readonly bodies: BodiesInFlight;
  readonly resolve: (body: RequestBody) => void;
  readonly reject: (error: HttpError) => void;
}

/** A body while it arrives. Its beginning is kept in one buffer, whatever its chunks are. */
class IncomingBody implements ArrivingBody, BodyReader {
  arrivedBytes = 0;
  pace: ArrivingBody['pace'];
  place = -1;
  readonly #message: WireRequest;
  readonly #options: BodyOptions;
  #memory: Buffer = noBytes;
  #length = 0;
  #countedBytes = 0;

  constructor(message: WireRequest, options: BodyOptions) {
    this.#message = message;
    this.#options = options;
  }

  read(chunk: Buffer): void {
    this.arrivedBytes += chunk.length;
    const { maxBytes } = this.#options;
    if (this.arrivedBytes > maxBytes) this.#fail(tooLarge(maxBytes));
    else if (!this.#keep(chunk)) this.#fail(noRoomForBodies());
  }

  end(): void {
    const { bodies, resolve } = this.#options;
    bodies.arrived(this);
    const memory = this.#memory;
    const bytes = memory.length === this.#length ? memory : memory.subarray(0, this.#length);
    const size = this.arrivedBytes;
    const body = { bytes, size, isTruncated: size > bytes.length };
    // Several large bodies may end in one turn of the event loop; work on each gets a separate
    // turn.
    if (size <= largeBytes) resolve(body);
    else void turns.whenFree().then(() => resolve(body));
  }

  abort(): void {
    this.#fail(new HttpError(400, 'The connection ended before the whole body had arrived.'));
  }

  destroy(): void {
    this.#message.cut();
  }

  onTooSlow(): void {
    this.#fail(tooSlow());
  }

  #fail(error: HttpError): void {
    const { bodies, reject } = this.#options;
    bodies.arrived(this);
    drain(this.#message, this.arrivedBytes);
    reject(error);
  }

  /** Keeps the needed bytes of a chunk; returns whether there was room. */
  #keep(chunk: Buffer): boolean {
    const room = this.#options.keepBytes - this.#length;
    const part = chunk.length <= room ? chunk : chunk.subarray(0, room);
    const length = this.#length + part.length;
    if (this.#length === 0) {
      // Most bodies are one chunk, which is kept unchanged.
      if (!this.#count(length)) return false;
      this.#memory = part;
    } else {
      if (length > this.#memory.length && !this.#grow(this.#roomFor(length))) return false;
      part.copy(this.#memory, this.#length);
    }
    this.#length = length;
    return true;
  }

  /** Returns the announced length once a part of it has arrived, or else doubles the buffer. */
  #roomFor(length: number): number {
    const announced = Number(this.#message.headers['content-length'] ?? 0);
    const isNear = announced >= length && announced <= maxSpare * length;
    return Math.min(isNear ? announced : 2 * length, this.#options.keepBytes);
  }

  #grow(size: number): boolean {
    if (!this.#count(size)) return false;
    const memory = Buffer.allocUnsafeSlow(size);
    this.#memory.copy(memory, 0, 0, this.#length);
    this.#memory = memory;
    return true;
  }

  /** Counts the memory in use, until the response is complete. */
  #count(size: number): boolean {
    if (size <= uncountedBytes) return true;
    const { bodies } = this.#options;
    if (!bodies.reserve(size - this.#countedBytes)) return false;
    if (this.#countedBytes === 0) {
      const release = () => {
        bodies.release(this.#countedBytes);
        this.#memory = noBytes;
      };
      this.#message.response?.once('close', guard(this.#message, release));
    }
    this.#countedBytes = size;
    return true;
  }
}

/**
 * Reads and drops the rest, so that a client that is still sending can read the response; cuts off
 * an endless body.
 */
function drain(message: WireRequest, alreadyRead: number): void {
  // This client sends nothing more, or learns from the response that it need not.
  if (message.awaitsContinue) return;
  let size = alreadyRead;
  message.readBy({
    read(chunk) {
      size += chunk.length;
      if (size > maxDrainedBytes) message.destroy();
    },
    end() {},
    abort() {},
  });
}

export function tooSlow(): HttpError {
  return new HttpError(
    408,
    `The body arrived slower than ${minBytesPerSecond} bytes a second over ${paceWindowMs / 1000} s.`,
    { headers: { connection: 'close' } },
  );
}

function tooLarge(maxBytes: number): HttpError {
  const size = maxBytes < mebibyte ? `${maxBytes / 1024} KiB` : `${maxBytes / mebibyte} MiB`;
  const limit = `${size} (${maxBytes} bytes)`;
  return new HttpError(413, `The body is larger than ${limit}, the limit of this path.`);
}

/** Returns the text of a whole body without a byte-order mark; throws 400 if it is not UTF-8. */
export function bodyText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new HttpError(400, 'The body is not valid UTF-8.');
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.toString('utf8', hasMark ? 3 : 0);
}

const jsonType = /^application\/(?:json|[\w.!#$&^+-]+\+json)$/;

/** Returns whether a Content-Type header names JSON: `application/json` or a type ending in `+json`. */
export function isJsonType(contentType: string | undefined): boolean {
  return isJson(mediaType(contentType));
}

/** Returns whether a media type without parameters is JSON. */
export function isJson(type: string): boolean {
  return type === 'application/json' || jsonType.test(type);
}

/** Returns the media type of a Content-Type header in lower case, without parameters; empty without one. */
export function mediaType(contentType = ''): string {
  const end = contentType.indexOf(';');
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

const maxShownCharacters = 100;

export function rejectContentEncoding(contentEncoding: string | undefined): void {
  if (contentEncoding === undefined || contentEncoding.toLowerCase() === 'identity') return;
  throw new HttpError(
    415,
    `Content-Encoding ${cutText(contentEncoding, maxShownCharacters)} is not supported. Send the body uncompressed.`,
    { headers: { 'accept-encoding': 'identity' } },
  );
}

/** Makes the 415 of a body whose Content-Type is not in `accepted`. */
export function typeNotAccepted(contentType: string | undefined, accepted: string): HttpError {
  const sent = contentType
    ? `is ${cutText(contentType, maxShownCharacters)}${originOfType(contentType, ', ')}`
    : 'has no Content-Type';
  return new HttpError(415, `The body ${sent}. Send ${accepted}.`);
}

/** Explains a type that the caller may not have chosen, after words that lead to it. */
export function originOfType(contentType: string | undefined, lead: string): string {
  const isForm = mediaType(contentType) === 'application/x-www-form-urlencoded';
  return isForm ? `${lead}the default of curl -d` : '';
}

/** Reads a body of at most {@link maxParsedBodyBytes}. */
export async function readWholeBody(request: Request): Promise<Buffer> {
  const { bytes } = await readBody(request, maxParsedBodyBytes, maxParsedBodyBytes);
  return bytes;
}

/**
 * Rejects a request by its head if its body would be rejected: 413 over `maxBytes`, or the error of
 * `check`. Ignores a body that may be empty.
 */
export function checkHead({ raw }: Request, maxBytes: number, check: () => void = () => {}): void {
  const message = raw as WireRequest;
  const length = Number(message.headers['content-length'] ?? 0);
  if (length > maxBytes) {
    drain(message, 0);
    throw tooLarge(maxBytes);
  }
  if (length > 0 || message.awaitsContinue) check();
}

/** Throws 413 or 415 by the head of a request with a body of JSON, or of a type with a parser. */
export function checkTypeBeforeBody(request: Request): void {
  checkHead(request, maxParsedBodyBytes);
  if (hasBody(request.raw)) checkType(request);
}

/** Reads a body of JSON, or of a type with a parser. An empty body becomes `absent`. */
export async function readJsonBody(request: Request, absent?: object): Promise<unknown> {
  checkHead(request, maxParsedBodyBytes, () => checkType(request));
  const bytes = await readWholeBody(request);
  if (bytes.length === 0) {
    if (absent !== undefined) return { ...absent };
    throw new HttpError(400, 'The request has no body. Send a JSON object.');
  }
  const parseOther = checkType(request);
  if (parseOther !== undefined) {
    if (bytes.length > maxOtherBodyBytes) throw tooLarge(maxOtherBodyBytes);
    return parseOther(bodyText(bytes));
  }
  const { maxJsonValues = usualJsonValues } = request.route?.spec ?? {};
  try {
    const json = parseJson(bodyText(bytes), maxJsonValues);
    request.onParsed?.({ json });
    return json;
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new HttpError(400, error.message);
    throw error;
  }
}

/** Tells observers the JSON in `bytes`, if the type says so and it can be parsed. */
export function noteJson(request: Request, bytes: Buffer): void {
  if (request.onParsed === undefined || !isJsonType(request.headers['content-type'])) return;
  try {
    request.onParsed({ json: parseJson(bodyText(bytes), usualJsonValues) });
  } catch (error) {
    if (!(error instanceof JsonSyntaxError || error instanceof HttpError)) throw error;
  }
}

/** Throws 415 unless the endpoint accepts the type; returns its parser if it is not JSON. */
function checkType({ headers, route }: Request): ((text: string) => unknown) | undefined {
  const { 'content-type': contentType, 'content-encoding': contentEncoding } = headers;
  const { otherBodies = {} } = route?.spec ?? {};
  const type = mediaType(contentType);
  const isOther = !isJson(type);
  const parseOther = isOther && Object.hasOwn(otherBodies, type) ? otherBodies[type] : undefined;
  if (isOther && parseOther === undefined) {
    const accepted = ['Content-Type: application/json', ...Object.keys(otherBodies)].join(', ');
    throw typeNotAccepted(contentType, accepted);
  }
  rejectContentEncoding(contentEncoding);
  return parseOther;
}
