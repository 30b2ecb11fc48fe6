/**
 * Request bodies for all areas: read with a bound on what is kept, and parsed as JSON where a
 * route's schema describes a JSON body. The framework's own parsers are not used, because they skip
 * bodies of GET and HEAD and refuse content types that an echo must show.
 */

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpError } from './http-error.js';
import { JsonSyntaxError, parseJson } from './parse-json.js';

const mebibyte = 1024 * 1024;

/** A body larger than this is refused with 413 wherever it is read. */
export const maxBodyBytes = 10 * mebibyte;

/** A JSON, form or XML body larger than this is refused with 413. */
export const maxParsedBodyBytes = mebibyte;

/** Each can have a fault that the answer tells, so there must not be many. */
const maxJsonValues = 1_000;

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

export const noBody: RequestBody = { bytes: Buffer.alloc(0), size: 0, isTruncated: false };

/** Whether the request announces a body (RFC 9112 section 6.3); an announced one may be empty. */
export function hasBody(message: IncomingMessage): boolean {
  const { headers } = message;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Reads the whole body, keeps its first `keepBytes` and counts the rest. Throws 413 over
 * `maxBytes`, 400 when the client goes away in the middle. Can be called once per request.
 */
export function readBody(
  request: FastifyRequest,
  keepBytes: number,
  maxBytes = maxBodyBytes,
): Promise<RequestBody> {
  const message = request.raw;
  if (!hasBody(message)) return Promise.resolve(noBody);
  if (Number(message.headers['content-length'] ?? 0) > maxBytes) {
    drain(message, 0);
    return Promise.reject(tooLarge(maxBytes));
  }
  return new Promise((resolve, reject) => {
    const kept: Buffer[] = [];
    let keptBytes = 0;
    let size = 0;
    // The listeners stay, for taking them off costs more than all else here.
    let isDone = false;

    function onData(chunk: Buffer): void {
      if (isDone) return;
      size += chunk.length;
      if (size > maxBytes) {
        isDone = true;
        drain(message, size);
        reject(tooLarge(maxBytes));
      } else if (keptBytes < keepBytes) {
        const room = keepBytes - keptBytes;
        const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
        keptBytes += part.length;
        kept.push(part);
      }
    }
    function onEnd(): void {
      if (isDone) return;
      isDone = true;
      const bytes = kept.length === 1 && kept[0] !== undefined ? kept[0] : Buffer.concat(kept);
      resolve({ bytes, size, isTruncated: size > keptBytes });
    }
    function onClose(): void {
      if (isDone) return;
      isDone = true;
      reject(new HttpError(400, 'The connection ended before the whole body had arrived.'));
    }
    message.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/**
 * Keeps reading what nobody wants, so that a client busy sending gets to read its answer; a client
 * that goes on far beyond any reason is cut off.
 */
function drain(message: IncomingMessage, alreadyRead: number): void {
  let size = alreadyRead;
  message.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxDrainedBytes) message.destroy();
  });
  message.on('error', () => {});
}

function tooLarge(maxBytes: number): HttpError {
  const limit = `${maxBytes / mebibyte} MiB (${maxBytes} bytes)`;
  return new HttpError(413, `The body is larger than ${limit}, the most this path takes.`);
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
  return jsonType.test(mediaType(contentType));
}

/** The media type of a Content-Type header in lower case, without parameters; empty without one. */
export function mediaType(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
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

async function readJsonBody(request: FastifyRequest, absent: object | undefined): Promise<void> {
  const { 'content-type': contentType, 'content-encoding': contentEncoding } = request.headers;
  const { bytes } = await readBody(request, maxParsedBodyBytes, maxParsedBodyBytes);
  if (bytes.length === 0 && absent !== undefined) {
    request.body = { ...absent };
    return;
  }
  if (bytes.length === 0) {
    throw new HttpError(400, 'The request has no body. Send a JSON object.');
  }
  if (!isJsonType(contentType)) {
    const sent = contentType === undefined ? 'has no Content-Type' : `is ${contentType}`;
    throw new HttpError(415, `The body ${sent}. Send Content-Type: application/json.`);
  }
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') {
    throw new HttpError(415, `Content-Encoding ${contentEncoding} is not taken. Send it plain.`, {
      headers: { 'accept-encoding': 'identity' },
    });
  }
  try {
    request.body = parseJson(bodyText(bytes), maxJsonValues);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new HttpError(400, error.message);
    throw error;
  }
}
