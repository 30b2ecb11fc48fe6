/** Login for a JWT, endpoints that want one, and refresh tokens that rotate. */

import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { valuesIn } from '../../../config/setting.js';
import { lazily } from '../../../lazily.js';
import type { App, Services } from '../../../server/area.js';
import { errorSchema } from '../../../server/error-schema.js';
import { challenge } from '../../../server/header-schemas.js';
import { singleHeader } from '../../../server/header-values.js';
import { bearerChallenge, insufficientScope, invalidToken } from '../bearer-errors.js';
import { unauthorized } from '../challenge.js';
import { isFault } from '../fault.js';
import type { KeyedMac } from '../keyed-mac.js';
import { readBearerToken } from '../read-bearer-token.js';
import { securedBy } from '../secured-by.js';
import {
  accessTokenSeconds,
  claimNames,
  importKey,
  issueAccessToken,
  verifyAccessToken,
} from './access-token.js';
import { type Rotation, refreshFamilies, revoke, rotate, startFamily } from './refresh-family.js';
import { formatRefreshToken, parseRefreshToken } from './refresh-token.js';
import { rememberVerified } from './remember-verified.js';
import { jwtSettings } from './settings.js';
import { findUser, type JwtUser, jwtUsers } from './users.js';

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
  accessToken: Type.String({ description: 'Rightly signed, and of no use any more.' }),
  tokenType: Type.Literal('Bearer'),
  expiredAt: Type.String({ description: 'ISO 8601 in UTC.' }),
  message: Type.String(),
});

const refusals = { 400: errorSchema, 401: errorSchema };
const bodyRefusals = { ...refusals, 413: errorSchema, 415: errorSchema };

/** How long ago the sample of an expired token expired. */
const expiredSecondsAgo = 3600;

