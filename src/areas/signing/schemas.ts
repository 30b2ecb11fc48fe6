/** The shapes that the routes of samples and signatures take and respond with. */

import { Type } from 'typebox';
import { deliveryVerdictFields } from '../../kit/delivery-verdict.js';
import { schemeNames, tamperings } from './sign-delivery.js';
import { faultyParts } from './verify-delivery.js';

/** As an enum rather than a union of constants, so that a fault lists what may be there. */
const oneOf = <const Values extends readonly string[]>(values: Values, options: object = {}) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: values, ...options });

const verdictFields = {
  ...deliveryVerdictFields,
  provider: oneOf(schemeNames),
  part: Type.Optional(oneOf(faultyParts, { description: 'What is wrong.' })),
};

export const verdictSchema = Type.Object(verdictFields, { title: 'Verdict' });

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
      description: 'Changes this part after signing, so that the delivery must be rejected.',
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
