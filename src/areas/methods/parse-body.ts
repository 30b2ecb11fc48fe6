/** Parses an echoed body by its content type: JSON, a form, or multipart. */

import { type FormFields, formFault, parseForm, parseMultipart } from '#http/body/parse-form.js';
import { bodyText, isJson, mediaType } from '#http/body/request-body.js';
import { parseJson } from '#http/json/parse-json.js';
import { findInexactNumbers } from './find-inexact-numbers.js';

interface ParsedBody {
  readonly json?: unknown;
  readonly jsonWarnings?: readonly string[];
  readonly form?: FormFields;
  readonly fieldTypes?: Readonly<Record<string, string>>;
  readonly files?: readonly object[];
  readonly parseError?: string;
}

/** Parses a complete body; `parseError` says why it failed. `show` replaces parsed JSON. */
export async function parseBody(
  contentType: string | undefined,
  bytes: Buffer,
  contentEncoding = 'identity',
  show?: (json: unknown) => unknown,
): Promise<ParsedBody> {
  if (bytes.length === 0) return {};
  if (contentEncoding.toLowerCase() !== 'identity') {
    const parseError = `The body is encoded (Content-Encoding: ${contentEncoding}), and shown as sent.`;
    return { parseError };
  }
  const type = mediaType(contentType);
  let parsed: ParsedBody = {};
  try {
    if (isJson(type)) parsed = readJson(bytes);
    else if (type === urlEncoded) parsed = readForm(bytes);
    else if (type === 'multipart/form-data') {
      return await readParts(contentType ?? '', bytes);
    }
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

function readForm(bytes: Buffer): ParsedBody {
  const text = bodyText(bytes);
  const form = parseForm(text);
  const parseError = formFault(text);
  return parseError === undefined ? { form } : { form, parseError };
}

async function readParts(contentType: string, bytes: Buffer): Promise<ParsedBody> {
  const { form, files, fieldTypes, fault } = await parseMultipart(contentType, bytes);
  const described = files.map(({ name, filename, contentType, pieces }) => {
    const size = pieces.reduce((sum, { length }) => sum + length, 0);
    return { name, filename, contentType, size };
  });
  const hasTypes = Object.keys(fieldTypes).length > 0;
  return {
    form,
    ...(hasTypes && { fieldTypes }),
    files: described,
    ...(fault !== undefined && { parseError: fault }),
  };
}
