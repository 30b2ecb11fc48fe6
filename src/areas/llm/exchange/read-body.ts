/** Reads the body of a request as a JSON object. */

import { isUtf8 } from 'node:buffer';
import { isObject, type JsonObject } from '#base/json-object.js';
import {
  isJsonType,
  readWholeBody,
  rejectContentEncoding,
  typeNotAccepted,
} from '#http/body/request-body.js';
import type { Request } from '#http/exchange.js';
import { JsonSyntaxError, parseJson } from '#http/json/parse-json.js';
import { doLongWork } from '#kit/limits/long-work.js';
import { mistake } from '../messages/mistake.js';

/** Values in a body. */
const maxValues = 20_000;

/** Work on larger bodies may take some milliseconds. */
const largeBytes = 32 * 1024;

export function isLargeRequest({ headers }: Request): boolean {
  return Number(headers['content-length'] ?? largeBytes + 1) > largeBytes;
}

/** Throws 400 for malformed JSON, 413 for a large body, and 415 for another type. */
export async function readObject(request: Request, acceptsAnyType = false): Promise<JsonObject> {
  const { 'content-type': type, 'content-encoding': coding } = request.headers;
  if (!acceptsAnyType && !isJsonType(type)) throw typeNotAccepted(type, 'application/json');
  rejectContentEncoding(coding);
  const bytes = await readWholeBody(request);
  if (bytes.length === 0) throw mistake(400, 'The body is empty. Send a JSON object.');
  const isLarge = bytes.length > largeBytes;
  const value = isLarge ? await doLongWork(request, () => parse(bytes)) : parse(bytes);
  if (!isObject(value)) throw mistake(400, 'The body must be a JSON object.');
  return value;
}

function parse(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw mistake(400, 'The body is not valid UTF-8.');
  try {
    return parseJson(bytes.toString('utf8'), maxValues);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw mistake(400, error.message);
    throw error;
  }
}
