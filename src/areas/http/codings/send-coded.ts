/** Sends a response in a content coding, whole or with one fault. */

import { Readable } from 'node:stream';
import { reserveUntilResponse } from '../../../http/body/request-body.js';
import { addVary } from '../../../http/caching/caching.js';
import {
  type Coding,
  codingsThere,
  encodeBody,
  encoderBytes,
  encodeWhole,
} from '../../../http/codings/encode-body.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { HttpError, jsonContentType } from '../../../http/http-error.js';
import { negotiateCoding } from '../../../http/negotiation/negotiate-coding.js';
import { notAcceptable } from '../../../http/negotiation/negotiate-type.js';
import { streamOf } from '../../../http/sending/stream-of.js';
import { type CodingFault, withDamage, withoutEnd, wrongLabels } from './break-coding.js';
import { linesOf } from './lines-of.js';

const available = [...codingsThere, 'identity'];

type Pieces = Iterable<Buffer> | AsyncIterable<Buffer>;

interface Asked {
  readonly size?: number;
  readonly fault?: CodingFault;
}

/** `fixed` is the coding that the address names; without one Accept-Encoding decides. */
export async function sendCoded(
  request: Request,
  reply: Reply,
  fixed: Coding | 'identity' | undefined,
  { size, fault }: Asked,
): Promise<Readable | Buffer> {
  const accepted = request.headers['accept-encoding'] as string | undefined;
  if (fixed === undefined) addVary(reply, 'Accept-Encoding');
  const coding = fixed ?? negotiateCoding(accepted, codingsThere);
  if (coding === undefined) throw nothingLeft();
  if (coding === 'zstd' && !codingsThere.includes(coding)) throw noZstd();
  checkFault(fault, coding);

  const label = fault === 'wrong-label' ? wrongLabels[coding] : coding;
  if (label !== 'identity') reply.header('content-encoding', label);
  reply.header('content-type', size === undefined ? jsonContentType : 'text/plain; charset=utf-8');
  if (size === undefined) return gather(coded([describe(coding, accepted)], coding, fault, atOnce));
  if (coding === 'identity') reply.header('content-length', String(size));
  else if (request.method !== 'HEAD') {
    reserveUntilResponse(request, reply, encoderBytes[coding] * (fault === 'double' ? 2 : 1));
  }
  return streamOf(request, () => coded(linesOf(size), coding, fault, encodeBody));
}

/** A short body has a length, to HEAD as well. */
async function gather(body: Pieces): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces);
}

function coded(
  plain: Pieces,
  coding: Coding | 'identity',
  fault: CodingFault | undefined,
  encode: (pieces: Pieces, coding: Coding | 'raw-deflate') => Pieces,
): Pieces {
  if (coding === 'identity') return plain;
  const once = encode(plain, fault === 'raw-deflate' ? 'raw-deflate' : coding);
  if (fault === 'double') return encode(once, coding);
  if (fault === 'truncated') return Readable.from(withoutEnd(once));
  if (fault === 'corrupt') return Readable.from(withDamage(once, coding));
  return once;
}

/** For what is a list of pieces. */
function atOnce(pieces: Pieces, coding: Coding | 'raw-deflate'): Pieces {
  return [encodeWhole(Buffer.concat(pieces as Buffer[]), coding)];
}

function describe(coding: string, accepted: string | undefined): Buffer {
  const response = { coding, acceptEncoding: accepted ?? null, there: available };
  return Buffer.from(JSON.stringify(response));
}

function checkFault(fault: CodingFault | undefined, coding: Coding | 'identity'): void {
  if (fault === undefined || fault === 'wrong-label') return;
  if (fault === 'raw-deflate' ? coding === 'deflate' : coding !== 'identity') return;
  const message =
    fault === 'raw-deflate'
      ? `raw-deflate is a fault of deflate, and this response would be ${coding}. Ask at /api/http/encoding/deflate.`
      : `There is no coding to be ${fault}: this response would be identity. Name one in Accept-Encoding, or in the path.`;
  throw new HttpError(400, message, { body: { errors: [{ field: 'fault', message }] } });
}

function nothingLeft(): HttpError {
  return notAcceptable('Accept-Encoding rules out all that there is.', available);
}

function noZstd(): HttpError {
  return notAcceptable(
    `This service runs on Node ${process.versions.node}, which has no zstd: that came with 22.15 and 23.8.`,
    available,
  );
}
