/** Ranges: reproducible bytes, in whole or in parts, with validators and digests. */

import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { plainTextPattern } from '../../../base/text/text-patterns.js';
import type { Reply } from '../../../http/exchange.js';
import { contentDisposition } from '../../../http/headers/content-disposition.js';
import { bytesOf } from '../../../http/schemas/bytes-of.js';
import { errorSchema } from '../../../http/schemas/error-schema.js';
import { rangeHeaders, rangeResponseHeaders } from '../../../http/schemas/range-schemas.js';
import { maxPacedSeconds, sendBytes } from '../../../http/sending/send-bytes.js';
import { exactQuery } from '../../../kit/describe/exact-query.js';
import type { Topic } from '../topic.js';
import { seededBytes } from './seeded-bytes.js';

const maxBytes = 100 * 1024 * 1024;
const binary = 'application/octet-stream';

const schema = {
  summary: 'Get the bytes of a seed, in whole or in ranges',
  description:
    'They are generated while they are sent. One range, a suffix or several; more than 20, or more than the whole, get the whole. Digests are told where Want-Content-Digest or Want-Repr-Digest asks for them: as a header up to 1 MiB, beyond it as a trailer, without a Content-Length.',
  params: Type.Object({
    n: Type.Integer({ minimum: 0, maximum: maxBytes, description: 'How many bytes.' }),
  }),
  querystring: exactQuery({
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
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000_000,
        description: `The most that is sent in a second. The response lasts ${maxPacedSeconds} s at most.`,
      }),
    ),
  }),
  described: { headers: rangeHeaders },
  response: {
    200: bytesOf(binary),
    206: bytesOf([binary, 'multipart/byteranges']),
    304: Type.Null({ description: 'The caller has these bytes already.' }),
    400: errorSchema,
    412: errorSchema,
    416: errorSchema,
  },
  responseHeaders: rangeResponseHeaders({
    'Content-Disposition': Type.Optional(Type.String({ description: 'Where a name was given.' })),
  }),
};

export const rangesTopic: Topic = {
  name: 'ranges',
  title: 'Ranges',
  start: '/api/http/bytes/1024',
  summary: 'Parts of a representation, resumed downloads, digests.',

  addRoutes(app, { held }) {
    app.get('/api/http/bytes/:n', { schema }, (request, reply) => {
      const { n } = request.params;
      const { seed, filename, bytesPerSecond } = request.query;
      describe(reply, filename);
      const bytes = {
        size: n,
        contentType: binary,
        entityTag: `"${nameOf(seed, n)}"`,
        slices: (range: Parameters<typeof seededBytes>[1]) => seededBytes(seed, range),
      };
      return sendBytes(request, reply, bytes, { held, bytesPerSecond });
    });
  },
};

function describe(reply: Reply, filename: string | undefined): void {
  // The bytes never change, and yet nobody else should spend a hundred MiB of cache on them unasked.
  reply.header('cache-control', 'private, no-cache').header('x-content-type-options', 'nosniff');
  if (filename === undefined) return;
  reply.header('content-disposition', contentDisposition('attachment', filename));
}

function nameOf(seed: string, n: number): string {
  return createHash('sha256').update(`${n} ${seed}`).digest('base64url').slice(0, 22);
}
