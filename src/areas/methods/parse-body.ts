/** The content of an echoed body, by its content type: JSON, a form, or multipart parts. */

import { type FormFields, parseForm, parseMultipart } from '../../http/body/parse-form.js';
import { parseJson } from '../../http/json/parse-json.js';
import { bodyText, isJson, mediaType } from '../../http/request-body.js';
import { findInexactNumbers } from './find-inexact-numbers.js';

interface ParsedBody {
  readonly json?: unknown;
  /** Numbers that `json` does not show as they were sent. */
  readonly jsonWarnings?: readonly string[];
  readonly form?: FormFields;
  readonly files?: readonly object[];
  /** Why the body is not what its Content-Type says; the echo shows it all the same. */
  readonly parseError?: string;
}

/**
 * Parses a body that was received whole; `parseError` says why it could not be parsed. JSON is parsed before the
 * function returns, and `show` replaces it.
 */
export async function parseBody(
  contentType: string | undefined,
  bytes: Buffer,
  contentEncoding = 'identity',
  show?: (json: unknown) => unknown,
): Promise<ParsedBody> {
  if (bytes.length === 0) return {};
  if (contentEncoding.toLowerCase() !== 'identity') {
    const parseError = `The body is encoded (Content-Encoding: ${contentEncoding}), and shown as it came.`;
    return { parseError };
  }
  const type = mediaType(contentType);
  let parsed: ParsedBody = {};
  try {
    if (isJson(type)) parsed = readJson(bytes);
    else if (type === urlEncoded) parsed = { form: parseForm(bodyText(bytes)) };
    else if (type === 'multipart/form-data') parsed = await readParts(contentType ?? '', bytes);
  } catch (error) {
    return { parseError: (error as Error).message };
  }
  return show && 'json' in parsed ? { ...parsed, json: show(parsed.json) } : parsed;
}

const urlEncoded = 'application/x-www-form-urlencoded';

function readJson(bytes: Buffer): ParsedBody {
  const text = bodyText(bytes);
  const json = parseJson(text);
  const jsonWarnings = findInexactNumbers(text);
  return jsonWarnings.length === 0 ? { json } : { json, jsonWarnings };
}

async function readParts(contentType: string, bytes: Buffer): Promise<ParsedBody> {
  const { form, files } = await parseMultipart(contentType, bytes);
  const described = files.map(({ name, filename, contentType, pieces }) => {
    const size = pieces.reduce((sum, { length }) => sum + length, 0);
    return { name, filename, contentType, size };
  });
  return { form, files: described };
}
