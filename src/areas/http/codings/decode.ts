/** Decodes bodies that clients send in content codings. */

import { Type } from 'typebox';
import { noteJson, readBody } from '#http/body/request-body.js';
import { showBody } from '#http/body/show-body.js';
import {
  type Coding,
  codingNamed,
  codingsThere,
  decodeBody,
  decoderBytes,
} from '#http/codings/encode-body.js';
import { HttpError, jsonContentType } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { takenCodings } from '#http/schemas/header-schemas.js';
import { sendLargeJson } from '#http/sending/large-json.js';
import { reserveUntilResponse } from '#http/sending/reserve-until-response.js';
import { slicesOf } from '#http/sending/stream-of.js';
import { oneOf, optionalText } from '#kit/describe/value-schemas.js';
import { endpoint } from '#kit/endpoint.js';
import type { Pieces } from './break-coding.js';

const shownBytes = 1024 * 1024;
const maxExpandedBytes = 10 * 1024 * 1024;

const maxCodings = 5;

export const decode = endpoint('POST', '/api/http/decode', {
  onlyReads: true,
  summary: 'Decode a body by its Content-Encoding',
  description: `Several codings are separated by commas, in the order applied. Each may expand to ${maxExpandedBytes / 1024 / 1024} MiB. The response shows the first MiB as text, or as base64 if it is not UTF-8.`,
  headers: {
    'Content-Encoding': optionalText(
      'gzip, deflate, br, zstd, identity, or several separated by commas.',
    ),
  },
  bodies: {
    'text/plain': Type.String(),
    'application/json': Type.Unknown(),
    'application/octet-stream': Type.Unknown({ description: 'Any bytes.' }),
  },
  isBodyOptional: true,
  responses: {
    200: Type.Object({
      encodings: Type.Array(Type.String(), { description: 'The codings in the order applied.' }),
      sentBytes: Type.Integer({ description: 'Size of the encoded body in bytes.' }),
      bytes: Type.Integer({ description: 'Size of the decoded body in bytes.' }),
      text: Type.Union([Type.String(), Type.Null()]),
      textEncoding: oneOf(['utf-8', 'base64', 'none']),
      textTruncated: Type.Boolean(),
    }),
    ...failures(413, 415),
  },
  responseHeaders: { 415: takenCodings },
  examples: {
    'Plain text': { type: 'text/plain', body: 'Hello' },
    // The codings depend on the version of Node.
    Gzip: {
      headers: { 'Content-Encoding': 'gzip' },
      type: 'text/plain',
      body: Buffer.from('H4sIAAAAAAAAA/NIzcnJBwCCidH3BQAAAA==', 'base64'),
      isNoExample: true,
    },
    'An unknown coding': {
      headers: { 'Content-Encoding': 'compress' },
      type: 'text/plain',
      body: 'Hello',
      isNoExample: true,
    },
  },
  /**
   * The decoded bytes, and the memory of decoders, count towards the memory for all bodies until the response is sent.
   */
  async handle(request, reply) {
    const encodings = codingsIn(request.headers['content-encoding']);
    const codings = encodings.filter((coding) => coding !== 'identity');
    const isCoded = codings.length > 0;
    const sent = await readBody(request, isCoded ? maxExpandedBytes : shownBytes);
    const layerBytes = codings.reduce((sum, coding) => sum + decoderBytes[coding], 0);
    // Memory of disconnected clients is collected late, so a body that waits for its client counts twice.
    reserveUntilResponse(request, reply, (isCoded ? shownBytes : sent.bytes.length) + layerBytes);
    const { bytes, size } = isCoded ? await decodeLayers(sent.bytes, codings, shownBytes) : sent;
    const isTruncated = size > bytes.length;
    noteJson(request, bytes);
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

/** Returns the codings in the order applied (RFC 9110 section 8.4). */
function codingsIn(header = ''): (Coding | 'identity')[] {
  const named = header
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (named.length > maxCodings) {
    throw unsupported(`The body has ${named.length} codings; at most ${maxCodings} are supported.`);
  }
  return named.map((name) => {
    const coding = codingNamed(name);
    if (coding === 'identity' || (coding !== undefined && codingsThere.includes(coding))) {
      return coding;
    }
    throw unsupported(`The coding ${JSON.stringify(name.slice(0, 50))} is not supported.`);
  });
}

/** Returns 415 with the supported codings (RFC 9110 section 12.5.3). */
function unsupported(what: string): HttpError {
  const supported = [...codingsThere, 'identity'].join(', ');
  return new HttpError(415, `${what} Content-Encoding must be ${supported}.`, {
    headers: { 'accept-encoding': supported },
  });
}

/**
 * `codings` are in the order applied. Keeps the first `keepBytes`, and counts all. Throws 413 if a layer expands beyond
 * the limit, and 400 if a layer is malformed.
 */
async function decodeLayers(body: Buffer, codings: readonly Coding[], keepBytes: number) {
  let layer: Pieces = slicesOf(body);
  for (const [index, coding] of [...codings.entries()].reverse()) {
    const number = codings.length > 1 ? ` (number ${index + 1})` : '';
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

/** Limits each layer: decoding takes time even if the next layer is smaller. */
async function* bounded(layer: AsyncIterable<Buffer>, name: string) {
  let size = 0;
  try {
    for await (const piece of layer) {
      size += piece.length;
      if (size > maxExpandedBytes) {
        const limit = `${maxExpandedBytes / 1024 / 1024} MiB (${maxExpandedBytes} bytes)`;
        throw new HttpError(413, `The coding ${name} decodes to more than ${limit}.`);
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
    ? ' In HTTP, deflate means the zlib format (RFC 1950), not raw deflate data.'
    : '';
  return new HttpError(400, `The body is not valid ${name}: ${message}.${hint}`);
}
