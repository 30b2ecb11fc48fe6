/** Login for a JWT, endpoints that require one, and refresh tokens that rotate. */

import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import { unixSeconds } from '#base/whole-seconds.js';
import { bearerChallenge, invalidToken, unauthorized } from '#http/credentials/challenge.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import { challenge } from '#http/schemas/header-schemas.js';
import { endpoint } from '#kit/endpoint.js';
import { insufficientScope } from '../bearer-token.js';
import { accessTokenSeconds, claimNames } from './access-token.js';
import type { JwtIssuer } from './issuer.js';
import { type Rotation, refreshFamilies, revoke, rotate, startFamily } from './refresh-family.js';
import type { JwtUser } from './users.js';

const path = '/api/auth/jwt';

const rejections = { 401: errorSchema };

const tokensSchema = Type.Object(
  {
    accessToken: Type.String({ description: '' }),
    tokenType: Type.Literal('Bearer'),
    expiresIn: Type.Integer({ description: 'In seconds.' }),
    refreshToken: Type.String({ description: 'jrt_ and 40 hex digits; works once, for 7 days.' }),
    user: Type.Object({ username: Type.String(), role: Type.String(), name: Type.String() }),
  },
  { title: 'Login' },
);

const refreshBody = Type.Object({
  refreshToken: Type.String({ description: 'From the login or the last refresh.' }),
});

export const logIn = (issuer: JwtIssuer) =>
  endpoint('POST', `${path}/login`, {
    summary: 'Log in and get an access token and a refresh token',
    description: `GET /api/auth shows the users under jwt. The access token expires after ${accessTokenSeconds} seconds.`,
    body: Type.Object({ username: Type.String(), password: Type.String() }),
    responses: { 200: tokensSchema, ...rejections },
    async handle(request) {
      const user = issuer.userOf(request.body);
      if (user === undefined) {
        throw unauthorized('The user name or the password is wrong.', bearerChallenge);
      }
      const family = randomBytes(8).toString('hex');
      await request.sandbox.update(refreshFamilies, family, (_none, nowMs) =>
        startFamily(user.username, nowMs),
      );
      return issuer.tokens(request, user, { family, sequence: 1 });
    },
  });

export const showMe = (issuer: JwtIssuer) =>
  endpoint('GET', `${path}/me`, {
    summary: 'Get the user and the claims of an access token',
    description: "Checks the token's signature, validity period, issuer and audience.",
    security: [{ jwt: [] }],
    responses: {
      200: Type.Object({
        username: Type.String(),
        role: Type.String(),
        name: Type.String(),
        email: Type.String(),
        claims: Type.Array(Type.Object({ type: Type.String(), value: Type.String() }), {
          description: 'All claims of the token.',
        }),
      }),
      ...rejections,
    },
    async handle(request) {
      const { user, claims } = await issuer.identify(request);
      const { username, role, name, email } = user;
      const listed = Object.entries(claims).map(([type, value]) => ({
        type,
        value: String(value),
      }));
      return { username, role, name, email, claims: listed };
    },
  });

export const greetAdmin = (issuer: JwtIssuer) =>
  endpoint('GET', `${path}/admin`, {
    summary: 'Get a resource for admins',
    description: 'Other roles get 403.',
    security: [{ jwt: [] }],
    responses: {
      200: Type.Object({ message: Type.String(), username: Type.String() }),
      ...rejections,
      403: errorSchema,
    },
    responseHeaders: { 403: challenge },
    async handle(request) {
      const { user, claims } = await issuer.identify(request);
      const role = claims[claimNames.role];
      if (role !== 'admin') {
        throw insufficientScope(
          `This endpoint requires the role admin; the token has the role ${role}`,
        );
      }
      return { message: `Welcome, ${user.name}.`, username: user.username };
    },
  });

const expiredSecondsAgo = 3600;

export const giveExpired = (issuer: JwtIssuer, user: JwtUser) =>
  endpoint('GET', `${path}/expired`, {
    summary: 'Get an access token that expired an hour ago',
    description: 'For testing how a client handles one.',
    responses: {
      200: Type.Object({
        accessToken: Type.String({ description: 'Signed correctly, but expired.' }),
        tokenType: Type.Literal('Bearer'),
        expiredAt: Type.String({ description: 'ISO 8601 in UTC.' }),
        message: Type.String(),
      }),
    },
    async handle(request) {
      const expiredAt = unixSeconds(await request.sandbox.now()) - expiredSecondsAgo;
      return {
        accessToken: await issuer.accessToken(request, user, expiredAt - accessTokenSeconds),
        tokenType: 'Bearer',
        expiredAt: new Date(expiredAt * 1000).toISOString(),
        message:
          'The signature is valid, but the token has expired: GET /api/auth/jwt/me rejects it.',
      };
    },
  });

export const refresh = (issuer: JwtIssuer) =>
  endpoint('POST', `${path}/refresh`, {
    summary: 'Exchange a refresh token for a new pair of tokens',
    description: 'Each works once. A second use revokes all refresh tokens of that login.',
    body: refreshBody,
    responses: { 200: tokensSchema, ...rejections },
    async handle(request) {
      const { family, sequence } = issuer.readRefreshToken(request.body.refreshToken);
      const rotation = await request.sandbox.update(refreshFamilies, family, (current, nowMs) =>
        rotate(current, sequence, nowMs),
      );
      if (rotation.kind !== 'rotated') throw invalidToken(whyRejected(rotation));
      const user = issuer.userNamed(rotation.username);
      if (user === undefined) throw invalidToken('The user of this login no longer exists');
      return issuer.tokens(request, user, { family, sequence: rotation.sequence });
    },
  });

export const logOut = (issuer: JwtIssuer) =>
  endpoint('POST', `${path}/logout`, {
    summary: 'Revoke every refresh token of a login',
    description: 'Access tokens are not stored, so they remain valid until they expire.',
    body: refreshBody,
    responses: { 204: Type.Null(), ...rejections },
    async handle(request, reply) {
      const { family } = issuer.readRefreshToken(request.body.refreshToken);
      await request.sandbox.update(refreshFamilies, family, revoke);
      return reply.code(204).send();
    },
  });

function whyRejected(rotation: Exclude<Rotation, { readonly kind: 'rotated' }>): string {
  if (rotation.kind === 'reused') {
    return 'The refresh token was already used, so all refresh tokens of that login are now revoked; log in again';
  }
  if (rotation.kind === 'ended') {
    return 'The login of this refresh token has expired after 7 days, was evicted, or belongs to another sandbox; log in again';
  }
  const what = rotation.because === 'logout' ? 'logout' : 'a second use of one of them';
  return `The refresh tokens of this login were revoked by ${what} at '${new Date(rotation.atMs).toISOString()}'; log in again`;
}
