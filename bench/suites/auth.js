/**
 * Basic, bearer and JWT beside a bare node:http server that checks the same credentials by hand, with
 * node:crypto alone and no more care than it must.
 */

import assert from 'node:assert/strict';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { SignJWT } from 'jose';
import { createService } from 'practice-api';
import { listenOnLoopback } from '../listen-on-loopback.js';

const jwtKey = 'the key of the benchmark, 32 bytes or more';
const baseUrl = 'http://bench.example';
const claimNames = {
  nameIdentifier: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier',
  role: 'http://schemas.microsoft.com/ws/2008/06/identity/claims/role',
  email: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
};

const nowSeconds = Math.floor(Date.now() / 1000);
const jwt = await new SignJWT({
  [claimNames.nameIdentifier]: 'user',
  [claimNames.role]: 'user',
  [claimNames.email]: 'uma.user@example.com',
})
  .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
  .setJti('00000000-0000-4000-8000-000000000000')
  .setNotBefore(nowSeconds)
  .setExpirationTime(nowSeconds + 24 * 3600)
  .setIssuer(baseUrl)
  .setAudience(baseUrl)
  .sign(Buffer.from(jwtKey));

const basic = `Basic ${Buffer.from('demo:basic-secret').toString('base64')}`;
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
    'practice-api': async () => (await createService({ jwtKey, baseUrl })).url,
    'node:http by hand': startByHand,
  },
  cases: [
    sameForBoth('/api/auth/basic', basic, basicRecord),
    sameForBoth('/api/auth/bearer', 'Bearer demo-admin-token', bearerRecord),
    sameForBoth('/api/auth/jwt/me', `Bearer ${jwt}`, { username: 'user', role: 'user' }),
  ],
};

/**
 * @param {string} path
 * @param {string} authorization
 * @param {object} expected What the record must hold
 * @returns {import('../harness.js').BenchCase}
 */
function sameForBoth(path, authorization, expected) {
  const request = { path, headers: { authorization } };
  return {
    name: `GET ${path}`,
    requests: { 'practice-api': request, 'node:http by hand': request },
    check(status, body) {
      assert.equal(status, 200);
      const record = JSON.parse(body);
      assert.deepEqual({ ...record, ...expected }, record);
    },
  };
}

function startByHand() {
  const server = createServer((request, response) => {
    const authorization = request.headers.authorization ?? '';
    const record =
      request.url === '/api/auth/basic'
        ? authorization === basic && basicRecord
        : request.url === '/api/auth/bearer'
          ? authorization === 'Bearer demo-admin-token' && bearerRecord
          : me(authorization.slice('Bearer '.length));
    const body = JSON.stringify(record || { status: 401 });
    response.writeHead(record ? 200 : 401, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
  return listenOnLoopback(server);
}

/** @param {string} token */
function me(token) {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const expected = createHmac('sha256', jwtKey).update(`${header}.${payload}`).digest();
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  if (claims.exp * 1000 <= Date.now() || claims.iss !== baseUrl) return undefined;
  return {
    username: claims[claimNames.nameIdentifier],
    role: claims[claimNames.role],
    name: 'Uma User',
    email: claims[claimNames.email],
    claims: Object.entries(claims).map(([type, value]) => ({ type, value: String(value) })),
  };
}