export async function addJwtRoutes(app: App, services: Services, mac: KeyedMac): Promise<void> {
  const { config, sandboxOf, baseUrlOf } = services;
  const keyBytes = await services.signingKey('jwt', valuesIn(config, jwtSettings).jwtKey);
  const users = jwtUsers(config);
  const ordinaryUser = users.find(({ role }) => role === 'user') as JwtUser;
  // WebCrypto loads when it is first used, which takes a tenth of a start.
  const key = lazily(() => importKey(keyBytes));

  const verify = rememberVerified((token, baseUrl, nowMs) =>
    key().then((known) => verifyAccessToken(known, token, baseUrl, nowMs)),
  );

  /** The user and the claims of a request's token. */
  async function identify(request: FastifyRequest) {
    const token = readBearerToken(singleHeader(request, 'authorization'));
    const nowMs = await sandboxOf(request).now();
    const claims = await verify(token, baseUrlOf(request), nowMs);
    if (isFault(claims)) throw invalidToken(claims.fault);
    const username = claims[claimNames.nameIdentifier];
    const user = users.find((each) => each.username === username);
    // A configured key outlives the settings: its tokens can name users that are no more.
    if (user === undefined) throw invalidToken('The token names a user that does not exist');
    return { user, claims };
  }

  async function tokensFor(
    request: FastifyRequest,
    { username, role, name, email }: JwtUser,
    refreshToken: string,
  ) {
    const nowMs = await sandboxOf(request).now();
    const subject = { username, role, email };
    return {
      accessToken: await issueAccessToken(await key(), subject, baseUrlOf(request), seconds(nowMs)),
      tokenType: 'Bearer',
      expiresIn: accessTokenSeconds,
      refreshToken,
      user: { username, role, name },
    } as const;
  }

  app.post(
    '/api/auth/jwt/login',
    {
      schema: {
        summary: 'Logs in for an access token and a refresh token',
        description: `Who may log in stands under jwt in GET /api/auth. The access token lasts ${accessTokenSeconds} seconds.`,
        body: loginBodySchema,
        response: { 200: loginSchema, ...bodyRefusals },
      },
    },
    async (request) => {
      const user = findUser(users, request.body);
      if (user === undefined) {
        throw unauthorized('The user name or the password is wrong.', bearerChallenge);
      }
      const family = randomBytes(8).toString('hex');
      await sandboxOf(request).update(refreshFamilies, family, (_none, nowMs) =>
        startFamily(user.username, nowMs),
      );
      return tokensFor(request, user, formatRefreshToken(mac, { family, sequence: 1 }));
    },
  );

  app.get(
    '/api/auth/jwt/me',
    {
      schema: {
        summary: 'Whom an access token is about, and its claims',
        description:
          'The token is checked for its signature, its time, its issuer and its audience.',
        security: securedBy('jwt'),
        response: { 200: meSchema, ...refusals },
      },
    },
    async (request) => {
      const { user, claims } = await identify(request);
      const { username, role, name, email } = user;
      return {
        username,
        role,
        name,
        email,
        claims: Object.entries(claims).map(([type, value]) => ({ type, value: String(value) })),
      };
    },
  );

  app.get(
    '/api/auth/jwt/admin',
    {
      schema: {
        summary: 'For access tokens of an admin',
        description: 'Another role gets 403.',
        security: securedBy('jwt'),
        response: { 200: adminSchema, ...refusals, 403: errorSchema },
        responseHeaders: { 403: challenge },
      },
    },
    async (request) => {
      const { user, claims } = await identify(request);
      const role = claims[claimNames.role];
      if (role !== 'admin') {
        throw insufficientScope(`This needs the role admin; the token has the role ${role}`);
      }
      return { message: `Welcome, ${user.name}.`, username: user.username };
    },
  );

  app.get(
    '/api/auth/jwt/expired',
    {
      schema: {
        summary: 'An access token that expired an hour ago',
        description: 'For tests of what a client does with one.',
        response: { 200: expiredSchema, 400: errorSchema },
      },
    },
    async (request) => {
      const expiredAt = seconds(await sandboxOf(request).now()) - expiredSecondsAgo;
      const notBefore = expiredAt - accessTokenSeconds;
      const { username, role, email } = ordinaryUser;
      const subject = { username, role, email };
      return {
        accessToken: await issueAccessToken(await key(), subject, baseUrlOf(request), notBefore),
        tokenType: 'Bearer',
        expiredAt: new Date(expiredAt * 1000).toISOString(),
        message:
          'The signature is right and the time is over: GET /api/auth/jwt/me refuses this token.',
      } as const;
    },
  );

  app.post(
    '/api/auth/jwt/refresh',
    {
      schema: {
        summary: 'Exchanges a refresh token for a new pair',
        description: 'Each works once. A second use revokes all tokens of that login.',
        body: refreshBodySchema,
        response: { 200: loginSchema, ...bodyRefusals },
      },
    },
    async (request) => {
      const { family, sequence } = readRefreshToken(mac, request.body.refreshToken);
      const rotation = await sandboxOf(request).update(refreshFamilies, family, (current, nowMs) =>
        rotate(current, sequence, nowMs),
      );
      if (rotation.kind !== 'rotated') throw invalidToken(whyRefused(rotation));
      const user = users.find(({ username }) => username === rotation.username);
      if (user === undefined) throw invalidToken('The login is of a user that does not exist');
      const next = formatRefreshToken(mac, { family, sequence: rotation.sequence });
      return tokensFor(request, user, next);
    },
  );

  app.post(
    '/api/auth/jwt/logout',
    {
      schema: {
        summary: 'Revokes every refresh token of a login',
        description: 'Access tokens are not looked up anywhere, and so count until they expire.',
        body: refreshBodySchema,
        response: { 204: Type.Null(), ...bodyRefusals },
      },
    },
    async (request, reply) => {
      const { family } = readRefreshToken(mac, request.body.refreshToken);
      await sandboxOf(request).update(refreshFamilies, family, revoke);
      return reply.code(204).send(null);
    },
  );
}

function readRefreshToken(mac: KeyedMac, text: string) {
  const token = parseRefreshToken(mac, text);
  if (token === undefined) {
    throw invalidToken(
      'This is not a refresh token of this service: jrt_ and 40 hex digits, exactly as they were given out since it started',
    );
  }
  return token;
}

function whyRefused(rotation: Exclude<Rotation, { readonly kind: 'rotated' }>): string {
  if (rotation.kind === 'reused') {
    return 'The refresh token has been used before; all refresh tokens of that login are revoked now, so log in again';
  }
  if (rotation.kind === 'ended') {
    return 'The login of this refresh token has ended: it was not refreshed for 7 days, is no longer remembered, or is of another sandbox; log in again';
  }
  const what = rotation.because === 'logout' ? 'logout' : 'a second use of one of them';
  return `The refresh tokens of this login were revoked by ${what} at '${new Date(rotation.atMs).toISOString()}'; log in again`;
}

function seconds(timeMs: number): number {
  return Math.floor(timeMs / 1000);
}
