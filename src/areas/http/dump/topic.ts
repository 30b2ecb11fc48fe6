/** The raw bytes of a request (RFC 9112 section 10.1). */

import { Type } from 'typebox';
import { sentTargetOf } from '#http/address/sandbox-address.js';
import { anyMethod } from '#http/any-method.js';
import { readBody } from '#http/body/request-body.js';
import { showBody } from '#http/body/show-body.js';
import { HttpError, jsonContentType } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { noSniff } from '#http/schemas/header-schemas.js';
import { sendLargeJson } from '#http/sending/large-json.js';
import { bytesOf, maxRequestBytes } from '#kit/connection.js';
import { anyBodies } from '#kit/describe/any-body.js';
import { nullableText, oneOf, text } from '#kit/describe/value-schemas.js';
import { endpoint, openExceptTypos } from '#kit/endpoint.js';
import { rawPathToken } from '#kit/offers/entries.js';
import type { Topic } from '../topic.js';

const path = '/api/http/dump';

export const dumpTopic: Topic = {
  name: 'dump',
  title: 'Dumps',
  start: path,
  summary: 'The raw request, byte for byte.',
  offers: [rawPathToken.of(() => path)],
  endpoints: () => [dump],
};

const pairs = (description: string) =>
  Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), { description });

const requestSchema = Type.Object(
  {
    method: Type.String(),
    target: text('As sent, with the query.'),
    httpVersion: Type.String(),
    headers: pairs('In the order and letter case received.'),
    body: nullableText('As text, or as base64 if it is not UTF-8; without chunk framing.'),
    bodyEncoding: Type.Optional(Type.Literal('base64')),
    trailers: pairs('Trailer fields after the last chunk.'),
    size: Type.Integer({ description: 'Of the complete request on the wire, in bytes.' }),
  },
  { title: 'DumpedRequest' },
);

const dump = endpoint(anyMethod, path, {
  summary: 'Get the raw bytes of the request',
  description: `Up to ${maxRequestBytes} bytes, as they reached this service. A proxy may have changed them.`,
  query: openExceptTypos({
    as: Type.Optional(oneOf(['json'], { description: 'The parsed request as JSON.' })),
  }),
  ...anyBodies,
  responses: {
    200: {
      description: 'The raw request.',
      content: {
        'message/http': { schema: Type.String() },
        'application/json': { schema: requestSchema },
      },
    },
    ...failures(413),
  },
  responseHeaders: { 200: noSniff },
  examples(method) {
    const body = /^P/.test(method) && { type: 'text/plain', body: 'Hello' };
    return { 'The bytes': { ...body }, Parsed: { query: { as: 'json' }, ...body } };
  },
  async handle(request, reply) {
    const { raw } = request;
    if (raw.httpVersionMajor === 2) {
      const message =
        'HTTP/2 requests arrive in frames with compressed headers, so there are no raw bytes to show. Use HTTP/1.1.';
      throw new HttpError(400, message);
    }
    const bytes = bytesOf(raw);
    if (bytes === undefined) {
      const message = `Write the path as ${path}, without escapes: raw bytes are recorded only for this path.`;
      throw new HttpError(400, message);
    }
    const body = await readBody(request, maxRequestBytes, maxRequestBytes);
    const { whole } = bytes;
    if (whole === undefined) {
      const message = `The request is larger than ${maxRequestBytes} bytes with all its framing, or memory is short now.`;
      throw new HttpError(413, message);
    }
    reply.header('x-content-type-options', 'nosniff');
    if (request.query.as === undefined) return reply.type('message/http').send(whole);
    const shown = showBody(body);
    return sendLargeJson(request, reply.type(jsonContentType), {
      method: raw.method ?? '',
      target: sentTargetOf(raw),
      httpVersion: raw.httpVersion,
      headers: pairsOf(raw.rawHeaders),
      body: shown.text,
      ...(shown.encoding === 'base64' && { bodyEncoding: shown.encoding }),
      trailers: pairsOf(raw.rawTrailers),
      size: whole.length,
    });
  },
});

function pairsOf(raw: readonly string[]) {
  const names = raw.filter((_text, index) => index % 2 === 0);
  return names.map((name, index) => ({ name, value: raw[2 * index + 1] ?? '' }));
}
