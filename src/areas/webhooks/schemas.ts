/** The shapes that the webhook routes take and answer with. */

import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { errorSchema } from '../../server/error-schema.js';
import { type BinReply, maxRequestsPerBin } from './bins.js';
import type { CapturedRequest } from './capture-request.js';
import { schemeNames, tamperings } from './sign-delivery.js';
import { faultyParts } from './verify-delivery.js';

const nullableString = (options: object) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...options });

/** As an enum rather than a union of constants, so that a fault lists what may be there. */
const oneOf = <const Values extends readonly string[]>(values: Values, options: object = {}) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: values, ...options });

const nameSchema = nullableString({
  maxLength: 100,
  description: 'What the bin is for; for people only.',
});

/** As one type rather than a union, so that a fault inside is named where it is. */
const replySchema = Type.Unsafe<BinReply | null>({
  type: ['object', 'null'],
  description: 'What a capture is answered with; null for a short confirmation.',
  properties: {
    status: { type: 'integer', minimum: 200, maximum: 599, default: 200 },
    headers: { type: 'object', additionalProperties: { type: 'string' }, default: {} },
    body: { type: 'string', default: '', description: 'At most 64 KiB of UTF-8.' },
  },
  additionalProperties: false,
});

const binSettings = { name: Type.Optional(nameSchema), response: Type.Optional(replySchema) };

/** Creating a bin takes no body at all, too. */
export const createBinSchema = Type.Object(binSettings, {
  additionalProperties: false,
  default: {},
});

export const changeBinSchema = Type.Object(binSettings, { additionalProperties: false });

const binFields = {
  id: Type.String({ description: '22 random characters; whoever knows them can use the bin.' }),
  name: nullableString({}),
  createdAt: Type.String({ description: 'ISO 8601 in UTC.' }),
  url: Type.String({ description: 'Captures every request sent to it or below it.' }),
  inspectUrl: Type.String({ description: 'A page that shows the captures as they come.' }),
  requestCount: Type.Integer({
    description: `How many captures it holds, ${maxRequestsPerBin} at most.`,
  }),
  response: replySchema,
};

export const binSchema = Type.Object(binFields, { title: 'Bin' });

const verdictFields = {
  provider: oneOf(schemeNames),
  verified: Type.Boolean(),
  part: Type.Optional(oneOf(faultyParts, { description: 'What is wrong.' })),
  message: Type.String(),
};

export const verdictSchema = Type.Object(verdictFields, { title: 'Verdict' });

export const capturedRequestSchema = Type.Unsafe<CapturedRequest>(
  Type.Object(
    {
      id: Type.String({ description: 'Grows from capture to capture of a bin.' }),
      receivedAt: Type.String({ description: 'ISO 8601 in UTC.' }),
      method: Type.String(),
      path: Type.String({ description: 'As sent, without the query.' }),
      subPath: Type.String({ description: "What followed the bin's id in the path, as sent." }),
      query: Type.Unsafe<object>({
        type: 'object',
        additionalProperties: true,
        description: 'The query parameters, decoded; repeated ones are arrays.',
      }),
      queryString: Type.String({ description: 'The query as sent, without the question mark.' }),
      headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
        description: 'In the order and the letter case they came in, repeated ones several times.',
      }),
      contentType: nullableString({}),
      bodySize: Type.Integer({ description: 'How many bytes were sent.' }),
      bodyTruncated: Type.Boolean({ description: 'Whether only the first 256 KiB were kept.' }),
      bodyEncoding: oneOf(['utf-8', 'base64', 'none']),
      body: nullableString({ description: 'Text, or base64 when it is not UTF-8.' }),
      ip: Type.String(),
      signature: Type.Optional(
        Type.Object(verdictFields, {
          description:
            "Present when a known provider's signature header was: whether it fits the samples' secret.",
        }),
      ),
    },
    { title: 'CapturedRequest' },
  ),
);

const captureListSchema = Type.Array(capturedRequestSchema);

/** Written piece by piece. */
export const capturedRequestsSchema = Type.Unsafe<Readable>(captureListSchema);

/** Written piece by piece. */
export const binWithRequestsSchema = Type.Unsafe<Readable>(
  Type.Object({ ...binFields, requests: captureListSchema }),
);

