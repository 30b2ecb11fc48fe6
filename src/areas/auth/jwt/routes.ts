/** Login for a JWT, endpoints that want one, and refresh tokens that rotate. */

import { randomBytes } from 'node:crypto';
import { lazily } from '../../../base/lazily.js';
import { unixSeconds } from '../../../base/whole-seconds.js';
import { valuesIn } from '../../../config/setting.js';
import { unauthorized } from '../../../http/credentials/challenge.js';
import { isFault } from '../../../http/credentials/fault.js';
import type { KeyedMac } from '../../../http/credentials/keyed-mac.js';
import type { UserCredentials } from '../../../http/credentials/user-credentials.js';
import type { Request } from '../../../http/exchange.js';
import { singleHeader } from '../../../http/headers/header-values.js';
import type { App } from '../../../kit/app.js';
import type { Services } from '../../../kit/area.js';
import { bearerChallenge, insufficientScope, invalidToken } from '../bearer-errors.js';
import { readBearerToken } from '../read-bearer-token.js';
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
import * as schemas from './schemas.js';
import { jwtSettings } from './settings.js';
import { findUser, type JwtUser, jwtUsers } from './users.js';

export async function addJwtRoutes(app: App, services: Services, mac: KeyedMac): Promise<void> {
  const keyBytes = await services.signingKey('jwt', valuesIn(services.config, jwtSettings).jwtKey);
  const jwt = new JwtEndpoints(services, mac, keyBytes);
  const path = '/api/auth/jwt';

  app.post(`${path}/login`, { schema: schemas.logIn }, (request) =>
    jwt.logIn(request, request.body),
  );
  app.get(`${path}/me`, { schema: schemas.showMe }, (request) => jwt.showMe(request));
  app.get(`${path}/admin`, { schema: schemas.greetAdmin }, (request) => jwt.greetAdmin(request));
  app.get(`${path}/expired`, { schema: schemas.giveExpired }, (request) =>
    jwt.giveExpired(request),
  );
  app.post(`${path}/refresh`, { schema: schemas.refresh }, (request) =>
    jwt.refresh(request, request.body.refreshToken),
  );
  app.post(`${path}/logout`, { schema: schemas.logOut }, async (request, reply) => {
    await jwt.logOut(request, request.body.refreshToken);
    return reply.code(204).send(null);
  });
}

/** How long ago the sample of an expired token expired. */
const expiredSecondsAgo = 3600;

class JwtEndpoints {
  readonly #services: Services;
  readonly #mac: KeyedMac;
  readonly #users: readonly JwtUser[];
  // WebCrypto loads when it is first used, which takes a tenth of a start.
  readonly #key: () => ReturnType<typeof importKey>;
  readonly #verify: ReturnType<typeof rememberVerified>;

