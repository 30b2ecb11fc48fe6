/** Captured requests: how a bin stores them, and how its owner reads them, at the pace of the reader. */

import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { parseUrlEncoded } from '#base/text/parse-url-encoded.js';
import type { Shown } from '#base/text/redact.js';
import { turns } from '#base/work-in-turns.js';
import { queryFault } from '#http/address/target.js';
import { showBody } from '#http/body/show-body.js';
import { decodeWhole } from '#http/codings/decode-whole.js';
import type { Reply } from '#http/exchange.js';
import { jsonContentType } from '#http/http-error.js';
import { jsonPieces, TextOfBytes } from '#http/json/json-pieces.js';
import { inSlices } from '#http/sending/stream-of.js';
import { nullableText } from '#kit/describe/nullable.js';
import { type DeliveryVerdict, deliveryVerdictFields } from '#kit/verdict/delivery-verdict.js';
import type { Log, LogEntry } from '#state/state.js';
import { keptBodyBytes } from './kept-body.js';

/** An entry of the log, without the bytes of the body. */
export interface CapturedItem {
  readonly receivedAtMs: number;
  readonly method: string;
  /** The path as sent, with its query, without keys. */
  readonly url: Shown;
  readonly rawHeaders: readonly Shown[];
  /** Present if the request has trailers. */
  readonly rawTrailers?: readonly Shown[];
  readonly ip: string;
  readonly bodySize: number;
  readonly signature?: DeliveryVerdict;
}

export const capturedRequestSchema = Type.Object(
  {
    id: Type.String({ description: 'Increases with each capture of the bin.' }),
    receivedAt: Type.String({ description: 'ISO 8601 in UTC.' }),
    method: Type.String(),
    path: Type.String({
      description: 'As sent, without the query. The key in `/s/~…` is replaced by `…`.',
    }),
    subPath: Type.String({ description: "The path after the bin's id, as sent." }),
    query: Type.Unsafe({
      type: 'object',
      additionalProperties: true,
      description: 'The query parameters, decoded; repeated ones are arrays.',
    }),
    queryString: Type.String({ description: 'The query as sent, without the question mark.' }),
    parseError: Type.Optional(Type.String({ description: 'Why the query could not be decoded.' })),
    headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
      description:
        'In the order and letter case received; repeated headers occur several times. The key in `/s/~…` is replaced by `…`, X-Service-Key by `(removed)`.',
    }),
    trailers: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
        description: 'Present if trailer fields followed the body.',
      }),
    ),
    contentType: nullableText(),
    bodySize: Type.Integer({ description: 'Size of the body in bytes.' }),
    bodyTruncated: Type.Boolean({ description: 'Whether only the first 256 KiB were stored.' }),
    bodyEncoding: Type.Unsafe({ type: 'string', enum: ['utf-8', 'base64', 'none'] }),
    body: nullableText({ description: 'Text, or base64 if it is not UTF-8.' }),
    decodedBody: Type.Optional(
      nullableText({
        description: `Present if Content-Encoding names a supported coding: the decoded body up to ${keptBodyBytes / 1024} KiB, as text or base64.`,
      }),
    ),
    decodedBodyEncoding: Type.Optional(
      Type.Unsafe({ type: 'string', enum: ['utf-8', 'base64', 'none'] }),
    ),
    decodeError: Type.Optional(Type.String({ description: 'Why the body was not decoded.' })),
    ip: Type.String(),
    signature: Type.Optional(
      Type.Object(deliveryVerdictFields, {
        description:
          'Present if the request has a signature header of a supported provider: whether it matches the secret of the samples.',
      }),
    ),
  },
  { title: 'CapturedRequest' },
);

export const captureListSchema = Type.Array(capturedRequestSchema);

/** Longer bodies are decoded while they are written, for slow readers. */
const longBodyBytes = 10 * 1024;

/** Matches a request target up to the end of the bin's id. */
const binPrefix = /^(?:https?:\/\/[^/?]*)?(?:\/(?:s|%[57]3)\/[^/?]*)?\/api\/webhooks\/[^/?]*/i;

