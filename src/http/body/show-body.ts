/** Shows a received body as text in JSON. */

import { isUtf8 } from 'node:buffer';
import { TextOfBytes } from '../json/json-pieces.js';
import type { RequestBody } from './request-body.js';

/** Larger bodies are decoded only while their JSON is written; in bytes. */
const longBodyBytes = 64 * 1024;

interface ShownBody {
  readonly text: string | TextOfBytes | null;
  readonly encoding: 'utf-8' | 'base64' | 'none';
}

/** Returns UTF-8 as text, and other bytes as base64. Write longer bodies with `jsonPieces`. */
export function showBody(
  { bytes, isTruncated }: Omit<RequestBody, 'size'>,
  longFromBytes = longBodyBytes,
): ShownBody {
  if (bytes.length === 0) return { text: null, encoding: 'none' };
  // The cut may split a character.
  let shown = bytes;
  for (let cut = 1; cut <= 3 && isTruncated && !isUtf8(shown); cut++) {
    shown = bytes.subarray(0, bytes.length - cut);
  }
  const encoding = isUtf8(shown) ? 'utf-8' : 'base64';
  if (encoding === 'base64') shown = bytes;
  const isLong = shown.length > longFromBytes;
  return { text: isLong ? new TextOfBytes(shown, encoding) : shown.toString(encoding), encoding };
}
