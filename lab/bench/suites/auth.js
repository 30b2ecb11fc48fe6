/**
 * Basic, bearer and JWT, compared with the same checks by hand, with only node:crypto, and with
 * httpbin.
 */

import assert from 'node:assert/strict';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isJson, ours } from '../cases.js';
import { floor, startFloor } from '../floors.js';
import { httpbin, ourProgram } from '../programs.js';

const jwtKey = 'the key of the benchmark, 32 bytes or more';
const baseUrl = 'http://bench.example';
const nameClaim = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier';
const roleClaim = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/role';
const emailClaim = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress';

const nowSeconds = Math.floor(Date.now() / 1000);
const jwt = signJwt({
  [nameClaim]: 'user',
  [roleClaim]: 'user',
  [emailClaim]: 'uma.user@example.com',
  jti: '00000000-0000-4000-8000-000000000000',
  nbf: nowSeconds,
  exp: nowSeconds + 24 * 3600,
  iss: baseUrl,
  aud: baseUrl,
});

const basic = `Basic ${Buffer.from('demo:basic-secret').toString('base64')}`;
const bearer = 'Bearer demo-admin-token';
const basicRecord = { authenticated: true, scheme: 'basic', user: 'demo' };
const bearerRecord = {
  authenticated: true,
  scheme: 'bearer',
  user: 'admin',
  roles: ['admin', 'user'],
  scopes: ['read', 'write', 'delete'],
};

/** @type {import('../run-suite.js').Suite} */
export const suite = {
  contenders: {
    [ours]: ourProgram(['--auth-jwt-key', jwtKey, '--base-url', baseUrl]),
    [floor]: (ourUrl) => startFloor(ourUrl, authenticate, '/api/auth/basic'),
    'httpbin (gunicorn)': httpbin,
  },
  cases: [
    accepted('/api/auth/basic', basic, basicRecord, '/basic-auth/demo/basic-secret'),
    accepted('/api/auth/bearer', bearer, bearerRecord, '/bearer'),
    accepted('/api/auth/jwt/me', `Bearer ${jwt}`, { username: 'user', role: 'user' }),
  ],
};

/**
 * @param {string} path
 * @param {string} authorization
 * @param {object} expected Members of the record
 * @param {string} [httpbinPath]
 * @returns {import('../run-suite.js').BenchCase}
 */
function accepted(path, authorization, expected, httpbinPath) {
  const request = { path, headers: { authorization } };
  return {
    name: `GET ${path}`,
    requests: {
      [ours]: request,
      [floor]: request,
      ...(httpbinPath && { 'httpbin (gunicorn)': { ...request, path: httpbinPath } }),
    },
    check: isJson((record, contender) => {
      if (contender.startsWith('httpbin')) assert.equal(record.authenticated, true);
      else assert.deepEqual({ ...record, ...expected }, record);
    }),
  };
}

/** @param {object} claims */
function signJwt(claims) {
  const parts = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const signed = parts.join('.');
  return `${signed}.${createHmac('sha256', jwtKey).update(signed).digest('base64url')}`;
}

/** @type {import('../floors.js').Handle} */
function authenticate({ url, headers: { authorization = '' } }) {
  const record =
    url === '/api/auth/basic'
      ? authorization === basic && basicRecord
      : url === '/api/auth/bearer'
        ? authorization === bearer && bearerRecord
        : verify(authorization.slice('Bearer '.length));
  return { status: record ? 200 : 401, body: JSON.stringify(record || { status: 401 }) };
}

/** @param {string} token */
function verify(token) {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const expected = createHmac('sha256', jwtKey).update(`${header}.${payload}`).digest();
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  if (claims.exp * 1000 <= Date.now() || claims.iss !== baseUrl) return undefined;
  return {
    username: claims[nameClaim],
    role: claims[roleClaim],
    name: 'Uma User',
    email: claims[emailClaim],
    claims: Object.entries(claims).map(([type, value]) => ({ type, value: String(value) })),
  };
}
