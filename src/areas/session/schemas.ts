/** What the routes of sessions accept and return. */

import { type Static, type TSchema, Type } from 'typebox';
import type { Reply } from '../../http/exchange.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import {
  challenge,
  contentSecurityPolicy,
  optional,
  retryAfter,
  vary,
} from '../../http/schemas/header-schemas.js';
import { formType } from './form-body.js';

const text = Type.String();
const shortText = Type.String({ maxLength: 200 });
const time = Type.String({ description: 'ISO 8601 in UTC.' });
const csrf = Type.Optional(
  Type.String({ maxLength: 200, description: 'Of GET /api/auth/session/csrf; for forms alone.' }),
);

export const sessionSchema = Type.Object(
  {
    authenticated: Type.Literal(true),
    username: text,
    roles: Type.Array(text),
    amr: Type.Array(text, { description: 'How the user logged in (RFC 8176): pwd, otp, rec.' }),
    remembered: Type.Boolean(),
    startedAt: time,
    endsUnlessUsedAt: time,
    endsAt: time,
  },
  { title: 'Session' },
);

const halfSchema = Type.Object(
  {
    authenticated: Type.Literal(false),
    nextStep: Type.Literal('totp'),
    username: text,
    totpSecret: Type.String({ description: 'In base32, for any authenticator app.' }),
    endsAt: time,
  },
  { title: 'HalfSession' },
);

const nobodySchema = Type.Object({
  authenticated: Type.Literal(false),
  nextStep: Type.Literal('login'),
});

const stateSchema = Type.Union([sessionSchema, halfSchema, nobodySchema]);
const begunSchema = Type.Union([sessionSchema, halfSchema]);

type Answer<Schema extends TSchema> = Static<Schema> | Reply;

const setCookie = {
  'Set-Cookie': Type.Optional(
    Type.String({
      description: 'session: HttpOnly, SameSite=Lax; __Host-session and Secure over TLS.',
    }),
  ),
};
const rejections = { 400: errorSchema, 403: errorSchema, 413: errorSchema, 415: errorSchema };
const guessed = { ...rejections, 401: errorSchema, 429: errorSchema };
const redirect = Type.Null({ description: 'For a form of a browser: back to the page.' });
const seeOther = { ...setCookie, Location: text };
const guessHeaders = {
  200: setCookie,
  303: seeOther,
  401: { ...challenge, ...setCookie },
  429: retryAfter,
};
const form = { body: { [formType]: Type.Unsafe<object>({ type: 'object' }) } };

export const showPage = {
  summary: 'Get whose session it is, or a page for browsers',
  description: 'A browser is shown a page to log in and out; it works without scripts.',
  response: {
    200: {
      description: 'The session, or what comes next.',
      content: {
        'application/json': { schema: Type.Unsafe<Answer<typeof stateSchema>>(stateSchema) },
        'text/html': { schema: Type.Unsafe<Reply>({ type: 'string' }) },
      },
    },
    400: errorSchema,
  },
  responseHeaders: {
    200: {
      ...vary,
      ...setCookie,
      ...optional({
        ...contentSecurityPolicy,
        'X-Frame-Options': text,
        'Referrer-Policy': text,
        'X-Content-Type-Options': text,
      }),
    },
  },
};

export const logIn = {
  summary: 'Log in with a user name and a password',
  description:
    'By JSON, or by a form that has its CSRF token. Sets a cookie with a new id. alan needs a code after it. Five wrong passwords of a user make everybody wait a minute.',
  body: Type.Object({
    username: shortText,
    password: shortText,
    remember: Type.Optional(Type.Boolean({ description: '30 days, however seldom it is used.' })),
    csrf,
  }),
  described: form,
  response: {
    200: Type.Unsafe<Answer<typeof begunSchema>>(begunSchema),
    303: redirect,
    ...guessed,
  },
  responseHeaders: guessHeaders,
};

const code = Type.Object({ code: shortText, csrf });

export const sendCode = {
  summary: 'Send the code of an authenticator app',
  description: 'RFC 6238. A code can be used once.',
  body: code,
  described: form,
  response: {
    200: Type.Unsafe<Answer<typeof begunSchema>>(begunSchema),
    303: redirect,
    ...guessed,
  },
  responseHeaders: guessHeaders,
};

export const sendRecoveryCode = {
  ...sendCode,
  summary: 'Send a recovery code',
  description: 'Each can be used once in a sandbox; GET /api/auth lists them.',
};

export const me = {
  summary: 'Get who is logged in',
  security: [{ session: [] }],
  response: { 200: sessionSchema, 400: errorSchema, 401: errorSchema },
  responseHeaders: { 401: challenge },
};

export const giveToken = {
  summary: 'Get a CSRF token for the forms of this session',
  description:
    'As the field csrf or as X-CSRF-Token. It is valid for half an hour, in this browser and session only: another login needs another.',
  response: { 200: Type.Object({ csrfToken: text }), 400: errorSchema },
  responseHeaders: {
    200: { 'Set-Cookie': Type.Optional(Type.String({ description: 'session-form.' })) },
  },
};

const ended = Type.Null({ description: 'Logged out.' });

export const logOut = {
  summary: 'Log out',
  description: 'Without a session, too. The body may be left out.',
  body: Type.Object({ csrf }, { default: {} }),
  described: form,
  response: { 204: ended, 303: redirect, ...rejections },
  responseHeaders: { 204: setCookie, 303: seeOther },
};

export const logOutEverywhere = {
  ...logOut,
  summary: 'Log out of all sessions of this user',
  description: 'In this sandbox. The body may be left out.',
  response: { 204: ended, 303: redirect, ...rejections, 401: errorSchema },
  responseHeaders: { ...logOut.responseHeaders, 401: challenge },
};