  constructor(services: Services, mac: KeyedMac, keyBytes: Uint8Array) {
    this.#services = services;
    this.#mac = mac;
    this.#users = jwtUsers(services.config);
    this.#key = lazily(() => importKey(keyBytes));
    this.#verify = rememberVerified((token, baseUrl, nowMs) =>
      this.#key().then((known) => verifyAccessToken(known, token, baseUrl, nowMs)),
    );
  }

  async logIn(request: Request, given: UserCredentials) {
    const user = findUser(this.#users, given);
    if (user === undefined) {
      throw unauthorized('The user name or the password is wrong.', bearerChallenge);
    }
    const family = randomBytes(8).toString('hex');
    await this.#services
      .sandboxOf(request)
      .update(refreshFamilies, family, (_none, nowMs) => startFamily(user.username, nowMs));
    const refreshToken = formatRefreshToken(this.#mac, { family, sequence: 1 });
    return this.#tokensFor(request, user, refreshToken);
  }

  async showMe(request: Request) {
    const { user, claims } = await this.#identify(request);
    const { username, role, name, email } = user;
    return {
      username,
      role,
      name,
      email,
      claims: Object.entries(claims).map(([type, value]) => ({ type, value: String(value) })),
    };
  }

  async greetAdmin(request: Request) {
    const { user, claims } = await this.#identify(request);
    const role = claims[claimNames.role];
    if (role !== 'admin') {
      throw insufficientScope(`This needs the role admin; the token has the role ${role}`);
    }
    return { message: `Welcome, ${user.name}.`, username: user.username };
  }

  async giveExpired(request: Request) {
    const { baseUrlOf, sandboxOf } = this.#services;
    const expiredAt = unixSeconds(await sandboxOf(request).now()) - expiredSecondsAgo;
    const notBefore = expiredAt - accessTokenSeconds;
    const { username, role, email } = this.#users.find((user) => user.role === 'user') as JwtUser;
    const subject = { username, role, email };
    const key = await this.#key();
    return {
      accessToken: await issueAccessToken(key, subject, baseUrlOf(request), notBefore),
      tokenType: 'Bearer',
      expiredAt: new Date(expiredAt * 1000).toISOString(),
      message:
        'The signature is right, but the token has expired: GET /api/auth/jwt/me rejects it.',
    } as const;
  }

  async refresh(request: Request, refreshToken: string) {
    const { family, sequence } = readRefreshToken(this.#mac, refreshToken);
    const rotation = await this.#services
      .sandboxOf(request)
      .update(refreshFamilies, family, (current, nowMs) => rotate(current, sequence, nowMs));
    if (rotation.kind !== 'rotated') throw invalidToken(whyRejected(rotation));
    const user = this.#users.find(({ username }) => username === rotation.username);
    if (user === undefined) throw invalidToken('The login is of a user that does not exist');
    const next = formatRefreshToken(this.#mac, { family, sequence: rotation.sequence });
    return this.#tokensFor(request, user, next);
  }

  async logOut(request: Request, refreshToken: string) {
    const { family } = readRefreshToken(this.#mac, refreshToken);
    await this.#services.sandboxOf(request).update(refreshFamilies, family, revoke);
  }

  /** The user and the claims of a request's token. */
  async #identify(request: Request) {
    const { baseUrlOf, sandboxOf } = this.#services;
    const token = readBearerToken(singleHeader(request, 'authorization'));
    const nowMs = await sandboxOf(request).now();
    const claims = await this.#verify(token, baseUrlOf(request), nowMs);
    if (isFault(claims)) throw invalidToken(claims.fault);
    const username = claims[claimNames.nameIdentifier];
    const user = this.#users.find((each) => each.username === username);
    // A configured key outlives the settings: its tokens can name users that are no more.
    if (user === undefined) throw invalidToken('The token names a user that does not exist');
    return { user, claims };
  }

  async #tokensFor(
    request: Request,
    { username, role, name, email }: JwtUser,
    refreshToken: string,
  ) {
    const { baseUrlOf, sandboxOf } = this.#services;
    const nowMs = await sandboxOf(request).now();
    const subject = { username, role, email };
    const key = await this.#key();
    return {
      accessToken: await issueAccessToken(key, subject, baseUrlOf(request), unixSeconds(nowMs)),
      tokenType: 'Bearer',
      expiresIn: accessTokenSeconds,
      refreshToken,
      user: { username, role, name },
    } as const;
  }
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

function whyRejected(rotation: Exclude<Rotation, { readonly kind: 'rotated' }>): string {
  if (rotation.kind === 'reused') {
    return 'The refresh token has been used before; all refresh tokens of that login are revoked now, so log in again';
  }
  if (rotation.kind === 'ended') {
    return 'The login of this refresh token has ended: it was not refreshed for 7 days, is no longer remembered, or is of another sandbox; log in again';
  }
  const what = rotation.because === 'logout' ? 'logout' : 'a second use of one of them';
  return `The refresh tokens of this login were revoked by ${what} at '${new Date(rotation.atMs).toISOString()}'; log in again`;
}
