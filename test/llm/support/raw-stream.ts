/** Reads a stream byte for byte: its headers, chunks and end, with equal ids and times. */

import { openConnection, requestText, splitResponse } from '../../support/raw-connection.js';

export interface RawStream {
  readonly type: string;
  readonly coding: string;
  readonly isSimulated: boolean;
  readonly text: string;
  /** Lengths of the chunks of the body; empty without chunks. */
  readonly chunks: readonly number[];
  readonly ending: 'closed' | 'reset' | 'open';
}

interface RawRequest {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: object;
  /** Resolves when a stream that is still open counts as silent. */
  readonly silence: () => Promise<unknown>;
}

/** Sends a request, and reads until the stream ends, or is silent. */
export async function readRaw(
  baseUrl: string,
  { target, headers, json, silence }: RawRequest,
): Promise<RawStream> {
  const connection = openConnection(baseUrl);
  const all = { ...headers, 'Content-Type': 'application/json', Connection: 'close' };
  connection.send(requestText(target, all, JSON.stringify(json)));
  await Promise.race([connection.until('\r\n\r\n'), connection.ended]);
  const open = silence().then(() => 'open' as const);
  const ending = await Promise.race([connection.ended, open]);
  connection.socket.destroy();
  const { headers: fields, rest } = splitResponse(connection.received());
  const isChunked = fields['transfer-encoding'] === 'chunked';
  const chunks = isChunked ? chunksOf(rest) : [];
  const text = (isChunked ? Buffer.concat(chunks) : rest).toString('latin1');
  return {
    type: fields['content-type'] ?? '',
    coding: fields['content-encoding'] ?? '',
    isSimulated: fields['x-simulated'] === 'true',
    text: withoutIds(text),
    chunks: chunks.map(({ length }) => length),
    ending,
  };
}

/** Returns the chunks of a body (RFC 9112, section 7.1), the last of which may be cut. */
function chunksOf(body: Buffer): readonly Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const start = body.indexOf('\r\n', at) + 2;
    const size = Number.parseInt(body.toString('latin1', at, start), 16);
    if (!(size > 0) || start < 2) break;
    chunks.push(body.subarray(start, start + size));
    at = start + size + 2;
  }
  return chunks;
}

/** Replaces ids and times, which differ from request to request. */
function withoutIds(text: string): string {
  return text
    .replaceAll(/\b(chatcmpl-|(?:resp|msg|fc|rs|call|toolu)_)[A-Za-z0-9]{20,}/g, '$1id')
    .replaceAll(/("(?:created|created_at|completed_at)": ?)(?:\d+|"[^"]+")/g, '$10')
    .replaceAll(/("responseId": ?)"\w+"/g, '$1"id"');
}
