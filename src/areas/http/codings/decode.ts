/** Bodies that clients send in content codings. */

import { Type } from 'typebox';
import { readBody, reserveUntilResponse } from '../../../http/body/request-body.js';
import { showBody } from '../../../http/body/show-body.js';
import {
  type Coding,
  codingNamed,
  codingsThere,
  decodeBody,
  decoderBytes,
} from '../../../http/codings/encode-body.js';
import { HttpError, jsonContentType } from '../../../http/http-error.js';
import { sendLargeJson } from '../../../http/json/large-json.js';
import { failures } from '../../../http/schemas/error-schema.js';
import { takenCodings } from '../../../http/schemas/header-schemas.js';
import { slicesOf } from '../../../http/sending/stream-of.js';
import { oneOf, optionalText } from '../../../kit/describe/value-schemas.js';
import { endpoint } from '../../../kit/endpoint.js';
import type { Pieces } from './break-coding.js';

const shownBytes = 1024 * 1024;
const maxExpandedBytes = 10 * 1024 * 1024;

/** The most codings that are undone. */
const maxCodings = 5;

export const decode = endpoint('POST', '/api/http/decode', {
  summary: 'Decode a body by its Content-Encoding',
  description: `Several codings by comma, in the order in which they were applied; each may expand to ${maxExpandedBytes / 1024 / 1024} MiB. The first MiB of the text is shown, as base64 where it is no UTF-8.`,
  headers: {
    'Content-Encoding': optionalText('gzip, deflate, br, zstd, identity, or several by comma.'),
  },
  bodies: {
    'text/plain': Type.String(),
    'application/json': Type.Unknown(),
    'application/octet-stream': Type.Unknown({ description: 'Any bytes.' }),
  },
  isBodyOptional: true,
  responses: {
    200: Type.Object({
      encodings: Type.Array(Type.String(), { description: 'As they were applied.' }),
      sentBytes: Type.Integer({ description: 'How many came.' }),
      bytes: Type.Integer({ description: 'How many there are without the codings.' }),
      text: Type.Union([Type.String(), Type.Null()]),
      textEncoding: oneOf(['utf-8', 'base64', 'none']),
      textTruncated: Type.Boolean(),
    }),
    ...failures(400, 413, 415),
  },
  responseHeaders: { 415: takenCodings },
  /** The decoded bytes, and the memory of decoders, count among the bodies of all requests until the response is sent. */
  async handle(request, reply) {
    const encodings = codingsIn(request.headers['content-encoding']);
    const codings = encodings.filter((coding) => coding !== 'identity');
    const isCoded = codings.length > 0;
    const sent = await readBody(request, isCoded ? maxExpandedBytes : shownBytes);
    const layerBytes = codings.reduce((sum, coding) => sum + decoderBytes[coding], 0);
    // Memory of clients that have left is collected late, so a body that waits for its client counts twice.
    reserveUntilResponse(request, reply, (isCoded ? shownBytes : sent.bytes.length) + layerBytes);
    const { bytes, size } = isCoded ? await decodeLayers(sent.bytes, codings, shownBytes) : sent;
    const isTruncated = size > bytes.length;
    const { text, encoding } = showBody({ bytes, isTruncated });
    return sendLargeJson(request, reply.type(jsonContentType), {
      encodings,
      sentBytes: sent.size,
      bytes: size,
      text,
      textEncoding: encoding,
      textTruncated: isTruncated,
    });
  },
});

/** In the order in which they were applied (RFC 9110 section 8.4). */
function codingsIn(header = ''): (Coding | 'identity')[] {
  const named = header
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (named.length > maxCodings) {
    throw unsupported(`There are ${named.length} codings, and at most ${maxCodings} are undone.`);
  }
  return named.map((name) => {
    const coding = codingNamed(name);
    if (coding === 'identity' || (coding !== undefined && codingsThere.includes(coding))) {
      return coding;
    }
    throw unsupported(`The coding ${JSON.stringify(name.slice(0, 50))} is not known here.`);
  });
}

/** Names the supported codings (RFC 9110 section 12.5.3). */
function unsupported(what: string): HttpError {
  const supported = [...codingsThere, 'identity'].join(', ');
  return new HttpError(415, `${what} Content-Encoding must be ${supported}.`, {
    headers: { 'accept-encoding': supported },
  });
}

/**
 * `codings` in the order in which they were applied. Keeps the first `keepBytes`, and counts all; throws 413 where a
 * layer expands to more than there may be, and 400 where one is not what it claims to be.
 */
async function decodeLayers(body: Buffer, codings: readonly Coding[], keepBytes: number) {
  let layer: Pieces = slicesOf(body);
  for (const [place, coding] of [...codings.entries()].reverse()) {
    const number = codings.length > 1 ? ` (number ${place + 1})` : '';
    layer = bounded(decodeBody(layer, coding), coding + number);
  }
  const kept: Buffer[] = [];
  let size = 0;
  for await (const piece of layer) {
    if (size < keepBytes) kept.push(piece.subarray(0, keepBytes - size));
    size += piece.length;
  }
  return { bytes: Buffer.concat(kept), size };
}

/** Limits each layer: even if the next one shrinks it, its bytes are work. */
async function* bounded(layer: AsyncIterable<Buffer>, name: string) {
  let size = 0;
  try {
    for await (const piece of layer) {
      size += piece.length;
      if (size > maxExpandedBytes) {
        const limit = `${maxExpandedBytes / 1024 / 1024} MiB (${maxExpandedBytes} bytes)`;
        throw new HttpError(413, `Undone, the coding ${name} is larger than ${limit}.`);
      }
      yield piece;
    }
  } catch (error) {
    throw error instanceof HttpError ? error : notCoded(name, error as Error);
  }
}

function notCoded(name: string, { message }: Error): HttpError {
  const isFrameless = name.startsWith('deflate') && /header|compression method/.test(message);
  const hint = isFrameless
    ? ' HTTP means the zlib format (RFC 1950) by deflate, and not its bare data.'
    : '';
  return new HttpError(400, `The body is not ${name}: ${message}.${hint}`);
}
