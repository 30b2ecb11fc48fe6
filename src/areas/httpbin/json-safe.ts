/** Bytes as a text for JSON, as httpbin shows bodies and files. */

import { isUtf8 } from 'node:buffer';
import { TextOfBytes } from '../../http/json/json-pieces.js';

/** Returns the text where the bytes are UTF-8, and a `data:` URL (RFC 2397) where they are not. */
export function jsonSafe(bytes: Buffer, contentType = 'application/octet-stream'): TextOfBytes {
  return isUtf8(bytes)
    ? new TextOfBytes(bytes, 'utf-8')
    : new TextOfBytes(bytes, 'base64', `data:${contentType};base64,`);
}
