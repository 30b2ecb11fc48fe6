/** Responses that are sent in pieces over some time. */

import { Type } from 'typebox';
import type { Clock } from '#base/awaitable.js';
import { prefixOf } from '#http/address/sandbox-address.js';
import type { Reply } from '#http/exchange.js';
import { pause } from '#http/held-requests.js';
import { rejectField } from '#http/http-error.js';
import { bytesOf } from '#http/schemas/bytes-of.js';
import { atIntervals, drip } from '#http/sending/drip.js';
import { sendInformational } from '#http/sending/informational.js';
import { streamOf } from '#http/sending/stream-of.js';
import { isBodiless, setStatus } from '#http/status/status-companions.js';
import { integer, number, text } from '#kit/describe/value-schemas.js';
import { endpoint } from '#kit/endpoint.js';
import type { Limits, Services } from '#kit/services.js';

const maxHeldSeconds = 600;

/** Holds a request that waits. HEAD does not wait. */
function holdFor(seconds: number, reply: Reply, { held }: Limits) {
  const { request } = reply;
  return seconds > 0 && request.method !== 'HEAD' ? held.hold(request, reply) : undefined;
}

/** Proxies such as nginx would buffer pieces. */
const unbuffered = { 'X-Accel-Buffering': Type.Literal('no') };

export const streamLines = ({ limits, runtime }: Services) =>
  endpoint('GET', '/api/http/stream/:n', {
    summary: 'Stream lines of JSON, at once or at intervals',
    description: `Each line is flushed immediately. The stream takes at most ${maxHeldSeconds} s.`,
    params: { n: integer(1, 1000, 'Number of lines.') },
    query: { interval: number(0, 60, 'Seconds between two lines.', 0) },
    responses: { 200: bytesOf('application/x-ndjson') },
    responseHeaders: { 200: unbuffered },
    examples: { 'Three lines': { path: { n: 3 } }, 'No lines': { path: { n: 0 } } },
    handle(request, reply) {
      const { n } = request.params;
      const { interval } = request.query;
      if ((n - 1) * interval > maxHeldSeconds) {
        const message = `${n} lines at intervals of ${interval} s take longer than ${maxHeldSeconds} s. Request fewer lines, or a shorter interval.`;
        rejectField('interval', message);
      }
      const hold = holdFor(interval, reply, limits);
      reply.header('content-type', 'application/x-ndjson').header('x-accel-buffering', 'no');
      const lines = linesOf(n, runtime.clock);
      return streamOf(request, () =>
        hold === undefined ? lines : atIntervals(lines, interval * 1000, hold),
      );
    },
  });

function* linesOf(n: number, clock: Clock): Generator<Buffer> {
  for (let line = 1; line <= n; line++) {
    yield Buffer.from(`${JSON.stringify({ line, of: n, at: new Date(clock()).toISOString() })}\n`);
  }
}

export const dripBytes = (limits: Limits) =>
  endpoint('GET', '/api/http/drip', {
    summary: 'Drip bytes evenly over some time',
    description:
      'Content-Length has the number of bytes. The first byte is sent at once (or after ?delay=, which every URL supports), the last at the end.',
    query: {
      bytes: integer(1, 10 * 1024 * 1024, 'Number of bytes.', 10),
      duration: number(0, maxHeldSeconds, 'Seconds from the first byte to the last.', 2),
      status: integer(200, 599, 'The status of the response; 204, 205 and 304 have no body.', 200),
    },
    responses: { 200: bytesOf('application/octet-stream') },
    responseHeaders: { 200: unbuffered },
    examples: { 'Ten bytes': { query: { bytes: 10, duration: 0 } } },
    handle(request, reply) {
      const { bytes, duration, status } = request.query;
      const hold = isBodiless(status) ? undefined : holdFor(duration, reply, limits);
      const location = `${prefixOf(request.raw)}/api/http/drip`;
      setStatus(reply, status, { location, allow: ['GET', 'HEAD'], size: bytes });
      if (isBodiless(status)) return Buffer.alloc(0);
      reply
        .header('content-type', 'application/octet-stream')
        .header('content-length', String(bytes))
        .header('x-accel-buffering', 'no');
      return streamOf(request, () => drip(bytes, duration * 1000, hold));
    },
  });

export const sendInterim = (limits: Limits) =>
  endpoint('GET', '/api/http/informational', {
    summary: 'Get informational responses before the final one',
    description:
      'Early Hints have two Link headers. HTTP/1.0 clients get no informational responses (RFC 9110 section 15.2).',
    query: {
      status: Type.Array(Type.Unsafe<number>({ type: 'integer', enum: [100, 102, 103] }), {
        default: [103],
        minItems: 1,
        maxItems: 10,
        description: 'The informational statuses, in order; repeat the parameter for several.',
      }),
      wait: number(0, 10, 'Seconds between the last informational response and the final one.', 0),
    },
    responses: {
      200: Type.Object({
        sent: Type.Array(Type.Integer(), {
          description: 'The informational responses sent before.',
        }),
      }),
    },
    responseHeaders: { 200: { Link: text('The links of the Early Hints, repeated.') } },
    examples: { 'Early Hints': { query: { status: 103 } } },
    async handle(request, reply) {
      const { status: statuses, wait } = request.query;
      const hold = holdFor(wait, reply, limits);
      const prefix = prefixOf(request.raw);
      // A browser would preload the first; the second is the index.
      const hints = [
        `<${prefix}/api/http/bytes/64>; rel=preload; as=fetch`,
        `<${prefix}/api/http>; rel=index`,
      ];
      for (const status of statuses) {
        const headers = hints.map((hint) => ['Link', hint] as const);
        sendInformational(reply.raw, { status, ...(status === 103 && { headers }) });
      }
      if (hold !== undefined) await pause(wait * 1000, hold);
      hold?.release();
      reply.header('link', hints.join(', '));
      return { sent: request.raw.httpVersion === '1.0' ? [] : statuses };
    },
  });
