/** The shapes that the routes of bins take and respond with. */

import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { plainTextPattern } from '../../base/text/text-patterns.js';
import { givenHeadersSchema } from '../../http/headers/settable-headers.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import { deliveryVerdictFields } from '../../kit/delivery-verdict.js';
import { type BinResponse, maxRequestsPerBin } from './bins.js';
import type { CapturedRequest } from './capture-request.js';

const nullableString = (options: object) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...options });

const nameSchema = nullableString({
  maxLength: 100,
  pattern: plainTextPattern,
  description: 'What the bin is for; for people only.',
});

/** As one type rather than a union, so that a fault inside is named where it is. */
const responseSchema = Type.Unsafe<BinResponse | null>({
  type: ['object', 'null'],
  description: 'The response to a capture; null for a short confirmation.',
  properties: {
    status: { type: 'integer', minimum: 200, maximum: 599, default: 200 },
    headers: { ...givenHeadersSchema, default: {} },
    body: { type: 'string', default: '', description: 'At most 64 KiB of UTF-8.' },
  },
  additionalProperties: false,
});

const binSettings = { name: Type.Optional(nameSchema), response: Type.Optional(responseSchema) };

/** A bin can be created without a body, too. */
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
  response: responseSchema,
};

export const binSchema = Type.Object(binFields, { title: 'Bin' });

/** One with a long body is written piece by piece. */
export const capturedRequestSchema = Type.Unsafe<CapturedRequest | Readable>(
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
      parseError: Type.Optional(
        Type.String({ description: 'Why the query could not be decoded.' }),
      ),
      headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
        description: 'In the order and the letter case they came in, repeated ones several times.',
      }),
      contentType: nullableString({}),
      bodySize: Type.Integer({ description: 'How many bytes were sent.' }),
      bodyTruncated: Type.Boolean({ description: 'Whether only the first 256 KiB were kept.' }),
      bodyEncoding: Type.Unsafe<CapturedRequest['bodyEncoding']>({
        type: 'string',
        enum: ['utf-8', 'base64', 'none'],
      }),
      body: nullableString({ description: 'Text, or base64 when it is not UTF-8.' }),
      ip: Type.String(),
      signature: Type.Optional(
        Type.Object(deliveryVerdictFields, {
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
      description: 'Holds the response until the next capture, at most this many seconds.',
    }),
  ),
  after: requestIdSchema(
    'Only captures later than the one of this id; one that exists already ends the wait.',
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
    'The id of the last event received: the stream continues after it.',
  ),
});

export const captureParamsSchema = Type.Object({ binId: binIdSchema });

/** The response to a capture when its bin has no `response` of its own. */
export const captureResponseSchema = Type.Object({
  received: Type.Boolean(),
  binId: Type.String(),
  requestId: Type.String(),
});

export const tooManyReadersSchema = Type.Object({
  ...errorSchema.properties,
  retryAfter: Type.Integer({ description: 'In seconds.' }),
});
