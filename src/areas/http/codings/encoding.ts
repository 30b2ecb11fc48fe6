/** Responses in a content coding, correct or with one error. */

import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { addVary } from '#http/caching/caching.js';
import {
  type Coding,
  codings,
  codingsThere,
  encodeBody,
  encoderBytes,
  encodeWhole,
  isZstdThere,
} from '#http/codings/encode-body.js';
import type { Reply } from '#http/exchange.js';
import { jsonContentType, rejectField } from '#http/http-error.js';
import { negotiateCoding } from '#http/negotiation/negotiate-coding.js';
import { notAcceptable } from '#http/negotiation/negotiate-type.js';
import { notAcceptableSchema } from '#http/schemas/error-schema.js';
import { vary } from '#http/schemas/header-schemas.js';
import { reserveUntilResponse } from '#http/sending/reserve-until-response.js';
import { streamOf } from '#http/sending/stream-of.js';
import { integer, oneOf, optionalText, text } from '#kit/describe/value-schemas.js';
import { endpoint } from '#kit/endpoint.js';
import { type Pieces, withDamage, withoutEnd } from './break-coding.js';

const available = [...codingsThere, 'identity'];

const faults = [
  'wrong-label',
  'truncated',
  'corrupt',
  'double',
  'raw-deflate',
  'multi-member',
  'trailing-garbage',
  'empty',
] as const;

/** Codings where several encoded parts in a row are one body (RFC 1952 section 2.2, RFC 8878 section 3). */
const codingsWithMembers: readonly string[] = ['gzip', 'zstd'];

type Fault = (typeof faults)[number] | undefined;

const query = {
  size: Type.Optional(integer(1, 100 * 1024 * 1024, 'Size of the decoded text in bytes.')),
  fault: Type.Optional(
    oneOf(faults, {
      description:
        'The error or oddity of the body: labelled as another coding, without its end, damaged, encoded twice but labelled once, deflate without the zlib format, two gzip members or zstd frames (which is valid), bytes after its end, or an empty body.',
    }),
  ),
};

const encoded = {
  description: 'The response in the coding, or text of the requested size.',
  content: {
    'application/json': {
      schema: Type.Object({
        coding: text('The coding of this response.'),
        acceptEncoding: Type.Union([Type.String(), Type.Null()]),
        there: Type.Array(Type.String(), { description: 'The supported codings.' }),
      }),
    },
    'text/plain': { schema: Type.String() },
  },
};

const codingHeader = { 'Content-Encoding': optionalText('The coding of the body.') };

const ofSize = { query: { size: 64 } };

export const negotiated = endpoint('GET', '/api/http/encoding', {
  summary: 'Get a response in the coding that Accept-Encoding prefers',
  description:
    'By its weights; for equal weights zstd, br, gzip, deflate. A client that rejects all of them, and identity too, gets 406.',
  query,
  responses: { 200: encoded, 406: notAcceptableSchema },
  responseHeaders: { 200: { ...codingHeader, ...vary }, 406: vary },
  examples: {
    Plain: { headers: { 'Accept-Encoding': 'identity' } },
    'Text of a given size': ofSize,
    'Every coding rejected': { headers: { 'Accept-Encoding': '*;q=0' } },
  },
  handle(request, reply) {
    addVary(reply, 'Accept-Encoding');
    const coding = negotiateCoding(request.headers['accept-encoding'] as string, codingsThere);
    if (coding !== undefined) return sendCoded(reply, coding, request.query);
    throw notAcceptable('Accept-Encoding rejects all supported codings.', available);
  },
});

export const fixed = endpoint('GET', '/api/http/encoding/:coding', {
  summary: 'Get a response in the content coding of the path',
  description: 'zstd requires a version of Node that has it; otherwise the response is 406.',
  params: { coding: oneOf([...codings, 'identity']) },
  query,
  responses: { 200: encoded, ...(!isZstdThere && { 406: notAcceptableSchema }) },
  responseHeaders: { 200: codingHeader },
  examples: {
    Plain: { path: { coding: 'identity' } },
    'Text of a given size': { path: { coding: 'identity' }, ...ofSize },
    'Plain bytes labelled gzip': { path: { coding: 'identity' }, query: { fault: 'wrong-label' } },
    // The codings depend on the version of Node.
    ...(!isZstdThere && {
      'A coding that Node does not support': { path: { coding: 'zstd' }, isNoExample: true },
    }),
    Gzip: { path: { coding: 'gzip' }, ...ofSize, isNoExample: true },
  },
  handle(request, reply) {
    const { coding } = request.params;
    if (coding !== 'zstd' || isZstdThere) return sendCoded(reply, coding, request.query);
    throw notAcceptable(
      `This service runs on Node ${process.versions.node}, which has no zstd; versions 22.15 and 23.8 added it.`,
      available,
    );
  },
});

