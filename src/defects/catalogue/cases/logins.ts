/** Reports of bugs of authentication, which are never served. */

import type { BugCase } from './bug-case.js';

const login = 'POST /api/auth/jwt/login | {"username":"user","password":"user-secret"}';

export const loginCases: Readonly<Record<string, BugCase>> = {
  'jwt-expiry-ignored': {
    steps: [
      'GET /api/auth/jwt/expired',
      'GET /api/auth/jwt/me | Authorization: Bearer {1.json.accessToken}',
    ],
    at: 'status',
    right: 401,
    wrong: 200,
    healthy: ['GET /api/auth/jwt/me'],
    healthyStatus: 401,
  },
  'jwt-logout-ignored': {
    steps: [
      login,
      'POST /api/auth/jwt/logout | {"refreshToken":"{1.json.refreshToken}"}',
      'POST /api/auth/jwt/refresh | {"refreshToken":"{1.json.refreshToken}"}',
    ],
    again: [
      login,
      'POST /api/auth/jwt/logout | {"refreshToken":"{1.json.refreshToken}"}',
      'report POST /api/auth/jwt/refresh | {"refreshToken":"{1.json.refreshToken}"}',
    ],
    at: 'status',
    right: 401,
    wrong: 200,
    healthy: ['POST /api/auth/jwt/refresh | {"refreshToken":"jrt_x"}'],
    healthyStatus: 401,
  },
  'jwt-reuse-not-revoked': {
    steps: [
      login,
      'POST /api/auth/jwt/refresh | {"refreshToken":"{1.json.refreshToken}"}',
      'POST /api/auth/jwt/refresh | {"refreshToken":"{1.json.refreshToken}"}',
      'POST /api/auth/jwt/refresh | {"refreshToken":"{2.json.refreshToken}"}',
    ],
    again: [
      login,
      'POST /api/auth/jwt/refresh | {"refreshToken":"{1.json.refreshToken}"}',
      'POST /api/auth/jwt/refresh | {"refreshToken":"{1.json.refreshToken}"}',
      'report POST /api/auth/jwt/refresh | {"refreshToken":"{2.json.refreshToken}"}',
    ],
    at: 'status',
    right: 401,
    wrong: 200,
    healthy: ['POST /api/auth/jwt/refresh | {"refreshToken":"jrt_x"}'],
    healthyStatus: 401,
  },
  'jwt-admin-for-all': {
    steps: [login, 'GET /api/auth/jwt/admin | Authorization: Bearer {1.json.accessToken}'],
    at: 'status',
    right: 403,
    wrong: 200,
    healthy: ['GET /api/auth/jwt/admin'],
    healthyStatus: 401,
  },
  'basic-wrong-is-403': {
    steps: ['GET /api/auth/basic | Authorization: Basic <<base64 demo:wrong>>'],
    at: 'status',
    right: 401,
    wrong: 403,
    healthy: ['GET /api/auth/basic'],
    healthyStatus: 401,
  },
  'api-key-in-the-url': {
    steps: ['GET /api/auth/api-key/header?api_key=demo-api-key'],
    at: 'status',
    right: 401,
    wrong: 200,
    healthy: ['GET /api/auth/api-key/header'],
    healthyStatus: 401,
  },
  'bearer-admin-for-users': {
    steps: ['GET /api/auth/roles/admin | Authorization: Bearer demo-user-token'],
    at: 'status',
    right: 403,
    wrong: 200,
    healthy: ['GET /api/auth/roles/admin | Authorization: Bearer demo-read-only-token'],
    healthyStatus: 403,
  },
  'bearer-without-challenge': {
    steps: ['GET /api/auth/roles/user'],
    at: 'headers.www-authenticate',
    right: 'Bearer',
    wrong: null,
    healthy: ['GET /api/auth/roles/user | Authorization: Bearer demo-user-token'],
    healthyStatus: 200,
  },
  'jwt-lifetime-in-milliseconds': {
    steps: [login],
    at: 'body.expiresIn',
    right: 900,
    wrong: 900000,
    healthy: ['POST /api/auth/jwt/login | {"username":"user","password":"wrong"}'],
    healthyStatus: 401,
  },
  'api-key-missing-is-400': {
    steps: ['GET /api/auth/api-key/query'],
    at: 'status',
    right: 401,
    wrong: 400,
    healthy: ['GET /api/auth/api-key/query?api_key=wrong'],
    healthyStatus: 401,
  },
  'oauth-revocation-lost': {
    steps: [
      'POST /api/auth/oauth/token | form grant_type=client_credentials&client_id=demo-client&client_secret=demo-client-secret',
      'POST /api/auth/oauth/revoke | form token={1.json.access_token}&client_id=demo-client&client_secret=demo-client-secret',
      'GET /api/auth/oauth/protected | Authorization: Bearer {1.json.access_token}',
    ],
    reported: 2,
    at: 'status',
    right: 401,
    wrong: 200,
    healthy: ['POST /api/auth/oauth/revoke | form token=x'],
    healthyStatus: 401,
  },
  'oauth-token-cacheable': {
    steps: [
      'POST /api/auth/oauth/token | form grant_type=client_credentials&client_id=demo-client&client_secret=demo-client-secret',
    ],
    at: 'headers.cache-control',
    right: 'no-store',
    wrong: 'public, max-age=3600',
    healthy: ['POST /api/auth/oauth/token | form grant_type=password'],
    healthyStatus: 401,
  },
  'hmac-old-timestamp': {
    steps: [
      'POST /api/auth/hmac | X-Timestamp: 1577836800 | X-Signature: <<hmac demo-hmac-secret 1577836800.{"amount":1}>> | {"amount":1}',
    ],
    at: 'status',
    right: 401,
    wrong: 200,
    healthy: ['POST /api/auth/hmac | X-Timestamp: 1577836800 | X-Signature: 00 | {"amount":1}'],
    healthyStatus: 401,
  },
  'session-survives-logout': {
    steps: [
      'POST /api/auth/session/login | {"username":"ada","password":"ada-secret"}',
      'POST /api/auth/session/logout | Cookie: {1.cookie} | {}',
      'GET /api/auth/session/me | Cookie: {1.cookie}',
    ],
    reported: 2,
    at: 'status',
    right: 401,
    wrong: 200,
    healthy: ['POST /api/auth/session/logout | {}'],
    healthyStatus: 204,
  },
};
