/** Misbehaviours: each is one value, with its texts and its effect on the response to a call. */

import { constants } from 'node:http2';
import { type Http2Request, http2RequestOf } from '#kit/connection.js';
import type { CaseText } from '#kit/misbehaviour/misbehaviour.js';
import { cite } from '#kit/verdict/citations.js';
import { writeFailure } from '../messages/failures.js';
import { flags, frame } from '../messages/frames.js';
import type { Values } from '../messages/metadata.js';
import { RpcError } from '../messages/rpc-error.js';
import type { Call } from '../model/call.js';

/** A call, and the message that a right response has. */
export interface Met {
  readonly call: Call;
  readonly stream: Http2Request;
  readonly message: Uint8Array;
}

export interface Case extends CaseText {
  readonly act: (met: Met) => void | Promise<void>;
}

const ok: Values = { 'grpc-status': '0' };
const failed = (message: string): Values => ({ 'grpc-status': '13', 'grpc-message': message });

/** Begins the response, and returns what it is written with. */
function begin({ call: { reply, form, headers } }: Met, own: Values = {}, status = 200) {
  const { raw } = reply;
  const type = { 'content-type': form.contentType };
  raw.writeHead(status, { ...(reply.getHeaders() as Values), ...headers, ...type, ...own });
  return raw;
}

/** Sends a head, bytes, and trailers; without trailers, the stream ends with its last bytes. */
function respond(
  met: Met,
  bytes: Uint8Array,
  trailers: Values | undefined,
  head: Values = {},
): void {
  const raw = begin(met, head);
  if (trailers !== undefined) raw.addTrailers(trailers);
  if (bytes.length > 0 || trailers !== undefined) raw.write(bytes);
  raw.end();
}

/** Sends bytes of which the prefix says another length. */
function misframe(met: Met, by: number): void {
  const framed = frame(flags.plain, met.message);
  framed.writeUInt32BE(Math.max(0, met.message.length + by), 1);
  respond(met, by < 0 ? Buffer.concat([framed, Buffer.alloc(-by, 255)]) : framed, ok);
}

/** Sends only a failure, with metadata for retries. */
function fail({ call }: Met, error: RpcError, more: Values = {}): void {
  const { status, contentType, headers } = writeFailure(call.form, error);
  const { reply } = call;
  reply.raw.writeHead(status, {
    ...(reply.getHeaders() as Values),
    ...headers,
    ...more,
    'content-type': contentType,
  });
  reply.raw.end();
}

const unavailable = (met: Met, pushback: string): void =>
  fail(met, new RpcError('UNAVAILABLE', 'The service pushes back.'), {
    'grpc-retry-pushback-ms': pushback,
  });

const responses = cite('gRPC over HTTP2', 'Responses');
const errors = cite('gRPC over HTTP2', 'Errors');
const goaway = cite('gRPC over HTTP2', 'GOAWAY Frame');
const pushback = cite('gRPC A6 Client Retries', 'Pushback');

const reports = (code: string) => `Report ${code}, and keep the connection.`;

/** Sends nothing more until the client leaves, for at most a minute. */
const endlessMs = 60_000;
const endlessPauseMs = 1000;

const resets: Readonly<Record<string, string>> = {
  'no-error': 'INTERNAL',
  'protocol-error': 'INTERNAL',
  'internal-error': 'INTERNAL',
  'flow-control-error': 'INTERNAL',
  'settings-timeout': 'INTERNAL',
  'stream-closed': 'UNKNOWN',
  'frame-size-error': 'INTERNAL',
  'refused-stream': 'UNAVAILABLE',
  cancel: 'CANCELLED',
  'compression-error': 'INTERNAL',
  'connect-error': 'INTERNAL',
  'enhance-your-calm': 'RESOURCE_EXHAUSTED',
  'inadequate-security': 'PERMISSION_DENIED',
  'http-1-1-required': 'UNKNOWN',
};

const resetCases = Object.entries(resets).map(([name, code], number): [string, Case] => [
  `reset-${name}`,
  {
    what: `RST_STREAM with ${name.replaceAll('-', '_').toUpperCase()} (${number}) instead of a response.`,
    rightClient:
      number === constants.NGHTTP2_REFUSED_STREAM ? 'Repeat the call once.' : reports(code),
    section: errors,
    act: ({ stream }) => stream.cancel(number),
  },
]);

type Row = readonly [name: string, what: string, right: string, section: string, act: Case['act']];

