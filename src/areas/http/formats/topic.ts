/** Formats: one record in many formats, selected by Accept or by path, in several charsets. */

import { type Static, type TObject, Type } from 'typebox';
import { prefixOf, sentTargetOf } from '#http/address/sandbox-address.js';
import { originForm } from '#http/address/target.js';
import { addVary } from '#http/caching/caching.js';
import type { Reply } from '#http/exchange.js';
import { rejectField } from '#http/http-error.js';
import { isolatingHeaders } from '#http/isolating-headers.js';
import { negotiateType, notAcceptable } from '#http/negotiation/negotiate-type.js';
import { bytesOf } from '#http/schemas/bytes-of.js';
import { notAcceptableSchema } from '#http/schemas/error-schema.js';
import { contentSecurityPolicy, noSniff, vary } from '#http/schemas/header-schemas.js';
import { setStatus } from '#http/status/status-companions.js';
import { oneOf } from '#kit/describe/value-schemas.js';
import { endpoint } from '#kit/endpoint.js';
import type { ExampleRequest, Examples } from '#kit/example.js';
import type { Topic } from '../topic.js';
import { charsets, encodeText, hasMark, recordIn } from './charsets.js';
import { type FormatName, formatNames, formats, offers } from './formats.js';

const path = '/api/http/formats';

export const formatsTopic: Topic = {
  name: 'formats',
  title: 'Formats',
  start: path,
  summary: 'One record in nine formats and six charsets, and problem details.',
  collection: {
    leftOut: {
      getHttpFormatsProblem: 'It is an error, which a collection would count as a failure.',
    },
  },
  endpoints: () => [negotiated, fixed, problem],
};

const query = {
  charset: oneOf(charsets, {
    default: 'utf-8',
    description: 'The character encoding, for text formats.',
  }),
  bom: Type.Boolean({
    default: false,
    description: 'Whether the body begins with a byte-order mark; only UTF-8 and UTF-16 have one.',
  }),
  label: Type.Boolean({
    default: true,
    description: 'Whether Content-Type names the charset.',
  }),
};

const everyFormat = bytesOf(offers.map(({ types }) => types[0]));

/** Examples would show bytes that are not text wrongly. */
const shown = (name: FormatName) =>
  name === 'msgpack' || name === 'cbor' ? ({ isNoExample: true } as const) : {};

const examplesOf = (request: (name: FormatName) => ExampleRequest): Examples =>
  Object.fromEntries(
    formatNames.map((name) => [`As ${name}`, { ...request(name), ...shown(name) }]),
  );

const negotiated = endpoint('GET', path, {
  summary: 'Get a record in the format that Accept prefers',
  description: `${formatNames.join(', ')}, by the weights of Accept; the first of equals. 406 lists the media types.`,
  query,
  responses: { 200: everyFormat, 406: notAcceptableSchema },
  responseHeaders: { 200: { ...vary, ...noSniff, ...contentSecurityPolicy }, 406: vary },
  examples: {
    ...examplesOf((name) => ({ headers: { Accept: formats[name].types[0] } })),
  },
  handle(request, reply) {
    addVary(reply, 'Accept');
    const chosen = negotiateType(request.headers.accept, offers);
    if (chosen === undefined) {
      const available = offers.flatMap(({ types }) => types);
      throw notAcceptable('Accept rejects all supported formats.', available);
    }
    return write(reply, chosen.offer.name, chosen.mediaType, request.query);
  },
});

const fixed = endpoint('GET', `${path}/:format`, {
  summary: 'Get a record in the format of the path',
  description:
    'The text has non-ASCII characters, and the title has characters that formats must quote.',
  params: { format: oneOf(formatNames) },
  query,
  responses: { 200: everyFormat },
  responseHeaders: { 200: { ...noSniff, ...contentSecurityPolicy } },
  examples: examplesOf((format) => ({ path: { format } })),
  handle(request, reply) {
    const { format } = request.params;
    return write(reply, format, formats[format].types[0], request.query);
  },
});

type Options = Static<TObject<typeof query>>;

function write(
  reply: Reply,
  format: FormatName,
  mediaType: string,
  { charset, bom, label }: Options,
) {
  if (bom && !hasMark(charset)) {
    rejectField('bom', `${charset} has no byte-order mark; only UTF-8 and UTF-16 have one.`);
  }
  const written = formats[format].write(recordIn(charset), charset);
  const isText = typeof written === 'string';
  if (bom && !isText) {
    rejectField('bom', `${format} is binary, so it has no byte-order mark.`);
  }
  reply
    .headers(isolatingHeaders)
    .type(isText && label ? `${mediaType}; charset=${charset}` : mediaType);
  return isText ? encodeText(written, charset, bom) : Buffer.from(written);
}

const reference = Type.String({ format: 'uri-reference' });

const problem = endpoint('GET', `${path}/problem`, {
  summary: 'Get an error as problem details',
  description:
    'RFC 9457, with two extension members. Its status is also the status of the response.',
  query: {
    status: Type.Integer({ minimum: 400, maximum: 599, default: 403 }),
  },
  responses: {
    403: {
      content: {
        'application/problem+json': {
          schema: Type.Object({
            type: reference,
            title: Type.String(),
            status: Type.Integer(),
            detail: Type.String(),
            instance: reference,
            balance: Type.Integer(),
            accounts: Type.Array(Type.String()),
          }),
        },
      },
    },
  },
  examples: { Forbidden: {}, 'A status that is no error': { query: { status: 200 } } },
  handle({ query: { status }, raw }, reply) {
    const prefix = prefixOf(raw);
    setStatus(reply, status, { location: prefix + path, allow: ['GET', 'HEAD'], size: 0 });
    const details = {
      type: `${prefix}${path}/problem`,
      title: 'You do not have enough credit.',
      status,
      detail: 'Your balance is 30, and this costs 50.',
      instance: originForm(sentTargetOf(raw)),
      balance: 30,
      accounts: ['/account/12345', '/account/67890'],
    };
    // Bytes, because the framework would add a charset to the type of text.
    return reply.type('application/problem+json').send(Buffer.from(JSON.stringify(details)));
  },
});
