/** Bytes: random or from a seed, ranges of the alphabet, and slow responses; also lines of JSON. */

import { randomInt } from 'node:crypto';
import { Type } from 'typebox';
import { gotParameter } from '#base/text/got-value.js';
import { type HeldRequests, pause } from '#http/held-requests.js';
import { HttpError, rejectField } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { ifMatch, ifNoneMatch } from '#http/schemas/header-schemas.js';
import { drip } from '#http/sending/drip.js';
import { sendBytes } from '#http/sending/send-bytes.js';
import { streamOf } from '#http/sending/stream-of.js';
import { isBodiless } from '#http/status/status-companions.js';
import { anyContent } from '#kit/describe/any-body.js';
import { number, optionalText } from '#kit/describe/value-schemas.js';
import { open } from '#kit/endpoint.js';
import { describeHead, ofGet } from '../echo.js';
import { anyStatus, count, document, notModified, octets, optionalTag, spec } from '../spec.js';
import { writeJsonLine } from '../write-json.js';
import { MersenneTwister } from './mersenne-twister.js';

const maxBytes = 100 * 1024;

const params = { n: count('Number of bytes; values above 102,400 mean 102,400.') };
const seed = optionalText('An integer, used as the seed of Python’s generator.');
const chunkSize = Type.Integer({ minimum: 1, maximum: 1024 * 1024, default: 10 * 1024 });

export const randomBytes = spec({
  summary: 'Get random bytes, or bytes from a seed',
  params,
  query: open({ seed }),
  responses: document(octets),
  handle({ params, query }, reply) {
    const bytes = generatorOf(query.seed).bytes(Math.min(params.n, maxBytes));
    return reply.header('content-type', octets).send(bytes);
  },
});

export const streamedBytes = spec({
  summary: 'Get the same bytes in chunks',
  params,
  query: open({ seed, chunk_size: Type.Optional(chunkSize) }),
  responses: document(octets),
  handle(request, reply) {
    const { chunk_size: chunkBytes = 10 * 1024 } = request.query;
    const generator = generatorOf(request.query.seed);
    reply.header('content-type', octets);
    return streamOf(request, function* () {
      for (let left = Math.min(request.params.n, maxBytes); left > 0; left -= chunkBytes) {
        yield generator.bytes(Math.min(left, chunkBytes));
      }
    });
  },
});

/** With a seed, the bytes are the same as in Python. */
function generatorOf(seed: string | undefined): MersenneTwister {
  if (seed === undefined) return new MersenneTwister(BigInt(randomInt(2 ** 47)));
  if (/^[+-]?\d{1,100}$/.test(seed)) return new MersenneTwister(BigInt(seed.replace('+', '')));
  const got = gotParameter('seed', seed);
  return rejectField('seed', `seed must be an integer of at most 100 digits${got}.`);
}

const alphabet = Buffer.from('abcdefghijklmnopqrstuvwxyz'.repeat(maxBytes / 26 + 2));

const rangeHeaders = { 'Accept-Ranges': optionalText('bytes'), ...optionalTag };
const revalidated = {
  ...rangeHeaders,
  'Cache-Control': optionalText('Must be revalidated before each use.'),
};
const partly = { ...revalidated, 'Content-Range': optionalText('Which bytes the response has.') };

export const ranges = (held: HeldRequests) =>
  spec({
    summary: 'Get the repeated alphabet, as a whole or in ranges',
    params: { n: Type.Integer({ description: 'Number of bytes, 1 to 102,400.' }) },
    query: open({
      duration: Type.Optional(Type.Number({ minimum: 0, maximum: 600 })),
      chunk_size: Type.Optional(chunkSize),
    }),
    headers: {
      Range: optionalText('The bytes to return (RFC 9110 section 14).'),
      'If-Range': optionalText('Entity tag of the complete response that the range belongs to.'),
      ...ifNoneMatch,
      ...ifMatch,
    },
    responses: {
      ...document(octets),
      206: anyContent('The requested ranges.'),
      ...notModified,
      ...failures(404, 412, 416),
    },
    responseHeaders: {
      200: revalidated,
      206: partly,
      304: revalidated,
      404: rangeHeaders,
      412: revalidated,
      416: partly,
    },
    handle(request, reply) {
      const { n } = request.params;
      const entityTag = `"range${n}"`;
      if (n < 1 || n > maxBytes) {
        const headers = { etag: entityTag, 'accept-ranges': 'bytes' };
        throw new HttpError(404, `The number of bytes must be from 1 to ${maxBytes}.`, { headers });
      }
      const { duration = 0, chunk_size: chunkBytes = 10 * 1024 } = request.query;
      reply.header('cache-control', 'private, no-cache');
      const bytes = {
        size: n,
        contentType: octets,
        entityTag,
        *slices({ first, last }: { readonly first: number; readonly last: number }) {
          for (let start = first; start <= last; start += chunkBytes) {
            yield alphabet.subarray(start, Math.min(start + chunkBytes, last + 1));
          }
        },
      };
      const bytesPerSecond = duration > 0 ? n / duration : undefined;
      return sendBytes(request, reply, bytes, { held, bytesPerSecond, keepsSlices: true });
    },
  });

export const dripped = (held: HeldRequests) =>
  spec({
    summary: 'Drip bytes over a duration, after a delay',
    description: 'The body has only asterisks.',
    query: open({
      duration: number(0, 600, 'Seconds.', 2),
      numbytes: Type.Integer({ minimum: 1, maximum: 10 * 1024 * 1024, default: 10 }),
      delay: number(0, 60, 'Seconds.', 0),
      code: Type.Integer({ minimum: 200, maximum: 599, default: 200 }),
    }),
    responses: anyStatus('The status in code; also any error.'),
    // Parameters that simulate faults elsewhere belong to httpbin here.
    queryFaults: 'none',
    async handle(request, reply) {
      const { duration, numbytes, delay, code } = request.query;
      // Held before the head is sent, so that 503 is possible if too many are held.
      const heldRequest = held.hold(request, reply);
      await pause(delay * 1000, heldRequest);
      reply.code(code);
      if (isBodiless(code)) {
        heldRequest.release();
        return reply.send();
      }
      reply.header('content-type', octets).header('content-length', String(numbytes));
      return streamOf(request, () => drip(numbytes, duration * 1000, heldRequest));
    },
  });

const maxLines = 100;

export const lines = spec({
  summary: 'Stream lines of JSON',
  description: 'Each has the members of /get, and its line number as id.',
  params: { n: count('Number of lines; values above 100 mean 100.') },
  responses: { 200: anyContent('The lines.') },
  handle(request, reply) {
    const { args, headers, origin, url } = describeHead(request, ofGet);
    const length = Math.min(request.params.n, maxLines);
    const line = writeJsonLine({ url, args, headers, origin });
    const beginning = line.slice(0, line.lastIndexOf('}'));
    reply.header('content-type', 'application/json');
    return streamOf(request, function* () {
      for (let id = 0; id < length; id++) yield `${beginning}, "id": ${id}}\n`;
    });
  },
});
