/** Bytes as a text for JSON, as httpbin shows bodies and files. */

import { isUtf8 } from 'node:buffer';

/** The text where the bytes are UTF-8, and a `data:` URL (RFC 2397) where they are not. */
export function jsonSafe(bytes: Buffer, contentType = 'application/octet-stream'): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  return `data:${contentType};base64,${bytes.toString('base64')}`;
}
