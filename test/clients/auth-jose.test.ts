import { decodeJwt, jwtVerify, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { demoCredentials } from '../support/demo-credentials.js';
import { useService } from '../support/service.js';

const jwtKey = 'the key that jose is given as well';
const key = Buffer.from(jwtKey);
const service = useService({ jwtKey });

async function login() {
  const [, user] = (await demoCredentials(service)).jwt;
  const { json } = await service.send('POST /api/auth/jwt/login', { json: user });
  return json.accessToken as string;
}

test('jose verifies a token with the published claims when the key is configured', async () => {
  const { payload, protectedHeader } = await jwtVerify(await login(), key, {
    algorithms: ['HS256'],
    issuer: service.url,
    audience: service.url,
    typ: 'JWT',
    requiredClaims: [
      'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier',
      'http://schemas.microsoft.com/ws/2008/06/identity/claims/role',
      'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
      ...['jti', 'nbf', 'exp', 'iss', 'aud'],
    ],
  });
  expect(protectedHeader).toEqual({ alg: 'HS256', typ: 'JWT' });
  expect(Number(payload.exp) - Number(payload.nbf)).toBe(900);
});

test('jose reports only that the expired sample has expired', async () => {
  const { json } = await service.send('GET /api/auth/jwt/expired');
  const verification = jwtVerify(json.accessToken, key, { issuer: service.url });
  await expect(verification).rejects.toMatchObject({ code: 'ERR_JWT_EXPIRED' });
});

test('the service accepts a token that jose signed with the configured key', async () => {
  const token = await new SignJWT(decodeJwt(await login()))
    .setProtectedHeader({ alg: 'HS256' })
    .sign(key);
  const { status } = await service.send('GET /api/auth/jwt/me', {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(status).toBe(200);
});

test.each([
  ['another algorithm of the same key', 'HS384', key, /algorithm is 'HS384'/],
  ['another key', 'HS256', Buffer.from('x'.repeat(32)), /signature is invalid/],
])(
  'the service rejects a token that jose signed with %s',
  async (_name, alg, signingKey, reason) => {
    const token = await new SignJWT(decodeJwt(await login()))
      .setProtectedHeader({ alg })
      .sign(signingKey);
    const { status, json } = await service.send('GET /api/auth/jwt/me', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(status).toBe(401);
    expect(json.message).toMatch(reason);
  },
);
