/** What the cookies accept and return, and how they are described. */

import { type Static, Type } from 'typebox';
import { sameSiteValues } from '../../../http/cookies/set-cookie.js';
import { errorSchema } from '../../../http/schemas/error-schema.js';

const text = Type.String();

const sentCookieSchema = Type.Object({ name: text, value: text });
const cameFields = {
  cookies: Type.Array(sentCookieSchema, {
    description: 'In the order they came in, repeated ones several times; values are not decoded.',
  }),
  raw: Type.Array(text, { description: 'Each Cookie header as it came.' }),
};

const maxLength = 8192;

export const cookieSchema = Type.Object(
  {
    name: Type.String({ maxLength }),
    value: Type.Optional(Type.String({ maxLength, description: 'Empty without it.' })),
    path: Type.Optional(
      Type.String({ maxLength, description: 'The address of all these cookies without it.' }),
    ),
    domain: Type.Optional(Type.String({ maxLength })),
    maxAge: Type.Optional(Type.Integer({ description: 'In seconds.' })),
    expires: Type.Optional(
      Type.String({ description: 'A date in ISO 8601, or as HTTP writes it.' }),
    ),
    secure: Type.Optional(Type.Boolean()),
    httpOnly: Type.Optional(Type.Boolean()),
    sameSite: Type.Optional(
      Type.Unsafe<(typeof sameSiteValues)[number]>({ type: 'string', enum: [...sameSiteValues] }),
    ),
    partitioned: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, title: 'CookieToSet' },
);

export type GivenCookie = Static<typeof cookieSchema>;

const outcomeFields = {
  name: text,
  value: text,
  setCookie: Type.String({ description: 'The header as it was sent.' }),
  warnings: Type.Array(text, { description: 'Why a client must drop it, or change it.' }),
};
const outcomeSchema = Type.Object(outcomeFields, { title: 'CookieOutcome' });

const setCookie = { 'Set-Cookie': Type.String({ description: 'One header for each cookie.' }) };

export const show = {
  summary: 'Show the cookies that came',
  response: { 200: Type.Object(cameFields) },
};

export const setOne = {
  summary: 'Set a cookie with any attributes',
  description:
    'Also one that breaks the rules of its prefix or of SameSite=None; warnings say so then.',
  body: cookieSchema,
  response: { 200: outcomeSchema, 400: errorSchema, 413: errorSchema, 415: errorSchema },
  responseHeaders: { 200: setCookie },
};

export const setSeveral = {
  summary: 'Set a cookie for each query parameter',
  description: 'At most 20, for the addresses of these cookies.',
  described: {
    querystring: {
      parameters: Type.Optional(
        Type.Unsafe<object>({
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'Names and values of cookies.',
        }),
      ),
    },
  },
  response: { 200: Type.Object({ cookies: Type.Array(outcomeSchema) }), 400: errorSchema },
  responseHeaders: { 200: setCookie },
};

export const remove = {
  summary: 'Delete a cookie',
  description: 'By setting it once more, with an end in the past.',
  params: Type.Object({ name: Type.String({ maxLength, description: 'The name of the cookie.' }) }),
  querystring: Type.Object({
    path: Type.Optional(Type.String({ description: 'The path that it was set with.' })),
    domain: Type.Optional(Type.String({ description: 'The domain that it was set with.' })),
  }),
  response: { 200: outcomeSchema, 400: errorSchema },
  responseHeaders: { 200: setCookie },
};

export const listMalformed = {
  summary: 'List cookies that parsers stumble over',
  response: {
    200: Type.Object({
      kinds: Type.Array(Type.Object({ kind: text, about: text, url: text })),
      ...cameFields,
    }),
  },
};

export const malformed = {
  summary: 'Set cookies that parsers stumble over',
  description: 'Ask again to see what your client has made of them: it comes back to this address.',
  params: Type.Object({ kind: Type.String({ description: 'Such as quoted-semicolon.' }) }),
  response: {
    200: Type.Object({
      kind: text,
      about: text,
      setCookie: Type.Array(text, { description: 'The headers as they were sent.' }),
      keeps: Type.Array(sentCookieSchema, {
        description: 'What a client by RFC 6265bis sends to this address from then on.',
      }),
      ...cameFields,
    }),
    404: errorSchema,
  },
  responseHeaders: { 200: setCookie },
};

export const deepPath = {
  summary: 'Show the cookies that came to a deep path',
  response: {
    200: Type.Object({
      path: text,
      matching: Type.Array(text, { description: 'Every Path whose cookies come here.' }),
      ...cameFields,
    }),
  },
};

const idParams = Type.Object({ id: Type.String({ description: 'The id of the exercise.' }) });
const ownOnly = { 403: errorSchema, 404: errorSchema };

export const startJar = {
  summary: 'Start an exercise for a cookie jar',
  description:
    'In a sandbox of your own. It sets a dozen cookies; visit the steps in their order with the same jar, and the verdict afterwards.',
  response: {
    201: Type.Object({ id: text, steps: Type.Array(text), verdict: text }),
    403: errorSchema,
  },
  responseHeaders: { 201: { Location: text, ...setCookie } },
};

const nullableBoolean = Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] });

export const judge = {
  summary: 'Report whether each cookie came where it should',
  params: idParams,
  response: {
    200: Type.Object({
      id: text,
      isComplete: Type.Boolean({ description: 'Whether all steps were visited.' }),
      isRight: nullableBoolean,
      next: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'The next step.' }),
      cookies: Type.Array(
        Type.Object({
          name: text,
          rule: text,
          specification: text,
          isRight: nullableBoolean,
          visits: Type.Array(
            Type.Object({
              step: text,
              expected: Type.Unsafe<'comes' | 'stays away'>({
                type: 'string',
                enum: ['comes', 'stays away'],
              }),
              came: Type.Unsafe<readonly string[] | null>({
                type: ['array', 'null'],
                items: { type: 'string' },
                description: 'The values that it came with.',
              }),
              isRight: nullableBoolean,
            }),
          ),
        }),
      ),
    }),
    ...ownOnly,
  },
};

export const visit = {
  summary: 'Take a step of the exercise',
  params: idParams,
  response: {
    200: Type.Object({
      step: text,
      came: Type.Array(sentCookieSchema),
      next: Type.String({ description: 'The next step, or the verdict.' }),
    }),
    ...ownOnly,
    409: errorSchema,
  },
  responseHeaders: { 200: { 'Set-Cookie': Type.Optional(text) } },
};
