/** Ranges: reproducible bytes, in whole or in parts, with validators and digests. */

import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { plainTextPattern } from '../../../base/text/text-patterns.js';
import { contentDisposition } from '../../../http/headers/content-disposition.js';
import type { HeldRequests } from '../../../http/held-requests.js';
import { bytesOf } from '../../../http/schemas/bytes-of.js';
import { failures } from '../../../http/schemas/error-schema.js';
import { rangeHeaders, rangeResponseHeaders } from '../../../http/schemas/range-schemas.js';
import { maxPacedSeconds, type RandomAccess, sendBytes } from '../../../http/sending/send-bytes.js';
import { integer, optionalText } from '../../../kit/describe/value-schemas.js';
import { endpoint } from '../../../kit/endpoint.js';
import type { Topic } from '../topic.js';
import { seededBytes } from './seeded-bytes.js';

const maxBytes = 100 * 1024 * 1024;
const binary = 'application/octet-stream';

export const rangesTopic: Topic = {
  name: 'ranges',
  title: 'Ranges',
  start: '/api/http/bytes/1024',
  summary: 'Parts of a representation, resumed downloads, digests.',
  endpoints: ({ held }) => [getBytes(held)],
};

const getBytes = (held: HeldRequests) =>
  endpoint('GET', '/api/http/bytes/:n', {
    summary: 'Get the bytes of a seed, in whole or in ranges',
    description:
      'They are generated while they are sent. One range, a suffix or several; more than 20, or more than the whole, get the whole. Digests are told where Want-Content-Digest or Want-Repr-Digest asks for them: as a header up to 1 MiB, beyond it as a trailer, without a Content-Length.',
    params: { n: integer(0, maxBytes, 'How many bytes.') },
    query: {
      seed: Type.String({
        default: '0',
        maxLength: 100,
        description:
          'What the bytes follow from: they are the key stream of AES-128 in counter mode, keyed by the first half of the SHA-256 of this text.',
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
          `The most that is sent in a second. The response lasts ${maxPacedSeconds} s at most.`,
        ),
      ),
    },
    headers: rangeHeaders,
    responses: {
      200: bytesOf(binary),
      206: bytesOf([binary, 'multipart/byteranges']),
      304: Type.Null({ description: 'The caller has these bytes already.' }),
      ...failures(400, 412, 416),
    },
    responseHeaders: rangeResponseHeaders({
      'Content-Disposition': optionalText('Where a name was given.'),
    }),
    handle(request, reply) {
      const { n } = request.params;
      const { seed, filename, bytesPerSecond } = request.query;
      // The bytes never change, and yet no cache should spend 100 MiB on them unasked.
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
