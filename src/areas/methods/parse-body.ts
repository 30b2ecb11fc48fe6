/** What an echoed body holds, read by its content type: JSON, a form, or multipart parts. */

import type { Awaitable } from '../../base/awaitable.js';
import {
  type FormFields,
  type FormFile,
  parseForm,
  parseMultipart,
} from '../../http/body/parse-form.js';
import { bodyText, isJson, mediaType } from '../../http/body/request-body.js';
import { parseJson } from '../../http/json/parse-json.js';
import { findInexactNumbers } from './find-inexact-numbers.js';

export interface UploadedFile {
  readonly name: string;
  readonly filename: string;
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
}

export interface ParsedBody {
  readonly json?: unknown;
  /** What `json` could not show as it was sent. */
  readonly jsonWarnings?: readonly string[];
  readonly form?: FormFields;
  readonly files?: readonly UploadedFile[];
  /** Why the body is not what its Content-Type says; the echo shows it all the same. */
  readonly parseError?: string;
}

/** Parses a body that was received whole. Never throws: what cannot be parsed is told in `parseError`. */
export function parseBody(
  contentType: string | undefined,
  bytes: Buffer,
  contentEncoding = 'identity',
): Awaitable<ParsedBody> {
  if (bytes.length === 0) return {};
  if (contentEncoding.toLowerCase() !== 'identity') {
    return {
      parseError: `The body is encoded (Content-Encoding: ${contentEncoding}), and shown as it came.`,
    };
  }
  try {
    const type = mediaType(contentType);
    if (isJson(type)) return readJson(bytes);
    if (type === 'application/x-www-form-urlencoded') return { form: parseForm(bodyText(bytes)) };
    if (type === 'multipart/form-data') {
      return readParts(contentType ?? '', bytes).catch(faultOf);
    }
    return {};
  } catch (error) {
    return faultOf(error);
  }
}

function readJson(bytes: Buffer): ParsedBody {
  const text = bodyText(bytes);
  const json = parseJson(text);
  const jsonWarnings = findInexactNumbers(text);
  return jsonWarnings.length === 0 ? { json } : { json, jsonWarnings };
}

async function readParts(contentType: string, bytes: Buffer): Promise<ParsedBody> {
  const { form, files } = await parseMultipart(contentType, bytes);
  return { form, files: files.map(describeFile) };
}

function faultOf(error: unknown): ParsedBody {
  return { parseError: (error as Error).message };
}

function describeFile({ name, filename, contentType, pieces }: FormFile): UploadedFile {
  const size = pieces.reduce((sum, { length }) => sum + length, 0);
  return { name, filename, contentType, size };
}
