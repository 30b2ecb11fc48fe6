/** Requests as a bin keeps them, and as its owner reads them, written at the pace of the reader. */

import { Readable } from 'node:stream';
import { parse as parseQuery } from 'fast-querystring';
import { Type } from 'typebox';
import { turns } from '../../base/work-in-turns.js';
import { queryFault } from '../../http/address/target.js';
import { showBody } from '../../http/body/show-body.js';
import { decodeWhole } from '../../http/codings/decode-whole.js';
import type { Reply } from '../../http/exchange.js';
import { jsonContentType } from '../../http/http-error.js';
import { jsonPieces, TextOfBytes } from '../../http/json/json-pieces.js';
import { inSlices } from '../../http/sending/stream-of.js';
import { type DeliveryVerdict, deliveryVerdictFields } from '../../kit/delivery-verdict.js';
import { nullableText } from '../../kit/describe/nullable.js';
import type { Log, LogEntry } from '../../state/state.js';
import { keptBodyBytes } from './kept-body.js';

/** What the log keeps beside the bytes of the body. */
export interface CapturedItem {
  readonly receivedAtMs: number;
  readonly method: string;
  /** The path as sent, with its query. */
  readonly url: string;
  readonly rawHeaders: readonly string[];
  /** Present where there are some. */
  readonly rawTrailers?: readonly string[];
  readonly ip: string;
  readonly bodySize: number;
  readonly signature?: DeliveryVerdict;
}

export const capturedRequestSchema = Type.Object(
  {
    id: Type.String({ description: 'Grows from capture to capture of a bin.' }),
    receivedAt: Type.String({ description: 'ISO 8601 in UTC.' }),
    method: Type.String(),
    path: Type.String({ description: 'As sent, without the query.' }),
    subPath: Type.String({ description: "What followed the bin's id in the path, as sent." }),
    query: Type.Unsafe({
      type: 'object',
      additionalProperties: true,
      description: 'The query parameters, decoded; repeated ones are arrays.',
    }),
    queryString: Type.String({ description: 'The query as sent, without the question mark.' }),
    parseError: Type.Optional(Type.String({ description: 'Why the query could not be decoded.' })),
    headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
      description: 'In the order and the letter case they came in, repeated ones several times.',
    }),
    trailers: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
        description: 'Present when trailer fields followed the body.',
      }),
    ),
    contentType: nullableText(),
    bodySize: Type.Integer({ description: 'How many bytes were sent.' }),
    bodyTruncated: Type.Boolean({ description: 'Whether only the first 256 KiB were kept.' }),
    bodyEncoding: Type.Unsafe({ type: 'string', enum: ['utf-8', 'base64', 'none'] }),
    body: nullableText({ description: 'Text, or base64 when it is not UTF-8.' }),
    decodedBody: Type.Optional(
      nullableText({
        description: `Present when Content-Encoding names a known coding: the decoded body up to ${keptBodyBytes / 1024} KiB, as text or base64.`,
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
          "Present when a known provider's signature header was: whether it fits the samples' secret.",
      }),
    ),
  },
  { title: 'CapturedRequest' },
);

export const captureListSchema = Type.Array(capturedRequestSchema);

/** A longer body is decoded while it is written, for readers that take their time. */
const longBodyBytes = 10 * 1024;

/** Everything up to and with the bin's id in a request target. */
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
    query: parseQuery(queryString),
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
  return raw.flatMap((name, index) =>
    index % 2 === 0 ? [{ name, value: raw[index + 1] ?? '' }] : [],
  );
}

/** Shows a compressed body decoded, beside its bytes as they were sent. */
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
    ? 'Only the beginning of the body was kept, so it cannot be decoded.'
    : decoded.fault;
  return { decodedBody: null, decodedBodyEncoding: 'none', decodeError };
}

/** Whether parts of a description are decoded while they are written. */
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
 * Writes the newest captures beyond `sequence`, at most `limit`, the newest first, as an array, and returns how many they
 * were. Captures that make room for newer ones meanwhile are left out.
 */
export async function* writeCaptures(
  log: Log<CapturedItem>,
  sequence: number,
  limit: number,
): AsyncGenerator<string | Buffer, number> {
  let place = ((await log.status())?.lastSequence ?? 0) + 1;
  let count = 0;
  yield '[';
  while (count < limit) {
    // Of many readers at once, each begins when it is its turn.
    await turns.whenFree();
    const [entry] = await log.before(place, 1);
    if (entry === undefined || entry.sequence <= sequence) break;
    if (count > 0) yield ',';
    yield* writeCapture(entry);
    place = entry.sequence;
    count++;
  }
  yield ']';
  return count;
}