export function describeCapture({ sequence, item, bytes }: LogEntry<CapturedItem>) {
  const { receivedAtMs, method, url, rawHeaders, rawTrailers, ip, bodySize, signature } = item;
  const [path = '', ...rest] = url.split('?');
  const queryString = rest.join('?');
  const bodyTruncated = bodySize > bytes.length;
  const { text, encoding } = showBody({ bytes, isTruncated: bodyTruncated }, longBodyBytes);
  const parseError = queryFault(url);
  const headers = pairsOf(rawHeaders);
  const contentType = headers.find(({ name }) => name.toLowerCase() === 'content-type');
  return {
    id: String(sequence),
    receivedAt: new Date(receivedAtMs).toISOString(),
    method,
    path,
    subPath: path.replace(binPrefix, ''),
    query: parseUrlEncoded(queryString),
    queryString,
    ...(parseError !== undefined && { parseError }),
    headers,
    ...(rawTrailers && { trailers: pairsOf(rawTrailers) }),
    contentType: contentType?.value ?? null,
    bodySize,
    bodyTruncated,
    bodyEncoding: encoding,
    body: text,
    ...decodedBody(headers, bytes, bodyTruncated),
    ip,
    ...(signature && { signature }),
  };
}

interface Pair {
  readonly name: string;
  readonly value: string;
}

function pairsOf(raw: readonly string[]): Pair[] {
  return raw.flatMap((name, position) =>
    position % 2 === 0 ? [{ name, value: raw[position + 1] ?? '' }] : [],
  );
}

/** Decodes a compressed body, which is shown beside its bytes as sent. */
function decodedBody(headers: readonly Pair[], bytes: Buffer, isTruncated: boolean) {
  const coding = headers
    .flatMap(({ name, value }) => (name.toLowerCase() === 'content-encoding' ? value : []))
    .join();
  if (coding === '' || bytes.length === 0) return {};
  const decoded = decodeWhole(bytes, coding, keptBodyBytes);
  if (decoded === undefined) return {};
  if (Buffer.isBuffer(decoded)) {
    const { text, encoding } = showBody({ bytes: decoded, isTruncated: false }, longBodyBytes);
    return { decodedBody: text, decodedBodyEncoding: encoding };
  }
  const decodeError = isTruncated
    ? 'Only the beginning of the body was stored, so it cannot be decoded.'
    : decoded.fault;
  return { decodedBody: null, decodedBodyEncoding: 'none', decodeError };
}

/** Whether to decode the bodies of a capture while writing it. */
export function isLongCapture({ body, decodedBody }: ReturnType<typeof describeCapture>): boolean {
  return body instanceof TextOfBytes || decodedBody instanceof TextOfBytes;
}

/** Sends JSON in slices, at the pace of the reader. */
export function sendJson(
  reply: Reply,
  pieces: Iterable<string | Buffer> | AsyncIterable<string | Buffer>,
): Reply {
  return reply.header('content-type', jsonContentType).send(Readable.from(inSlices(pieces)));
}

export function writeCapture(entry: LogEntry<CapturedItem>): Generator<string | Buffer> {
  return jsonPieces(describeCapture(entry));
}

/** Writes a bin with all its captures, as an object. */
export async function* writeBin(
  { requestCount: _, ...members }: { readonly requestCount: number },
  log: Log<CapturedItem>,
): AsyncGenerator<string | Buffer> {
  yield `${JSON.stringify(members).slice(0, -1)},"requests":`;
  const requestCount = yield* writeCaptures(log, 0, Number.POSITIVE_INFINITY);
  yield `,"requestCount":${requestCount}}`;
}

/**
 * Writes the newest captures after `sequence`, at most `limit`, newest first, as an array. Returns their number. Leaves
 * out captures that are evicted meanwhile.
 */
export async function* writeCaptures(
  log: Log<CapturedItem>,
  sequence: number,
  limit: number,
): AsyncGenerator<string | Buffer, number> {
  let position = ((await log.status())?.lastSequence ?? 0) + 1;
  let count = 0;
  yield '[';
  while (count < limit) {
    // Readers that start at the same time take turns.
    await turns.whenFree();
    const [entry] = await log.before(position, 1);
    if (entry === undefined || entry.sequence <= sequence) break;
    if (count > 0) yield ',';
    yield* writeCapture(entry);
    position = entry.sequence;
    count++;
  }
  yield ']';
  return count;
}