const rows: readonly Row[] = [
  [
    'trailers-only',
    'An error whose only head has END_STREAM.',
    reports('ABORTED'),
    responses,
    (met) => fail(met, new RpcError('ABORTED', 'The only head has the status.')),
  ],
  [
    'no-status',
    'Trailers without grpc-status.',
    reports('UNKNOWN'),
    responses,
    (met) => respond(met, frame(flags.plain, met.message), { 'x-trailer': 'no status' }),
  ],
  [
    'two-statuses',
    'grpc-status 0 in the head, and 13 in the trailers.',
    reports('INTERNAL'),
    responses,
    (met) => respond(met, frame(flags.plain, met.message), failed('The trailers count.'), ok),
  ],
  [
    'unknown-status',
    'grpc-status 99.',
    reports('UNKNOWN'),
    responses,
    (met) => respond(met, Buffer.alloc(0), { 'grpc-status': '99' }),
  ],
  [
    'html-error',
    '502 with a page of HTML.',
    reports('UNAVAILABLE'),
    responses,
    (met) => void begin(met, { 'content-type': 'text/html' }, 502).end('<h1>Bad gateway</h1>'),
  ],
  [
    'wrong-type',
    '200 with text/plain.',
    reports('UNKNOWN'),
    responses,
    (met) => void begin(met, { 'content-type': 'text/plain' }).end('ok'),
  ],
  [
    'long-length',
    'A prefix that says more bytes than there are.',
    reports('INTERNAL'),
    responses,
    (met) => misframe(met, 10),
  ],
  [
    'short-length',
    'A prefix that says fewer bytes than there are.',
    reports('INTERNAL'),
    responses,
    (met) => misframe(met, -10),
  ],
  [
    'compressed-flag',
    'A compressed message without grpc-encoding.',
    reports('INTERNAL'),
    responses,
    (met) => respond(met, frame(flags.compressed, met.message), ok),
  ],
  [
    'unknown-encoding',
    'A message in an encoding that does not exist.',
    reports('INTERNAL'),
    responses,
    (met) =>
      respond(met, frame(flags.compressed, met.message), ok, { 'grpc-encoding': 'practice' }),
  ],
  [
    'two-messages',
    'Two messages where the method returns one.',
    reports('INTERNAL'),
    responses,
    (met) => respond(met, Buffer.concat([frame(0, met.message), frame(0, met.message)]), ok),
  ],
  [
    'half-message',
    'Half a message, and then RST_STREAM.',
    reports('INTERNAL'),
    errors,
    (met) => {
      const bytes = frame(flags.plain, Buffer.alloc(64));
      begin(met).write(bytes.subarray(0, 32), () =>
        met.stream.cancel(constants.NGHTTP2_INTERNAL_ERROR),
      );
    },
  ],
  [
    'message-after-status',
    'A head with grpc-status, and then a message without trailers.',
    reports('INTERNAL'),
    responses,
    (met) => respond(met, frame(flags.plain, met.message), undefined, ok),
  ],
  [
    'bad-utf8',
    'A message of the status that is not UTF-8.',
    'Show the message as far as possible.',
    responses,
    (met) => respond(met, Buffer.alloc(0), failed('half %FF%FE and a rest')),
  ],
  [
    'bad-percent',
    'Percent signs without two digits in the message of the status.',
    'Show the message unchanged.',
    responses,
    (met) => respond(met, Buffer.alloc(0), failed('100% of %zz')),
  ],
  [
    'large-metadata',
    'Metadata of 9 KiB.',
    'Accept it, or report RESOURCE_EXHAUSTED or INTERNAL.',
    responses,
    (met) => respond(met, frame(flags.plain, met.message), ok, { 'x-large': 'a'.repeat(9 * 1024) }),
  ],
  [
    'endless-stream',
    'A response that never ends.',
    'End the call by its deadline, with RST_STREAM.',
    cite('gRPC guide Deadlines', 'Deadlines on the Client'),
    async (met) => {
      met.call.hold();
      const raw = begin(met);
      const isStream = met.call.request.headers['x-messages'] === 'many';
      raw.flushHeaders();
      for (let passed = 0; passed < endlessMs && !raw.destroyed; passed += endlessPauseMs) {
        if (isStream) raw.write(frame(flags.plain, met.message));
        await met.call.pause(endlessPauseMs);
      }
      met.stream.cancel(constants.NGHTTP2_CANCEL);
    },
  ],
  [
    'goaway',
    'GOAWAY: this call is completed, and later ones are not.',
    'Repeat later calls on a new connection.',
    goaway,
    (met) => {
      met.stream.leaveAfterThis();
      respond(met, frame(flags.plain, met.message), ok);
    },
  ],
  [
    'goaway-before',
    'GOAWAY: this call and later ones were not processed.',
    'Repeat the call on a new connection.',
    goaway,
    ({ stream }) => stream.goAwayBefore(),
  ],
  [
    'no-ping-response',
    'A connection without any more responses, even to PING.',
    'Close it once keepalive has no response.',
    cite('gRPC guide Keepalive', 'Keepalive configuration specification'),
    ({ stream }) => stream.stopReading(),
  ],
  [
    'pushback-positive',
    'UNAVAILABLE with grpc-retry-pushback-ms of 1500.',
    'Repeat after exactly that time, or not at all.',
    pushback,
    (met) => unavailable(met, '1500'),
  ],
  [
    'pushback-negative',
    'UNAVAILABLE with grpc-retry-pushback-ms of -1.',
    'Do not repeat the call.',
    pushback,
    (met) => unavailable(met, '-1'),
  ],
  [
    'pushback-unparsable',
    'UNAVAILABLE with grpc-retry-pushback-ms of soon.',
    'Do not repeat the call.',
    pushback,
    (met) => unavailable(met, 'soon'),
  ],
];

export const misbehaviours: ReadonlyMap<string, Case> = new Map([
  ...rows.map(([name, what, rightClient, section, act]): [string, Case] => [
    name,
    { what, rightClient, section, act },
  ]),
  ...resetCases,
]);

/** Throws unless the call can meet a misbehaviour: they are about frames of HTTP/2. */
export function streamOf({ request, form }: Call): Http2Request {
  const stream = http2RequestOf(request.raw);
  if (stream !== undefined && form.protocol === 'gRPC') return stream;
  throw new RpcError('FAILED_PRECONDITION', 'Misbehaviours need gRPC over HTTP/2.');
}
