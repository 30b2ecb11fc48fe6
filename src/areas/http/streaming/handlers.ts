/** Responses that are sent piece by piece. */

import type { Readable } from 'node:stream';
import type { Clock } from '../../../base/awaitable.js';
import { gotParameter } from '../../../base/text/got-value.js';
import { prefixOf } from '../../../http/address/sandbox-address.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { type HeldRequest, pause } from '../../../http/held-requests.js';
import { HttpError, jsonContentType } from '../../../http/http-error.js';
import { digestOf } from '../../../http/sending/digest-fields.js';
import { atIntervals, drip } from '../../../http/sending/drip.js';
import { sendInformational } from '../../../http/sending/informational.js';
import { streamOf } from '../../../http/sending/stream-of.js';
import { isBodiless, statusCompanions } from '../../../http/status/status-companions.js';
import type { Services } from '../../../kit/area.js';
import { frameChunk, lastChunk, leaveFramesAlone } from './frame-chunks.js';
import { maxChunkBytes, maxChunks, parseSizes } from './parse-sizes.js';

/** No response is held for longer. */
export const maxHeldSeconds = 600;

type Handler<Query, Result = Readable, Params = unknown> = (
  request: Request<{ Querystring: Query; Params: Params }>,
  reply: Reply,
) => Promise<Result>;

interface StreamingHandlers {
  readonly lines: Handler<{ interval: number }, Readable, { n: number }>;
  readonly drip: Handler<{ bytes: number; duration: number; status: number }, Readable | Buffer>;
  readonly chunks: Handler<{ sizes: string; extensions: boolean }>;
  readonly trailers: Handler<{ announce: boolean }>;
  readonly informational: Handler<{ status: number[]; wait: number }, { sent: number[] }>;
}

export function streamingHandlers({
  held,
  clock,
}: Pick<Services, 'held' | 'clock'>): StreamingHandlers {
  /** HEAD has nothing to wait for. */
  function hold(request: Request, reply: Reply, ms: number): HeldRequest | undefined {
    return ms > 0 && request.method !== 'HEAD' ? held.hold(request, reply) : undefined;
  }

  return {
    async lines(request, reply) {
      const { n } = request.params;
      const { interval } = request.query;
      if ((n - 1) * interval > maxHeldSeconds) throw tooLong(n, interval);
      const place = hold(request, reply, interval);
      reply
        .header('content-type', 'application/x-ndjson')
        // Proxies of the nginx family would hold lines back.
        .header('x-accel-buffering', 'no');
      return streamOf(request, () =>
        place === undefined
          ? linesOf(n, clock)
          : atIntervals(linesOf(n, clock), interval * 1000, place),
      );
    },

    async drip(request, reply) {
      const { bytes, duration, status } = request.query;
      const hasNoBody = isBodiless(status);
      const place = hasNoBody ? undefined : hold(request, reply, duration);
      reply.code(status).headers(
        statusCompanions(status, {
          location: `${prefixOf(request.raw)}/api/http/drip`,
          allow: ['GET', 'HEAD'],
          size: bytes,
          isHttp11: request.raw.httpVersion === '1.1',
        }),
      );
      if (hasNoBody) return Buffer.alloc(0);
      reply
        .header('content-type', 'application/octet-stream')
        .header('content-length', String(bytes))
        .header('x-accel-buffering', 'no');
      return streamOf(request, () =>
        place === undefined ? starsOf(bytes) : drip(bytes, duration * 1000, place),
      );
    },

    async chunks(request, reply) {
      const { sizes: given, extensions } = request.query;
      const sizes = parseSizes(given);
      if (sizes === undefined) throw noSizes(request.query.sizes);
      reply.header('content-type', 'text/plain; charset=utf-8');
      const knowsChunks = request.raw.httpVersion === '1.1';
      if (knowsChunks) {
        reply.header('transfer-encoding', 'chunked');
        leaveFramesAlone(reply.raw);
      }
      return streamOf(request, () => (knowsChunks ? framed(sizes, extensions) : lettersOf(sizes)));
    },

    async trailers(request, reply) {
      const { announce } = request.query;
      const message = 'Trailer fields follow this body. Many clients ignore them.';
      const body = Buffer.from(JSON.stringify({ message, te: request.headers.te ?? null }));
      const fields = {
        'Content-Digest': digestOf('sha-256', body),
        'Server-Timing': 'body;dur=1',
        'X-Trailer': 'the last word',
      };
      const knowsTrailers = request.raw.httpVersion !== '1.0' && request.method !== 'HEAD';
      if (announce && knowsTrailers) reply.header('trailer', Object.keys(fields).join(', '));
      reply.header('content-type', jsonContentType);
      return streamOf(request, function* () {
        yield body;
        if (knowsTrailers) reply.raw.addTrailers(fields);
      });
    },

    async informational(request, reply) {
      const { status: statuses, wait } = request.query;
      const place = hold(request, reply, wait);
      const knowsThem = request.raw.httpVersion !== '1.0';
      const hints = hintsBelow(prefixOf(request.raw));
      for (const status of statuses) {
        const headers = hints.map((hint) => ['Link', hint] as const);
        sendInformational(reply.raw, { status, ...(status === 103 && { headers }) });
      }
      if (place !== undefined) await pause(wait * 1000, place);
      place?.release();
      reply.header('link', hints.join(', '));
      return { sent: knowsThem ? statuses : [] };
    },
  };
}

/** What a page would want; the second is this response's own. */
const hintsBelow = (prefix: string) => [
  `<${prefix}/api/http/bytes/64>; rel=preload; as=fetch`,
  `<${prefix}/api/http>; rel=index`,
];

function* linesOf(n: number, clock: Clock): Generator<Buffer> {
  for (let line = 1; line <= n; line++) {
    yield Buffer.from(`${JSON.stringify({ line, of: n, at: new Date(clock()).toISOString() })}\n`);
  }
}

function* starsOf(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= maxChunkBytes) {
    yield Buffer.alloc(Math.min(left, maxChunkBytes), '*');
  }
}

/** The first chunk is of the letter a, the next of b. */
function* lettersOf(sizes: readonly number[]): Generator<Buffer> {
  for (const [place, size] of sizes.entries()) {
    yield Buffer.alloc(size, String.fromCharCode(97 + (place % 26)));
  }
}

/** Every form that there is, in turn: a name, a token, a quoted text with what would end a careless parser. */
const extensionForms = [';last', ';name=value', ';text="a;b,\\"c\\" 0"', ';a=1;b="2"'];

function* framed(sizes: readonly number[], hasExtensions: boolean): Generator<Buffer> {
  let place = 0;
  for (const letters of lettersOf(sizes)) {
    yield frameChunk(letters, hasExtensions ? extensionForms[place++ % extensionForms.length] : '');
  }
  yield lastChunk;
}

function tooLong(n: number, interval: number): HttpError {
  const message = `${n} lines, ${interval} s apart, take longer than ${maxHeldSeconds} s. Ask for fewer, or for a shorter interval.`;
  return new HttpError(400, message, { body: { errors: [{ field: 'interval', message }] } });
}

function noSizes(sent: string): HttpError {
  const message = `sizes must be integers separated by commas, at most ${maxChunks}, each from 1 to ${maxChunkBytes}${gotParameter('sizes', sent)}.`;
  return new HttpError(400, message, { body: { errors: [{ field: 'sizes', message }] } });
}
