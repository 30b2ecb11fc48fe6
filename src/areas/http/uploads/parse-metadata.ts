/** Parses tus's Upload-Metadata: names with values in base64, separated by commas. */

import { isUtf8 } from 'node:buffer';
import { HttpError } from '#http/http-error.js';

const maxLength = 2000;
const pair = /^([\x21-\x2b\x2d-\x7e]+)(?: ([A-Za-z0-9+/]*={0,2}))?$/;

/** Returns the values by name. Throws 400 if the header is malformed or a name occurs twice. */
export function parseMetadata(header: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  if (header.length > maxLength) {
    throw new HttpError(400, `Upload-Metadata is longer than ${maxLength} characters.`);
  }
  for (const text of header.split(',').map((each) => each.trim())) {
    if (text === '' && header.trim() === '') continue;
    const [, name, value = ''] = pair.exec(text) ?? [];
    if (name === undefined || values.has(name)) {
      const message =
        'Upload-Metadata must be names separated by commas, each unique, with a space and its value in base64.';
      throw new HttpError(400, message);
    }
    const bytes = Buffer.from(value, 'base64');
    // Values may be any bytes, but the service uses only text.
    values.set(name, isUtf8(bytes) ? bytes.toString() : '');
  }
  return values;
}
