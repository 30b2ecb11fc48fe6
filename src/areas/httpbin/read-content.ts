/** The content of a request as httpbin shows it: a form, files, or data that may be JSON. */

import { isUtf8 } from 'node:buffer';
import { addValue } from '../../base/add-value.js';
import {
  type FormFields,
  type FormFile,
  parseForm,
  parseMultipart,
} from '../../http/body/parse-form.js';
import {
  bodyText,
  hasBody,
  mediaType,
  readBody,
  reserveUntilResponse,
} from '../../http/body/request-body.js';
import type { Reply, Request } from '../../http/exchange.js';
import { type JsonLayout, TextOfBytes, WrittenJson } from '../../http/json/json-pieces.js';
import { maxJsonBytes, tooMuchJson } from '../../http/json/large-json.js';
import { parseJson } from '../../http/json/parse-json.js';
import { doLongWork } from '../../kit/limits/long-work.js';
import { indented, onOneLine } from './write-json.js';

interface Content {
  /** The text of a body that is no form, or a `data:` URL. */
  readonly data: string | TextOfBytes;
  readonly form: FormFields;
  readonly files: Files;
  readonly json: unknown;
  /** Why a multipart body is shown as `data`. */
  readonly parseError?: string;
  /** Only if `data` is the beginning of the body. */
  readonly bodyTruncated?: true;
  /** The layout of a response that is sent while the client takes it. */
  readonly layout?: JsonLayout;
}

type Files = Record<string, TextOfBytes | TextOfBytes[]>;

const shownBytes = 1024 * 1024;

/** Up to here reading and writing together take a few milliseconds at most. */
const largeBytes = 64 * 1024;

const nothing = { data: '', form: {}, files: {}, json: null };

/** Reads the body. A form that cannot be read is shown as data, as whatever else is no form. */
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
  // Its text, the text that is parsed, and what becomes of that.
  reserveUntilResponse(request, reply, 3 * bytes.length);
  return doLongWork(request, async () => {
    if (reply.raw.destroyed) return nothing;
    // Nothing is awaited before long work.
    const form = formTypeOf(request) === undefined ? undefined : await readForm(request, bytes);
    if (isWhole(form)) return { ...form, layout: indented };
    return { ...largeData(request, reply, bytes), ...form };
  });
}

/** How long indented JSON may be, beside the text it was parsed from. */
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

/** Returns nothing where the body is no form, and the fault of a malformed one. */
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
    // The parser takes a part without a type for text, even if it is not UTF-8.
    const type = contentType === 'text/plain' ? undefined : contentType;
    addValue(shown, name, jsonSafe(Buffer.concat(pieces), type));
  }
  return shown;
}

/** Ignores the Content-Type; null for a body that is no JSON. */
function readJson(bytes: Buffer): unknown {
  try {
    return isUtf8(bytes) ? parseJson(bytes.toString('utf8')) : null;
  } catch {
    return null;
  }
}

/** The text where the bytes are UTF-8, and a `data:` URL (RFC 2397) where they are not. */
function jsonSafe(bytes: Buffer, contentType = 'application/octet-stream'): TextOfBytes {
  return isUtf8(bytes)
    ? new TextOfBytes(bytes, 'utf-8')
    : new TextOfBytes(bytes, 'base64', `data:${contentType};base64,`);
}
