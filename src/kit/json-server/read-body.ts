/** Parses bodies like json-server. */

import { isObject } from '#base/json-object.js';
import { parseForm } from '#http/body/parse-form.js';
import {
  bodyText,
  checkHead,
  maxParsedBodyBytes,
  mediaType,
  readBody,
  rejectContentEncoding,
} from '#http/body/request-body.js';
import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { JsonSyntaxError, parseJson } from '#http/json/parse-json.js';

export type Body = Readonly<Record<string, unknown>>;

/** Enough for the largest records of front ends. */
const maxJsonValues = 10_000;
const formType = 'application/x-www-form-urlencoded';

/** Parses JSON and forms. A body with another type counts as empty. Throws 400 for anything but an object. */
export async function readBody0(request: Request): Promise<Body> {
  const type = mediaType(request.headers['content-type']);
  const isRead = type === 'application/json' || type === formType;
  if (isRead) checkCoding(request);
  const { bytes } = await readBody(request, isRead ? maxParsedBodyBytes : 0, maxParsedBodyBytes);
  if (!isRead || bytes.length === 0) return {};
  rejectContentEncoding(request.headers['content-encoding']);
  const body = type === formType ? readForm(bodyText(bytes)) : readJson(bodyText(bytes));
  if (isObject(body)) return body;
  throw new HttpError(400, 'The body must be a JSON object.');
}

/** Parses JSON, whatever the type. No body counts as empty. Returns `undefined` for anything but an object. */
export async function readBody1(request: Request): Promise<Body | undefined> {
  checkCoding(request);
  const { bytes } = await readBody(request, maxParsedBodyBytes, maxParsedBodyBytes);
  if (bytes.length === 0) return {};
  rejectContentEncoding(request.headers['content-encoding']);
  const body = readJson(bodyText(bytes));
  return isObject(body) ? body : undefined;
}

/** Rejects a compressed body before it is read, unless it may be empty. */
function checkCoding(request: Request): void {
  const { 'content-encoding': coding } = request.headers;
  checkHead(request, maxParsedBodyBytes, () => rejectContentEncoding(coding));
}

function readForm(text: string): unknown {
  try {
    return { ...parseForm(text) };
  } catch (error) {
    throw new HttpError(400, (error as Error).message);
  }
}

function readJson(text: string): unknown {
  try {
    return parseJson(text, maxJsonValues);
  } catch (error) {
    throw error instanceof JsonSyntaxError ? new HttpError(400, error.message) : error;
  }
}
