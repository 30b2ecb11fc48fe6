/** What the endpoints around JWTs accept and return. */

import { Type } from 'typebox';
import { errorSchema } from '../../../http/schemas/error-schema.js';
import { challenge } from '../../../http/schemas/header-schemas.js';
import { securedBy } from '../secured-by.js';
import { accessTokenSeconds } from './access-token.js';

const loginBodySchema = Type.Object({ username: Type.String(), password: Type.String() });

const refreshBodySchema = Type.Object({
  refreshToken: Type.String({ description: 'As login or the last refresh gave it.' }),
});

const userSchema = Type.Object({
  username: Type.String(),
  role: Type.String(),
  name: Type.String(),
});

const loginSchema = Type.Object(
  {
    accessToken: Type.String({ description: 'A JWT.' }),
    tokenType: Type.Literal('Bearer'),
    expiresIn: Type.Integer({ description: 'In seconds.' }),
    refreshToken: Type.String({ description: 'jrt_ and 40 hex digits; works once, for 7 days.' }),
    user: userSchema,
  },
  { title: 'Login' },
);

const meSchema = Type.Object({
  username: Type.String(),
  role: Type.String(),
  name: Type.String(),
  email: Type.String(),
  claims: Type.Array(Type.Object({ type: Type.String(), value: Type.String() }), {
    description: 'Every claim of the token.',
  }),
});

const adminSchema = Type.Object({ message: Type.String(), username: Type.String() });

const expiredSchema = Type.Object({
  accessToken: Type.String({ description: 'Signed correctly, but expired.' }),
  tokenType: Type.Literal('Bearer'),
  expiredAt: Type.String({ description: 'ISO 8601 in UTC.' }),
  message: Type.String(),
});

const rejections = { 400: errorSchema, 401: errorSchema };
const bodyRejections = { ...rejections, 413: errorSchema, 415: errorSchema };

export const logIn = {
  summary: 'Log in for an access token and a refresh token',
  description: `GET /api/auth shows who may log in under jwt. The access token expires after ${accessTokenSeconds} seconds.`,
  body: loginBodySchema,
  response: { 200: loginSchema, ...bodyRejections },
};

export const showMe = {
  summary: 'Get the user and the claims of an access token',
  description: 'The token is checked for its signature, its time, its issuer and its audience.',
  security: securedBy('jwt'),
  response: { 200: meSchema, ...rejections },
};

export const greetAdmin = {
  summary: 'Get what an admin may see',
  description: 'Another role gets 403.',
  security: securedBy('jwt'),
  response: { 200: adminSchema, ...rejections, 403: errorSchema },
  responseHeaders: { 403: challenge },
};

export const giveExpired = {
  summary: 'Get an access token that expired an hour ago',
  description: 'For testing what a client does with one.',
  response: { 200: expiredSchema, 400: errorSchema },
};

export const refresh = {
  summary: 'Exchange a refresh token for a new pair',
  description: 'Each works once. A second use revokes all tokens of that login.',
  body: refreshBodySchema,
  response: { 200: loginSchema, ...bodyRejections },
};

export const logOut = {
  summary: 'Revoke every refresh token of a login',
  description: 'Access tokens are not looked up anywhere, so they remain valid until they expire.',
  body: refreshBodySchema,
  response: { 204: Type.Null(), ...bodyRejections },
};
