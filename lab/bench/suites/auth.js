/** Basic, bearer and JWT beside the same checks by hand, with node:crypto alone, and httpbin. */

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { floor, startAuthFloor } from '../floors.js';
import { ourProgram } from '../our-program.js';
import { httpbin } from '../peers/httpbin.js';

const jwtKey = 'the key of the benchmark, 32 bytes or more';
const baseUrl = 'http://bench.example';
const claimNames = {
  nameIdentifier: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier',
  role: 'http://schemas.microsoft.com/ws/2008/06/identity/claims/role',
  email: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
};

const nowSeconds = Math.floor(Date.now() / 1000);
const jwt = signJwt({
  [claimNames.nameIdentifier]: 'user',
  [claimNames.role]: 'user',
  [claimNames.email]: 'uma.user@example.com',
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

/** @type {import('../harness.js').Suite} */
export const suite = {
  name: 'auth',
  contenders: {
    'practice-api': ourProgram(['--auth-jwt-key', jwtKey, '--base-url', baseUrl]),
    [floor]: (ourUrl) =>
      startAuthFloor(ourUrl, { basic, bearer, jwtKey, issuer: baseUrl, claimNames }),
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
 * @param {object} expected What the record must hold
 * @param {string} [httpbinPath]
 * @returns {import('../harness.js').BenchCase}
 */
function accepted(path, authorization, expected, httpbinPath) {
  const request = { path, headers: { authorization } };
  return {
    name: `GET ${path}`,
    requests: {
      'practice-api': request,
      [floor]: request,
      ...(httpbinPath && { 'httpbin (gunicorn)': { ...request, path: httpbinPath } }),
    },
    check(status, body, contender) {
      assert.equal(status, 200);
      const record = JSON.parse(body);
      if (contender.startsWith('httpbin')) assert.equal(record.authenticated, true);
      else assert.deepEqual({ ...record, ...expected }, record);
    },
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
