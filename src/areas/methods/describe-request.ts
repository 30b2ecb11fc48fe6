/** The record that the method endpoints answer with: what arrived, exactly. */

import { isUtf8 } from 'node:buffer';
import type { RequestBody } from '../../server/request-body.js';

/** How much of a body is shown; the rest is counted. */
export const shownBodyBytes = 1024 * 1024;

export interface EchoRecord {
  readonly method: string;
  readonly message: string;
  readonly path: string;
  readonly query: object;
  readonly contentType: string | null;
  readonly bodyLength: number;
  readonly bodyTruncated: boolean;
  readonly body: string | null;
  readonly timestamp: string;
  readonly bodyEncoding?: 'base64';
}

export interface RequestFacts {
  readonly method: string;
  /** The request target as sent, with its query. */
  readonly url: string;
  readonly query: object;
  readonly contentType: string | undefined;
  readonly body: RequestBody;
}

/** The nine fields, and `bodyEncoding` when the body is not UTF-8 and so shown as base64. */
export function describeRequest(facts: RequestFacts, nowMs: number): EchoRecord {
  const { method, url, query, contentType, body } = facts;
  const queryStart = url.indexOf('?');
  const shown = showBody(body);
  const record = {
    method,
    message: receivedMessage(method),
    path: queryStart < 0 ? url : url.slice(0, queryStart),
    query,
    contentType: contentType ?? null,
    bodyLength: body.size,
    bodyTruncated: body.isTruncated,
    body: shown.text,
    timestamp: new Date(nowMs).toISOString(),
  };
  return shown.isBase64 ? { ...record, bodyEncoding: 'base64' } : record;
}

export function receivedMessage(method: string): string {
  return `${method} request received`;
}

function showBody({ bytes, isTruncated }: RequestBody): { text: string | null; isBase64: boolean } {
  if (bytes.length === 0) return { text: null, isBase64: false };
  const text = isTruncated ? withoutSplitCharacter(bytes) : bytes;
  if (isUtf8(text)) return { text: text.toString('utf8'), isBase64: false };
  return { text: bytes.toString('base64'), isBase64: true };
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
