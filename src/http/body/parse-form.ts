/** Parses form bodies: URL-encoded and multipart. */

import { addValue } from '#base/add-value.js';
import { parseUrlEncoded, type UrlEncoded, urlEncodedFault } from '#base/text/parse-url-encoded.js';
import { type FormFile, readParts } from './read-parts.js';
import { malformed } from './scan-multipart.js';

/** Repeated names become arrays, as in a query string. */
export type FormFields = UrlEncoded;

export interface MultipartForm {
  readonly form: FormFields;
  readonly files: readonly FormFile[];
  /** Content types of field parts by name; the last one applies. */
  readonly fieldTypes: Readonly<Record<string, string>>;
  /** Why a text has U+FFFD: it is not in the charset of its part. */
  readonly fault?: string;
}

/** Larger forms are rejected, because the response would be much larger than the request. */
const maxFields = 1000;

/** Parses `application/x-www-form-urlencoded`, also malformed escapes. Throws an `Error` for too many fields. */
export function parseForm(text: string): FormFields {
  if (text.split('&', maxFields + 1).length > maxFields) throw tooManyFields();
  return parseUrlEncoded(text);
}

/** Describes where and why a form is not the encoding of UTF-8. */
export function formFault(text: string): string | undefined {
  const fault = urlEncodedFault(text);
  return fault && `The form ${fault}`;
}

/**
 * Parses multipart/form-data (RFC 7578). Keeps the order of fields and files. Throws an `Error`
 * with the reason.
 */
export async function parseMultipart(contentType: string, bytes: Buffer): Promise<MultipartForm> {
  const form: FormFields = Object.create(null);
  const files: FormFile[] = [];
  const fieldTypes: Record<string, string> = Object.create(null);
  const fault = await readParts(contentType, bytes, {
    options: {
      preservePath: true,
      isPartAFile: (_name, _type, filename) => filename !== undefined,
    },
    maxParts: maxFields,
    tooMany: tooManyFields(),
    onField(name, value, { contentType }) {
      if (name === undefined) return namelessPart();
      if (contentType !== undefined) fieldTypes[name] = contentType;
      addValue(form, name, value);
      return undefined;
    },
    onFile({ name, ...file }) {
      if (name === undefined) return namelessPart();
      files.push({ name, ...file });
      return undefined;
    },
  });
  return { form, files, fieldTypes, ...(fault !== undefined && { fault }) };
}

function namelessPart(): Error {
  return malformed('a part has no name in its Content-Disposition');
}

function tooManyFields(): Error {
  return new Error(`The form has more than ${maxFields} fields, the limit of this path.`);
}
