/** Ranges: reproducible bytes, complete or in parts, with validators and digests. */

import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { plainTextPattern } from '#base/text/text-patterns.js';
import { contentDisposition } from '#http/headers/content-disposition.js';
import type { HeldRequests } from '#http/held-requests.js';
import { bytesOf } from '#http/schemas/bytes-of.js';
import { failures } from '#http/schemas/error-schema.js';
import { rangeHeaders, rangeResponseHeaders } from '#http/schemas/range-schemas.js';
import { maxPacedSeconds, type RandomAccess, sendBytes } from '#http/sending/send-bytes.js';
import { integer, optionalText } from '#kit/describe/value-schemas.js';
import { endpoint } from '#kit/endpoint.js';
import type { Examples } from '#kit/example.js';
import type { Topic } from '../topic.js';
import { seededBytes } from './seeded-bytes.js';

const maxBytes = 100 * 1024 * 1024;
const binary = 'application/octet-stream';

export const rangesTopic: Topic = {
  name: 'ranges',
  title: 'Ranges',
  start: '/api/http/bytes/1024',
  summary: 'Parts of a representation, resumed downloads, digests.',
  endpoints: ({ limits: { held } }) => [getBytes(held)],
};

/** The first six bytes of this seed are letters, so that examples can show them. */
const letters = { path: { n: 6 }, query: { seed: '2283' } };
const asking = (headers: Readonly<Record<string, string>>) => ({ ...letters, headers });

const examples: Examples = {
  'All bytes': { ...letters, keeps: { etag: { header: 'ETag' } } },
  'With a digest': asking({ 'Want-Repr-Digest': 'sha-256=10, sha-512=3' }),
  'One range': asking({ Range: 'bytes=2-3' }),
  'The last two': asking({ Range: 'bytes=-2', 'If-Range': '{{etag}}' }),
  'Several ranges': asking({ Range: 'bytes=0-1,4-5' }),
  'With a name': { ...letters, query: { ...letters.query, filename: 'naïve plan.bin' } },
  'Too many bytes': { path: { n: maxBytes + 1 } },
};

const getBytes = (held: HeldRequests) =>
  endpoint('GET', '/api/http/bytes/:n', {
    summary: 'Get the bytes of a seed, complete or in ranges',
    description:
      'Bytes are generated while they are sent. Supports one range, a suffix or several; more than 20 ranges, or more bytes than the whole, get the whole. Want-Content-Digest and Want-Repr-Digest request a digest: a header up to 1 MiB, above it a trailer without a Content-Length.',
    params: { n: integer(0, maxBytes, 'Number of bytes.') },
    query: {
      seed: Type.String({
        default: '0',
        maxLength: 100,
        description:
          'The seed: the bytes are the key stream of AES-128 in counter mode, with the first half of the SHA-256 of this text as key.',
      }),
      filename: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          pattern: plainTextPattern,
          description: 'A name for the download, sent in both forms of Content-Disposition.',
        }),
      ),
      bytesPerSecond: Type.Optional(
        integer(
          1,
          1_000_000_000,
          `The maximum number of bytes a second. The response takes at most ${maxPacedSeconds} s.`,
        ),
      ),
    },
    headers: rangeHeaders,
    responses: {
      200: bytesOf(binary),
      206: bytesOf([binary, 'multipart/byteranges']),
      304: Type.Null({ description: "The client's copy is current." }),
      ...failures(412, 416),
    },
    responseHeaders: rangeResponseHeaders({
      'Content-Disposition': optionalText('Present if the query has a name.'),
    }),
    examples,
    handle(request, reply) {
      const { n } = request.params;
      const { seed, filename, bytesPerSecond } = request.query;
      // The bytes never change, but a cache should not spend 100 MiB on them unless asked to.
      reply
        .header('cache-control', 'private, no-cache')
        .header('x-content-type-options', 'nosniff');
      if (filename !== undefined) {
        reply.header('content-disposition', contentDisposition('attachment', filename));
      }
      const tag = createHash('sha256').update(`${n} ${seed}`).digest('base64url').slice(0, 22);
      const bytes: RandomAccess = {
        size: n,
        contentType: binary,
        entityTag: `"${tag}"`,
        slices: (range) => seededBytes(seed, range),
      };
      return sendBytes(request, reply, bytes, { held, bytesPerSecond });
    },
  });
