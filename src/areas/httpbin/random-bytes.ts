/** Bytes: random or of a seed, those of the alphabet in ranges, and those that take their time. */

import { randomInt } from 'node:crypto';
import { gotParameter } from '../../base/text/got-value.js';
import { pause } from '../../http/held-requests.js';
import { HttpError } from '../../http/http-error.js';
import { drip } from '../../http/sending/drip.js';
import { sendBytes } from '../../http/sending/send-bytes.js';
import { streamOf } from '../../http/sending/stream-of.js';
import { isBodiless } from '../../http/status/status-companions.js';
import type { Handler } from './lab.js';
import { MersenneTwister } from './mersenne-twister.js';

/** More are not made. */
export const maxBytes = 100 * 1024;

const octets = 'application/octet-stream';

interface BytesQuery {
  readonly seed?: string;
  readonly chunk_size?: number;
}

export const giveBytes: Handler = (request, reply) => {
  const { n } = request.params as { readonly n: number };
  const generator = generatorOf(request.query as BytesQuery);
  return reply.header('content-type', octets).send(generator.bytes(Math.min(n, maxBytes)));
};

/** The same bytes, in chunks of the length asked for. */
export const streamBytes: Handler = (request, reply) => {
  const { n } = request.params as { readonly n: number };
  const query = request.query as BytesQuery;
  const generator = generatorOf(query);
  const chunkBytes = Math.max(query.chunk_size ?? 10 * 1024, 1);
  reply.header('content-type', octets);
  return streamOf(request, function* () {
    for (let left = Math.min(n, maxBytes); left > 0; left -= chunkBytes) {
      yield generator.bytes(Math.min(left, chunkBytes));
    }
  });
};

const wholeNumber = /^[+-]?\d{1,100}$/;

/** The one of a seed gives what Python's gives; without one, it is of a seed that nobody chose. */
function generatorOf({ seed }: BytesQuery): MersenneTwister {
  if (seed === undefined) return new MersenneTwister(BigInt(randomInt(2 ** 47)));
  if (wholeNumber.test(seed)) return new MersenneTwister(BigInt(seed.replace('+', '')));
  const message = `seed must be an integer of at most 100 digits${gotParameter('seed', seed)}.`;
  throw new HttpError(400, message, { body: { errors: [{ field: 'seed', message }] } });
}

const alphabet = Buffer.from('abcdefghijklmnopqrstuvwxyz'.repeat(maxBytes / 26 + 2));

/** The alphabet over and over, so that a client that gets a part can tell whether it is the right one. */
export const giveRange: Handler = (request, reply, { services }) => {
  const { n } = request.params as { readonly n: number };
  if (n < 1 || n > maxBytes) {
    const headers = { etag: `"range${n}"`, 'accept-ranges': 'bytes' };
    throw new HttpError(404, `There are from 1 to ${maxBytes} bytes here.`, { headers });
  }
  const query = request.query as { readonly duration?: number; readonly chunk_size?: number };
  const { duration = 0, chunk_size: chunkBytes = 10 * 1024 } = query;
  reply.header('cache-control', 'private, no-cache');
  return sendBytes(
    request,
    reply,
    {
      size: n,
      contentType: octets,
      entityTag: `"range${n}"`,
      *slices({ first, last }) {
        for (let start = first; start <= last; start += chunkBytes) {
          yield alphabet.subarray(start, Math.min(start + chunkBytes, last + 1));
        }
      },
    },
    { held: services.held, ...(duration > 0 && { bytesPerSecond: n / duration }) },
  );
};

interface DripQuery {
  readonly duration: number;
  readonly numbytes: number;
  readonly delay: number;
  readonly code: number;
}

export const giveDrip: Handler = async (request, reply, { services }) => {
  const { duration, numbytes, delay, code } = request.query as DripQuery;
  // Held from before the head on, so that 503 can be said where there is no room.
  const held = services.held.hold(request, reply);
  await pause(delay * 1000, held);
  reply.code(code);
  if (isBodiless(code)) {
    held.release();
    return reply.send();
  }
  reply.header('content-type', octets).header('content-length', String(numbytes));
  return streamOf(request, () => drip(numbytes, duration * 1000, held));
};
