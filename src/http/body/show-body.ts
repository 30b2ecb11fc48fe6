/** A received body as text for a JSON answer. */

import { isUtf8 } from 'node:buffer';
import { TextOfBytes } from '../json/json-pieces.js';
import type { RequestBody } from './request-body.js';

/** A longer body is decoded only while its JSON is written; in bytes. */
const longBodyBytes = 64 * 1024;

export interface ShownBody {
  /** Null without a body. */
  readonly text: string | TextOfBytes | null;
  readonly encoding: 'utf-8' | 'base64' | 'none';
}

/** Returns the text of a body that is UTF-8, and base64 of any other. Write longer ones with `jsonPieces`. */
export function showBody(
  body: Omit<RequestBody, 'size'>,
  longFromBytes = longBodyBytes,
): ShownBody {
  const { encoding, shown } = bodyEncoding(body);
  if (encoding === 'none') return { text: null, encoding };
  const isLong = shown.length > longFromBytes;
  return { text: isLong ? new TextOfBytes(shown, encoding) : shown.toString(encoding), encoding };
}

/** How a body is shown, and as much of it as can be. */
function bodyEncoding({ bytes, isTruncated }: Omit<RequestBody, 'size'>): {
  readonly encoding: ShownBody['encoding'];
  readonly shown: Buffer;
} {
  if (bytes.length === 0) return { encoding: 'none', shown: bytes };
  const text = isTruncated ? withoutSplitCharacter(bytes) : bytes;
  return isUtf8(text) ? { encoding: 'utf-8', shown: text } : { encoding: 'base64', shown: bytes };
}

/** Drops the first bytes of a character whose other bytes were cut off (RFC 3629 section 3). */
function withoutSplitCharacter(bytes: Buffer): Buffer {
  const isContinuation = (byte: number) => (byte & 0xc0) === 0x80;
  let start = bytes.length - 1;
  while (start > 0 && bytes.length - start < 4 && isContinuation(bytes[start] ?? 0)) start--;
  const lead = bytes[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return length > bytes.length - start ? bytes.subarray(0, start) : bytes;
}
