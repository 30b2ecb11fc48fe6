/** A request as the bytes it came in (RFC 9112 section 10.1). */

import { Type } from 'typebox';
import { sentTargetOf } from '../../../http/address/sandbox-address.js';
import { anyMethod } from '../../../http/any-method.js';
import { readBody } from '../../../http/body/request-body.js';
import { showBody } from '../../../http/body/show-body.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { HttpError, jsonContentType } from '../../../http/http-error.js';
import { sendLargeJson } from '../../../http/json/large-json.js';
import { errorSchema } from '../../../http/schemas/error-schema.js';
import { noSniff } from '../../../http/schemas/header-schemas.js';
import { bytesOf, maxRequestBytes } from '../../../kit/connection.js';
import { anyBody } from '../../../kit/describe/any-body.js';
import type { Topic } from '../topic.js';

const path = '/api/http/dump';
const text = Type.String();
const fields = (description: string) =>
  Type.Array(Type.Object({ name: text, value: text }), { description });

const requestSchema = Type.Object(
  {
    method: text,
    target: Type.String({ description: 'As it was sent, with the query.' }),
    httpVersion: text,
    headers: fields('In the order and the letter case they came in.'),
    body: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'As text, or as base64 when it is not UTF-8; without chunks around it.',
    }),
    bodyEncoding: Type.Optional(Type.Literal('base64')),
    trailers: fields('What came behind the last chunk.'),
    size: Type.Integer({ description: 'Of the whole request on the wire, in bytes.' }),
  },
  { title: 'DumpedRequest' },
);

const schema = {
  summary: 'Send the request back as the bytes it came in',
  description: `Up to ${maxRequestBytes} bytes in all, as they reached this service: a proxy before it may have changed them.`,
  querystring: Type.Object({
    as: Type.Optional(
      Type.Unsafe<'json'>({ type: 'string', enum: ['json'], description: 'Taken apart, as JSON.' }),
    ),
  }),
  described: anyBody,
  response: {
    200: {
      description: 'The request.',
      content: {
        'message/http': { schema: Type.String() },
        'application/json': { schema: requestSchema },
      },
    },
    400: errorSchema,
    413: errorSchema,
  },
  responseHeaders: { 200: noSniff },
};

export const dumpTopic = {
  name: 'dump',
  title: 'Dumps',
  start: path,
  summary: 'The request, byte for byte as it came.',
  rawPaths: [path],
  presets: [{ title: 'the request itself', method: 'GET', path }],
  addRoutes(app) {
    app.route(anyMethod, path, { schema }, async (request, reply) => dump(request, reply));
  },
} satisfies Topic;

async function dump(request: Request, reply: Reply): Promise<Reply> {
  const { raw } = request;
  if (raw.httpVersionMajor === 2) {
    throw new HttpError(
      400,
      'An HTTP/2 request arrives in frames, whose headers are compressed: there are no bytes to show. Send it over HTTP/1.1.',
    );
  }
  const bytes = bytesOf(raw);
  if (bytes === undefined) {
    throw new HttpError(
      400,
      `Write the path as ${path}, without escapes: bytes are kept of nothing else.`,
    );
  }
  const body = await readBody(request, maxRequestBytes, maxRequestBytes);
  const whole = bytes.whole;
  if (whole === undefined) {
    throw new HttpError(
      413,
      `The request is larger than ${maxRequestBytes} bytes with all that frames it, or there is no room for it now.`,
    );
  }
  reply.header('x-content-type-options', 'nosniff');
  const { as } = request.query as { readonly as?: 'json' };
  if (as === undefined) return reply.type('message/http').send(whole);
  const { text: shown, encoding } = showBody(body);
  const parts = {
    method: raw.method ?? '',
    target: sentTargetOf(raw),
    httpVersion: raw.httpVersion,
    headers: pairsOf(raw.rawHeaders),
    body: shown,
    ...(encoding === 'base64' && { bodyEncoding: encoding }),
    trailers: pairsOf(raw.rawTrailers),
    size: whole.length,
  };
  return sendLargeJson(request, reply.type(jsonContentType), parts);
}

function pairsOf(raw: readonly string[]) {
  const names = raw.filter((_text, index) => index % 2 === 0);
  return names.map((name, index) => ({ name, value: raw[2 * index + 1] ?? '' }));
}
