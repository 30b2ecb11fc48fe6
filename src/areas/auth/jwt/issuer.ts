/** Issues the tokens of a login, and identifies their users. */

import { lazily } from '#base/lazily.js';
import { unixSeconds } from '#base/whole-seconds.js';
import { invalidToken } from '#http/credentials/challenge.js';
import { isFault } from '#http/credentials/fault.js';
import type { KeyedMac } from '#http/credentials/keyed-mac.js';
import { isSameUser, type UserCredentials } from '#http/credentials/user-credentials.js';
import type { Request } from '#http/exchange.js';
import { readBearerToken } from '../bearer-token.js';
import {
  accessTokenSeconds,
  claimNames,
  importKey,
  issueAccessToken,
  verifyAccessToken,
} from './access-token.js';
import { formatRefreshToken, parseRefreshToken, type RefreshToken } from './refresh-token.js';
import { rememberVerified } from './remember-verified.js';
import type { JwtUser } from './users.js';

export class JwtIssuer {
  readonly #users: readonly JwtUser[];
  readonly #mac: KeyedMac;
  // Imported on first use, because loading WebCrypto makes a start a tenth slower.
  readonly #key: () => ReturnType<typeof importKey>;
  readonly #verify: ReturnType<typeof rememberVerified>;

  constructor(users: readonly JwtUser[], mac: KeyedMac, keyBytes: Uint8Array) {
    this.#users = users;
    this.#mac = mac;
    this.#key = lazily(() => importKey(keyBytes));
    this.#verify = rememberVerified(async (token, baseUrl, nowMs) =>
      verifyAccessToken(await this.#key(), token, baseUrl, nowMs),
    );
  }

  /** Compares with every user, so that the response time does not reveal whether the name exists. */
  userOf(given: UserCredentials): JwtUser | undefined {
    return this.#users.filter((user) => isSameUser(given, user))[0];
  }

  userNamed(name: unknown): JwtUser | undefined {
    return this.#users.find(({ username }) => username === name);
  }

  /** Returns the user and the claims of a request's token. Throws 401. */
  async identify(request: Request) {
    const token = readBearerToken(request);
    const claims = await this.#verify(token, request.baseUrl, await request.sandbox.now());
    if (isFault(claims)) throw invalidToken(claims.fault);
    const user = this.userNamed(claims[claimNames.nameIdentifier]);
    // A configured key outlives other settings, so its tokens can name users that no longer exist.
    if (user === undefined) throw invalidToken('The token names a user that does not exist');
    return { user, claims };
  }

  /** Signs a token that is valid from `notBefore` on, in Unix seconds. */
  async accessToken(request: Request, user: JwtUser, notBefore: number): Promise<string> {
    return issueAccessToken(await this.#key(), user, request.baseUrl, notBefore);
  }

  async tokens(request: Request, user: JwtUser, refreshToken: RefreshToken) {
    const { username, role, name } = user;
    const nowMs = await request.sandbox.now();
    return {
      accessToken: await this.accessToken(request, user, unixSeconds(nowMs)),
      tokenType: 'Bearer',
      expiresIn: accessTokenSeconds,
      refreshToken: formatRefreshToken(this.#mac, refreshToken),
      user: { username, role, name },
    };
  }

  /** Throws 401 for anything but a refresh token of this service. */
  readRefreshToken(text: string): RefreshToken {
    const token = parseRefreshToken(this.#mac, text);
    if (token !== undefined) return token;
    throw invalidToken(
      'This is not a refresh token of this service: send jrt_ and 40 hex digits, exactly as received since its start',
    );
  }
}