async function sendCoded(
  reply: Reply,
  coding: Coding | 'identity',
  { size, fault }: { size?: number; fault?: Fault },
) {
  checkFault(fault, coding);
  const { request } = reply;
  const wrongLabel = coding === 'gzip' ? 'br' : 'gzip';
  const label = fault === 'wrong-label' ? wrongLabel : coding;
  if (label !== 'identity') reply.header('content-encoding', label);
  reply.header('content-type', size === undefined ? jsonContentType : 'text/plain; charset=utf-8');
  if (size === undefined) {
    const acceptEncoding = request.headers['accept-encoding'] ?? null;
    const body = JSON.stringify({ coding, acceptEncoding, there: available });
    const bytes = Buffer.from(body);
    const half = Math.floor(bytes.length / 2);
    const members = [[bytes.subarray(0, half)], [bytes.subarray(half)]];
    const pieces = coded([bytes], members, { coding, fault, encode: atOnce });
    // A short body has a Content-Length, also for HEAD.
    return Buffer.concat(await Readable.from(pieces).toArray());
  }
  if (fault === 'empty') return Buffer.alloc(0);
  if (coding === 'identity') reply.header('content-length', String(size));
  else if (request.method !== 'HEAD') {
    reserveUntilResponse(request, reply, encoderBytes[coding] * (fault === 'double' ? 2 : 1));
  }
  const half = Math.floor(size / 2 / line.length) * line.length;
  const members = [linesOf(half), linesOf(size - half)];
  return streamOf(request, () => {
    return coded(linesOf(size), members, { coding, fault, encode: encodeBody });
  });
}

interface HowCoded {
  readonly coding: Coding | 'identity';
  readonly fault: Fault;
  readonly encode: (pieces: Pieces, coding: Coding | 'raw-deflate') => Pieces;
}

/** `members` are the parts of the plain body that are encoded separately. */
function coded(plain: Pieces, members: readonly Pieces[], how: HowCoded): Pieces {
  const { coding, fault, encode } = how;
  if (coding === 'identity') return plain;
  if (fault === 'empty') return [];
  if (fault === 'multi-member') {
    return Readable.from(inARow(members.map((member) => () => encode(member, coding))));
  }
  const once = encode(plain, fault === 'raw-deflate' ? 'raw-deflate' : coding);
  if (fault === 'double') return encode(once, coding);
  if (fault === 'truncated') return Readable.from(withoutEnd(once));
  if (fault === 'trailing-garbage') return Readable.from(inARow([() => once, () => garbage]));
  if (fault === 'corrupt') return Readable.from(withDamage(once, coding));
  return once;
}

const garbage = [Buffer.from('These bytes follow the end.\n')];

/** Creates each part when the previous one has ended, so that only one encoder exists at a time. */
async function* inARow(makers: readonly (() => Pieces)[]): AsyncGenerator<Buffer> {
  for (const make of makers) yield* make();
}

/** Encodes all pieces at once. */
function atOnce(pieces: Pieces, coding: Coding | 'raw-deflate'): Pieces {
  return [encodeWhole(Buffer.concat(pieces as Buffer[]), coding)];
}

const line = 'Practice makes perfect, and this line is sixty-four bytes long.\n';
const sliceBytes = 64 * 1024;
const slice = Buffer.from(line.repeat(sliceBytes / line.length));

/** Yields highly compressible text; all slices share the same memory. */
function* linesOf(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= sliceBytes) {
    yield slice.subarray(0, Math.min(left, sliceBytes));
  }
}

function checkFault(fault: Fault, coding: Coding | 'identity'): void {
  if (fault === undefined || fault === 'wrong-label') return;
  if (fault === 'multi-member' && coding !== 'identity') {
    if (codingsWithMembers.includes(coding)) return;
    const message = `${coding} has no members: multi-member works only with ${codingsWithMembers.join(' and ')}.`;
    rejectField('fault', message);
  }
  if (fault === 'raw-deflate' ? coding === 'deflate' : coding !== 'identity') return;
  const message =
    fault === 'raw-deflate'
      ? `raw-deflate works only with deflate, but this response would be ${coding}. Use /api/http/encoding/deflate.`
      : `${fault} needs a coding, but this response would be identity. Name a coding in Accept-Encoding or in the path.`;
  rejectField('fault', message);
}
