/** Defects of authentication, tokens and sessions. */

import type { Request } from '#http/exchange.js';
import {
  claimsOf,
  isMembers,
  losesWrites,
  sentParameter,
  setHeader,
  shownBySession,
} from '../change-request.js';
import { defectsOf } from '../defect.js';

const refreshFamilies = 'auth:refresh-families';

/** A family that the logout or the reuse of a token has not revoked. */
function withoutRevocation(value: unknown): unknown {
  if (!isMembers(value)) return value;
  const { revoked: _revoked, ...family } = value;
  return family;
}

const nameClaim = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier';

function timestampOf({ raw }: Request): number | undefined {
  const text = raw.headers['x-timestamp'];
  return typeof text === 'string' && /^\d{1,12}$/.test(text) ? Number(text) * 1000 : undefined;
}

export const loginDefects = defectsOf('Authentication', {
  'jwt-expiry-ignored': {
    level: 'middle',
    kind: 'authentication',
    endpoints: ['GET /api/auth/jwt/me'],
    wrong: 'An expired access token is accepted.',
    right: 'An expired access token gets 401 with error="invalid_token".',
    state(request) {
      const { exp } = claimsOf(request);
      const last = typeof exp === 'number' ? exp * 1000 - 1000 : Number.POSITIVE_INFINITY;
      return { now: (nowMs) => Math.min(nowMs, last) };
    },
  },
  'jwt-logout-ignored': {
    level: 'senior',
    kind: 'authentication',
    endpoints: ['POST /api/auth/jwt/refresh'],
    wrong: 'After the logout, the refresh token still works.',
    right: 'The logout revokes every refresh token of the login.',
    stores: ['/api/auth/jwt'],
    state: () => ({
      read: (space, value) => {
        const isByLogout =
          space === refreshFamilies &&
          isMembers(value) &&
          isMembers(value.revoked) &&
          value.revoked.because === 'logout';
        return isByLogout ? withoutRevocation(value) : value;
      },
    }),
  },
  'jwt-reuse-not-revoked': {
    level: 'senior',
    kind: 'authentication',
    endpoints: ['POST /api/auth/jwt/refresh'],
    wrong: 'The second use of a refresh token gets 401, but the newest token still works.',
    right: 'A second use revokes all refresh tokens of the login, including the newest.',
    stores: ['/api/auth/jwt'],
    state: () => ({
      read: (space, value) => {
        const isByReuse =
          space === refreshFamilies &&
          isMembers(value) &&
          isMembers(value.revoked) &&
          value.revoked.because === 'reuse';
        return isByReuse ? withoutRevocation(value) : value;
      },
    }),
  },
  'jwt-admin-for-all': {
    level: 'middle',
    kind: 'function-level-authorization',
    endpoints: ['GET /api/auth/jwt/admin'],
    wrong: 'A token of the role user is accepted.',
    right: 'Other roles than admin get 403.',
    after(response, request) {
      if (response.status !== 403) return;
      response.status = 200;
      response.removeHeader('www-authenticate');
      response.json = { message: 'Welcome.', username: String(claimsOf(request)[nameClaim]) };
    },
  },
  'basic-wrong-is-403': {
    level: 'junior',
    kind: 'status',
    endpoints: ['GET /api/auth/basic'],
    wrong: 'Wrong credentials get 403.',
    right: 'Wrong credentials get 401 with a challenge.',
    after(response, request) {
      if (response.status !== 401 || request.headers.authorization === undefined) return;
      const { json } = response;
      response.status = 403;
      if (isMembers(json)) response.json = { ...json, status: 403, error: 'Forbidden' };
    },
  },
  'api-key-in-the-url': {
    level: 'junior',
    kind: 'authentication',
    endpoints: ['GET /api/auth/api-key/header'],
    wrong: 'A key in the query is accepted instead of the header.',
    right: 'The key is read only from X-API-Key.',
    before(request) {
      const key = sentParameter(request, 'api_key');
      const isAbsent = request.raw.headers['x-api-key'] === undefined;
      if (isAbsent && key !== undefined && /^[!-~]{1,200}$/.test(key)) {
        setHeader(request, 'x-api-key', key);
      }
    },
  },
  'bearer-admin-for-users': {
    level: 'junior',
    kind: 'function-level-authorization',
    endpoints: ['GET /api/auth/roles/admin'],
    wrong: 'The token of the role user is accepted.',
    right: 'A token without the role admin gets 403.',
    after(response) {
      const { json } = response;
      if (response.status !== 403 || !json?.roles?.includes('user')) return;
      response.status = 200;
      response.removeHeader('www-authenticate');
      response.json = { authorized: true, user: 'user', roles: json.roles, scopes: json.scopes };
    },
  },
  'bearer-without-challenge': {
    level: 'junior',
    kind: 'headers',
    endpoints: ['GET /api/auth/roles/user'],
    wrong: 'The 401 has no WWW-Authenticate.',
    right: 'A 401 has a challenge in WWW-Authenticate.',
    after(response) {
      if (response.status === 401) response.removeHeader('www-authenticate');
    },
  },
  'jwt-lifetime-in-milliseconds': {
    level: 'junior',
    kind: 'time',
    endpoints: ['POST /api/auth/jwt/login'],
    wrong: 'expiresIn has milliseconds.',
    right: 'expiresIn is the lifetime in seconds.',
    after(response) {
      const { json } = response;
      if (typeof json?.expiresIn !== 'number') return;
      response.json = { ...json, expiresIn: json.expiresIn * 1000 };
    },
  },
  'api-key-missing-is-400': {
    level: 'junior',
    kind: 'status',
    endpoints: ['GET /api/auth/api-key/query'],
    wrong: 'A missing key gets 400.',
    right: 'A missing key gets 401.',
    after(response, request) {
      const { json } = response;
      const isMissing = sentParameter(request, 'api_key') === undefined;
      if (response.status !== 401 || !isMissing) return;
      response.status = 400;
      if (isMembers(json)) response.json = { ...json, status: 400, error: 'Bad Request' };
    },
  },
  'oauth-revocation-lost': {
    level: 'senior',
    kind: 'authentication',
    endpoints: ['POST /api/auth/oauth/revoke'],
    wrong: 'The response is 200, but the token remains valid.',
    right: 'A revoked token is not active.',
    stores: ['/api/auth/oauth'],
    shownBy: ({ body }) => ({
      target: '/api/auth/oauth/protected',
      headers: { authorization: `Bearer ${new URLSearchParams(body.toString()).get('token')}` },
    }),
    state: losesWrites,
  },
  'oauth-token-cacheable': {
    level: 'junior',
    kind: 'caching',
    endpoints: ['POST /api/auth/oauth/token'],
    wrong: 'The response with the token may be stored by caches.',
    right: 'The response has Cache-Control: no-store.',
    after(response) {
      if (response.status !== 200) return;
      response.setHeader('cache-control', 'public, max-age=3600');
      response.removeHeader('pragma');
    },
  },
  'hmac-old-timestamp': {
    level: 'junior',
    kind: 'authentication',
    endpoints: ['POST /api/auth/hmac'],
    wrong: 'A signature with an old timestamp is accepted, so that a request can be replayed.',
    right: "X-Timestamp must be at most 300 seconds from the server's time.",
    state(request) {
      const timestampMs = timestampOf(request);
      return { now: (nowMs) => timestampMs ?? nowMs };
    },
  },
  'session-survives-logout': {
    level: 'senior',
    kind: 'authentication',
    endpoints: ['POST /api/auth/session/logout'],
    wrong: 'The logout deletes the cookie, but the session remains valid.',
    right: 'After the logout, the cookie of the session is not accepted.',
    stores: ['/api/auth/session'],
    shownBy: shownBySession,
    state: losesWrites,
  },
});
