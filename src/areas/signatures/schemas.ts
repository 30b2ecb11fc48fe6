/** What the routes of signed messages accept and return. */

import { Type } from 'typebox';
import type { Reply } from '../../http/exchange.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import { challenge } from '../../http/schemas/header-schemas.js';
import { anyBody } from '../../kit/describe/any-body.js';
import type { PublishedKey } from './rfc-keys.js';

const text = Type.String();
const orNull = (description: string) => Type.Union([text, Type.Null()], { description });

const base = Type.Array(text, { description: 'Line by line, as it was computed here.' });
const differs = Type.Union(
  [
    Type.Object({
      part: Type.String({ description: 'A component, a parameter or a field.' }),
      message: text,
    }),
    Type.Null(),
  ],
  { title: 'SignatureDifference', description: 'Where the signature is of something else.' },
);

const acceptedSchema = Type.Object({
  authenticated: Type.Literal(true),
  scheme: Type.Literal('http-message-signatures'),
  label: text,
  keyid: text,
  algorithm: text,
  signatureBase: base,
});

export const judgedSchema = Type.Object({
  verified: Type.Boolean(),
  label: orNull('The signature that this is about: the first that is wrong, or the first.'),
  keyid: orNull('The key it names.'),
  algorithm: orNull('What that key is for.'),
  signatureBase: base,
  differs,
});

const headers = {
  'Signature-Input': Type.Optional(Type.String({ description: 'RFC 9421 section 4.1.' })),
  Signature: Type.Optional(Type.String({ description: 'RFC 9421 section 4.2.' })),
  'Content-Digest': Type.Optional(Type.String({ description: 'RFC 9530, of the body.' })),
  'Accept-Signature': Type.Optional(
    Type.String({ description: 'How to sign the response, such as sig=("@status");created.' }),
  ),
};

const guarded = {
  summary: 'Send a request signed by RFC 9421',
  description:
    'Covers @method, @target-uri (or @authority with @request-target or with @path and @query) and, with a body, content-digest. created is at most 300 s from ours, a nonce can be used once, a tag is practice-api. Signs its response as Accept-Signature asks.',
  security: [{ messageSignature: [] }],
  response: {
    200: {
      description: 'The signature is right.',
      content: {
        'application/json': { schema: Type.Unsafe<Reply>(acceptedSchema) },
      },
    },
    400: errorSchema,
    401: Type.Object({
      ...errorSchema.properties,
      label: Type.Optional(text),
      signatureBase: Type.Optional(base),
      differs: Type.Optional(differs),
    }),
  },
  responseHeaders: {
    200: {
      'Signature-Input': Type.Optional(text),
      Signature: Type.Optional(text),
      'Content-Digest': Type.Optional(text),
    },
    401: { ...challenge, 'Accept-Signature': text },
  },
};

export const guardGet = { ...guarded, described: { headers } };

export const guardPost = {
  ...guarded,
  summary: 'Send a signed request with a body',
  described: { headers, ...anyBody },
  response: { ...guarded.response, 413: errorSchema },
};

export const listKeys = {
  summary: 'Get the keys of signatures, private halves included',
  description: 'Those of RFC 9421 appendix B.1, which everybody knows.',
  response: {
    200: Type.Object({
      keys: Type.Array(
        Type.Object({
          keyid: text,
          alg: Type.String({ description: 'The algorithm that it is for, and no other.' }),
          jwk: Type.Unsafe<PublishedKey['jwk']>({
            type: 'object',
            additionalProperties: { type: 'string' },
            description: 'RFC 7517.',
          }),
        }),
      ),
    }),
  },
};

export const verify = {
  summary: 'Verify a message, and find where its signature differs',
  description:
    'A request or a response as text, with the keys of RFC 9421 appendix B.1. Age alone fails nothing.',
  querystring: Type.Object({
    scheme: Type.Union([Type.Literal('https'), Type.Literal('http')], {
      default: 'https',
      description: 'What the request came by.',
    }),
  }),
  described: { body: { 'message/http': Type.String() } },
  response: { 200: judgedSchema, 400: errorSchema, 413: errorSchema, 415: errorSchema },
};
