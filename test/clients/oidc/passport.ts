/**
 * passport-openidconnect: it has no PKCE, trusts the connection, and needs all endpoints
 * configured.
 */

import { createRequire } from 'node:module';
import { clientId, clientSecret, follow, redirectUri } from './browser.js';

interface Outcome {
  readonly location?: string;
  readonly accessToken?: string;
  readonly refreshToken?: string;
}

type Done = (error: Error | null, tokens?: Outcome) => void;
type Verify = (...args: [...unknown[], string, string, unknown, Done]) => void;

/** Members that Passport itself adds to a strategy for each request. */
interface Attempt {
  authorizationParams: () => Readonly<Record<string, string>>;
  authenticate: (request: object) => void;
  redirect: (location: string) => void;
  success: (tokens: Outcome) => void;
  fail: (reason: { readonly message?: string }) => void;
  error: (error: Error) => void;
}

const { Strategy } = createRequire(import.meta.url)('passport-openidconnect') as {
  readonly Strategy: new (options: object, verify: Verify) => Attempt;
};

function strategyFor(issuer: string): Attempt {
  const options = {
    issuer,
    authorizationURL: `${issuer}/authorize`,
    tokenURL: `${issuer}/token`,
    userInfoURL: `${issuer}/userinfo`,
    clientID: clientId,
    clientSecret,
    callbackURL: redirectUri,
    scope: ['profile', 'offline_access'],
    nonce: true,
  };
  const verify = (
    _issuer: unknown,
    _fromUserinfo: unknown,
    _fromIdToken: unknown,
    _context: unknown,
    _idToken: unknown,
    accessToken: string,
    refreshToken: string,
    _params: unknown,
    done: Done,
  ) => done(null, { accessToken, refreshToken });
  const strategy = new Strategy(options, verify as Verify);
  strategy.authorizationParams = () => ({ auto: 'ada' });
  return strategy;
}

function attempt(strategy: Attempt, request: object): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const each: Attempt = Object.assign(Object.create(strategy), {
      redirect: (location: string) => resolve({ location }),
      success: resolve,
      fail: ({ message }: { readonly message?: string }) => reject(new Error(message ?? '')),
      error: (error: Error & { oauthError?: { statusCode?: number } }) => {
        const { oauthError } = error;
        const status = oauthError?.statusCode === undefined ? '' : `: ${oauthError.statusCode}`;
        reject(new Error(`${error.message}${status}`));
      },
    });
    each.authenticate(request);
  });
}

export async function logIn(issuer: string): Promise<void> {
  const strategy = strategyFor(issuer);
  const session = {};
  const { location = '' } = await attempt(strategy, { session, query: {} });
  const arrived = await follow(location);
  const query = Object.fromEntries(arrived.searchParams);
  const { accessToken, refreshToken = '' } = await attempt(strategy, { session, query });
  // Applications refresh tokens themselves.
  const authorization = `Bearer ${accessToken}`;
  await fetch(`${issuer}/api/me`, { headers: { authorization } });
  await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: clientId,
      client_secret: clientSecret,
    }),
  });
  await fetch(`${issuer}/api/me`, { headers: { authorization } });
}
