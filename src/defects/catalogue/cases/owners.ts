/** Reports of bugs of records of users, which are never served. */

import type { BugCase } from './bug-case.js';

const login = 'POST /api/auth/jwt/login | {"username":"user","password":"user-secret"}';
const asUser = 'Authorization: Bearer {1.json.accessToken}';
const path = '/api/auth/jwt/orders';

export const ownerCases: Readonly<Record<string, BugCase>> = {
  'orders-of-others-readable': {
    steps: [login, `GET ${path}/3 | ${asUser}`],
    at: 'status',
    right: 404,
    wrong: 200,
    healthy: [login, `GET ${path}/1 | ${asUser}`],
    healthyStatus: 200,
  },
  'orders-of-others-changeable': {
    steps: [login, `PATCH ${path}/3 | ${asUser} | {"quantity":9}`],
    at: 'status',
    right: 404,
    wrong: 200,
    healthy: [`PATCH ${path}/3 | {"quantity":9}`],
    healthyStatus: 401,
  },
  'orders-of-others-deletable': {
    steps: [login, `DELETE ${path}/3 | ${asUser}`],
    at: 'status',
    right: 404,
    wrong: 204,
    healthy: [`DELETE ${path}/3`],
    healthyStatus: 401,
  },
  'orders-status-writable': {
    steps: [login, `PATCH ${path}/1 | ${asUser} | {"quantity":9,"status":"approved"}`],
    at: 'status',
    right: 400,
    wrong: 200,
    healthy: [login, `PATCH ${path}/1 | ${asUser} | {"quantity":9}`],
    healthyStatus: 200,
  },
  'orders-owner-writable': {
    steps: [
      login,
      `POST ${path} | ${asUser} | {"item":"Chair","quantity":1,"deliverTo":"Oslo","owner":"admin"}`,
    ],
    at: 'status',
    right: 400,
    wrong: 201,
    healthy: [login, `POST ${path} | ${asUser} | {"item":"Chair","quantity":1,"deliverTo":"Oslo"}`],
    healthyStatus: 201,
  },
  'orders-cards-readable': {
    steps: [login, `GET ${path} | ${asUser}`],
    at: 'body.0.card',
    right: '**** 3184',
    wrong: '4000002760003184',
    healthy: [`GET ${path}`],
    healthyStatus: 401,
  },
  'me-password-readable': {
    steps: [login, `GET /api/auth/jwt/me | ${asUser}`],
    at: 'body.passwordHash',
    right: null,
    wrong: '5f4dcc3b5aa765d61d8327deb882cf99',
    healthy: ['GET /api/auth/jwt/me'],
    healthyStatus: 401,
  },
  'orders-approved-by-customers': {
    steps: [login, `POST ${path}/1/approve | ${asUser}`],
    at: 'status',
    right: 403,
    wrong: 200,
    healthy: [`POST ${path}/1/approve`],
    healthyStatus: 401,
  },
  'orders-of-all-for-customers': {
    steps: [login, `GET ${path}/all | ${asUser}`],
    at: 'status',
    right: 403,
    wrong: 200,
    healthy: [`GET ${path}/all`],
    healthyStatus: 401,
  },
  'orders-limit-unbounded': {
    steps: [login, `GET ${path}?limit=100000 | ${asUser}`],
    at: 'status',
    right: 400,
    wrong: 200,
    healthy: [login, `GET ${path}?limit=10 | ${asUser}`],
    healthyStatus: 200,
  },
  'orders-cached-by-proxies': {
    steps: [login, `GET ${path}/1 | ${asUser}`],
    at: 'headers.cache-control',
    right: 'no-store',
    wrong: 'public, max-age=300',
    healthy: [login, `GET ${path}/3 | ${asUser}`],
    healthyStatus: 404,
  },
  'orders-in-local-time': {
    steps: [login, `GET ${path} | ${asUser}`, `GET ${path}/1 | ${asUser}`],
    at: 'body.placedAt',
    right: '2026-03-28T23:30:00Z',
    wrong: '2026-03-29T00:30:00Z',
    healthy: [login, `GET ${path}/3 | ${asUser}`],
    healthyStatus: 404,
  },
  'orders-lost-update-at-once': {
    steps: [
      login,
      `GET ${path}/1 | ${asUser}`,
      `PATCH ${path}/1 | ${asUser} | If-Match: {2.etag} | {"quantity":8} & PATCH ${path}/1 | ${asUser} | If-Match: {2.etag} | {"quantity":9}`,
    ],
    reported: 4,
    at: 'status',
    right: 412,
    wrong: 200,
    healthy: [login, `PATCH ${path}/1 | ${asUser} | If-Match: "x" | {"quantity":8}`],
    healthyStatus: 412,
  },
  'jwt-logout-lost': {
    steps: [
      login,
      'POST /api/auth/jwt/logout | {"refreshToken":"{1.json.refreshToken}"}',
      'POST /api/auth/jwt/refresh | {"refreshToken":"{1.json.refreshToken}"}',
    ],
    again: [login, 'report POST /api/auth/jwt/logout | {"refreshToken":"{1.json.refreshToken}"}'],
    at: 'status',
    right: 401,
    wrong: 200,
    healthy: ['POST /api/auth/jwt/logout | {"refreshToken":"jrt_x"}'],
    healthyStatus: 401,
  },
};