const binIdSchema = Type.String({ description: 'The id of the bin.' });

export const binParamsSchema = Type.Object({ id: binIdSchema });
export const requestParamsSchema = Type.Object({
  id: binIdSchema,
  requestId: Type.String({ description: 'The id of the captured request.' }),
});

const requestIdSchema = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 999_999_999_999_999, description }));

/** Longer waits would meet the idle timeouts of proxies. */
export const maxWaitSeconds = 60;

export const listRequestsQuerySchema = Type.Object({
  wait: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: maxWaitSeconds,
      description: 'Holds the answer until the next capture, at most this many seconds.',
    }),
  ),
  after: requestIdSchema(
    'Only captures later than the one of this id; one that is there already ends a wait.',
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxRequestsPerBin,
      description: 'How many at most; all that are kept without it.',
    }),
  ),
});

export const streamQuerySchema = Type.Object({
  lastEventId: requestIdSchema('As the header Last-Event-ID, for clients that cannot set it.'),
});

export const streamHeadersSchema = Type.Object({
  'last-event-id': requestIdSchema(
    'The id of the last event received: the stream goes on behind it.',
  ),
});

export const captureParamsSchema = Type.Object({ binId: binIdSchema });

/** What a capture is answered with when its bin has no `response` of its own. */
export const captureAnswerSchema = Type.Object({
  received: Type.Boolean(),
  binId: Type.String(),
  requestId: Type.String(),
});

export const tooManyReadersSchema = Type.Object({
  ...errorSchema.properties,
  retryAfter: Type.Integer({ description: 'In seconds.' }),
});

/** Bytes that are sent as they are. */
export const bytesOf = (mediaType: string, description?: string) => ({
  ...(description !== undefined && { description }),
  content: { [mediaType]: { schema: Type.Unsafe<Buffer | Readable>({}) } },
});

export const sampleListSchema = Type.Object({
  signingSecret: Type.String(),
  note: Type.String(),
  samples: Type.Array(
    Type.Object({
      provider: Type.String(),
      eventType: Type.String(),
      signatureHeader: Type.String(),
      url: Type.String(),
    }),
  ),
});

export const providerParamsSchema = Type.Object({
  provider: Type.String({ description: 'Such as stripe, in any letter case.' }),
});

/** The last second of the year 9999. */
const maxUnixSeconds = 253402300799;

const unixSecondsSchema = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: maxUnixSeconds, description }));

const signingOptions = {
  timestamp: unixSecondsSchema('Signs for this Unix time instead of now.'),
  tamper: Type.Optional(
    oneOf(tamperings, {
      description: 'Changes this part after signing, so that the delivery must be refused.',
    }),
  ),
};

export const sampleQuerySchema = Type.Object({
  ...signingOptions,
  format: Type.Optional(
    oneOf(['raw', 'envelope'], {
      description:
        'raw, the default, is the delivery itself; envelope is one JSON object about it.',
    }),
  ),
});

export const signQuerySchema = Type.Object(signingOptions);

export const signHeadersSchema = Type.Object({
  'x-signing-secret': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: "Signs or verifies with this secret instead of the samples' one.",
    }),
  ),
});

export const envelopeSchema = Type.Object(
  {
    provider: Type.String(),
    eventType: Type.String(),
    secret: Type.String(),
    headers: Type.Unsafe<object>({ type: 'object', additionalProperties: { type: 'string' } }),
    body: Type.String({ description: 'The exact body that was signed, as text.' }),
    bodyEncoding: Type.Optional(
      Type.Literal('base64', { description: 'Present when the body is not UTF-8 and so base64.' }),
    ),
    verification: Type.String({ description: 'How to verify it, in words.' }),
  },
  { title: 'SignedDelivery' },
);

/** A delivery itself, or all about it. */
export const sampleSchema = {
  description: 'The exact body of the delivery, or with ?format=envelope all of it.',
  content: {
    'application/json': {
      schema: Type.Unsafe<Buffer>({
        anyOf: [envelopeSchema, { type: 'object', description: 'As the provider would send it.' }],
      }),
    },
  },
};

export const verifyQuerySchema = Type.Object({
  at: unixSecondsSchema('Judges the time of the delivery as of this Unix time instead of now.'),
});
