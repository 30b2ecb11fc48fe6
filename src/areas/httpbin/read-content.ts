/** Parses the content of a request as httpbin shows it: a form, files, or data that may be JSON. */

import { isUtf8 } from 'node:buffer';
import { addValue } from '#base/add-value.js';
import { type FormFields, parseForm, parseMultipart } from '#http/body/parse-form.js';
import type { FormFile } from '#http/body/read-parts.js';
import { bodyText, hasBody, mediaType, readBody } from '#http/body/request-body.js';
import type { Reply, Request } from '#http/exchange.js';
import { type JsonLayout, TextOfBytes, WrittenJson } from '#http/json/json-pieces.js';
import { parseJson } from '#http/json/parse-json.js';
import { maxJsonBytes, tooMuchJson } from '#http/sending/large-json.js';
import { reserveUntilResponse } from '#http/sending/reserve-until-response.js';
import { doLongWork } from '#kit/limits/long-work.js';
import { indented, onOneLine } from './write-json.js';

interface Content {
  /** The text of a body that is not a form, or a `data:` URL. */
  readonly data: string | TextOfBytes;
  readonly form: FormFields;
  readonly files: Files;
  readonly json: unknown;
  /** Why a multipart body is shown as `data`. */
  readonly parseError?: string;
  /** Present if `data` has only the beginning of the body. */
  readonly bodyTruncated?: true;
  /** The layout of a response that is streamed. */
  readonly layout?: JsonLayout;
}

type Files = Record<string, TextOfBytes | TextOfBytes[]>;

const shownBytes = 1024 * 1024;

/** Up to this size, parsing and serializing take a few milliseconds. */
const largeBytes = 64 * 1024;

const nothing = { data: '', form: {}, files: {}, json: null };

/** Reads the body. A malformed form is shown as data, like any other body. */
export async function readContent(request: Request, reply: Reply): Promise<Content> {
  if (!hasBody(request.raw)) return nothing;
  const { bytes, isTruncated } = await readBody(request, shownBytes);
  if (isTruncated) {
    return { ...nothing, data: jsonSafe(bytes), bodyTruncated: true, layout: indented };
  }
  if (bytes.length <= largeBytes) {
    const form = await readForm(request, bytes);
    return isWhole(form) ? form : { ...dataOf(bytes, readJson(bytes)), ...form };
  }
  // For the body's text, the text to parse, and the parsed values.
  reserveUntilResponse(request, reply, 3 * bytes.length);
  return doLongWork(request, async () => {
    if (reply.raw.destroyed) return nothing;
    // Awaits nothing before the long work, unless the body is a form.
    const form = formTypeOf(request) === undefined ? undefined : await readForm(request, bytes);
    if (isWhole(form)) return { ...form, layout: indented };
    return { ...largeData(request, reply, bytes), ...form };
  });
}

/** Longest indented JSON, in addition to the text it was parsed from. */
const maxIndentedBytes = 5 * 1024 * 1024;

function largeData(request: Request, reply: Reply, bytes: Buffer): Content {
  const json = readJson(bytes);
  const written =
    WrittenJson.of(json, maxIndentedBytes, indented, 1) ??
    WrittenJson.of(json, maxJsonBytes, onOneLine);
  if (written === undefined) throw tooMuchJson();
  reserveUntilResponse(request, reply, written.byteLength);
  const layout = written.layout === indented ? indented : onOneLine;
  return { ...dataOf(bytes, written), layout };
}

function dataOf(bytes: Buffer, json: unknown): Content {
  return { ...nothing, data: jsonSafe(bytes), json };
}

const multipart = 'multipart/form-data';
const urlEncoded = 'application/x-www-form-urlencoded';

function formTypeOf({ headers }: Request): string | undefined {
  const { 'content-type': contentType, 'content-encoding': coding = 'identity' } = headers;
  const type = mediaType(contentType);
  const isForm = type === multipart || type === urlEncoded;
  return isForm && coding.toLowerCase() === 'identity' ? type : undefined;
}

type Unparsed = Required<Pick<Content, 'parseError'>>;

function isWhole(form: Content | Unparsed | undefined): form is Content {
  return form !== undefined && 'form' in form;
}

/** Returns `undefined` if the body is not a form, and the error of a malformed form. */
async function readForm(request: Request, bytes: Buffer): Promise<Content | Unparsed | undefined> {
  const type = formTypeOf(request);
  if (type === undefined || bytes.length === 0) return undefined;
  try {
    if (type === urlEncoded) return { ...nothing, form: parseForm(bodyText(bytes)) };
    const { form, files } = await parseMultipart(request.headers['content-type'] ?? '', bytes);
    return { ...nothing, form, files: showFiles(files) };
  } catch (error) {
    return { parseError: (error as Error).message };
  }
}

function showFiles(files: readonly FormFile[]): Files {
  const shown: Files = Object.create(null);
  for (const { name, contentType, pieces } of files) {
    // The parser treats a part without a type as text, even if it is not UTF-8.
    const type = contentType === 'text/plain' ? undefined : contentType;
    addValue(shown, name, jsonSafe(Buffer.concat(pieces), type));
  }
  return shown;
}

/** Ignores the Content-Type. Returns null if the body is not JSON. */
function readJson(bytes: Buffer): unknown {
  try {
    return isUtf8(bytes) ? parseJson(bytes.toString('utf8')) : null;
  } catch {
    return null;
  }
}

/** Returns text if the bytes are UTF-8, otherwise a `data:` URL (RFC 2397). */
function jsonSafe(bytes: Buffer, contentType = 'application/octet-stream'): TextOfBytes {
  return isUtf8(bytes)
    ? new TextOfBytes(bytes, 'utf-8')
    : new TextOfBytes(bytes, 'base64', `data:${contentType};base64,`);
}
