/** The examples of RFC 9449, and invalid proofs. */

import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { hashOfToken, type ProvedRequest, readProof } from './dpop.js';

const head =
  'eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19';
const examples = {
  token: `${head}.eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg`,
  refresh: `${head}.eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNTYyMjY1Mjk2fQ.pAqut2IRDm_De6PR93SYmGBPXpwrAk90e8cP2hjiaG5QsGSuKDYW7_X620BxqhvYC8ynrrvZLTk41mSRroapUA`,
  resource: `${head}.eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZWN0ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFbyJ9.2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA`,
};
const accessToken = 'Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU';
const toToken = { method: 'POST', url: 'https://server.example.com/token' };
const toResource = {
  method: 'GET',
  url: 'https://resource.example.org/protectedresource',
  accessToken,
};

test.each<[figure: string, text: string, request: Omit<ProvedRequest, 'nowMs'>, iat: number]>([
  ['5: a code', examples.token, toToken, 1562262616],
  ['7: a refresh token', examples.refresh, toToken, 1562265296],
  ['13: a resource', examples.resource, toResource, 1562262618],
])('figure %s', async (_name, text, request, iat) => {
  const proof = await readProof(text, { ...request, nowMs: iat * 1000 });
  expect(proof).toMatchObject({ iat, jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' });
});

test('the hash of the access token in figure 14', () => {
  expect(hashOfToken(accessToken)).toBe('fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo');
});

const iat = 1562262616;
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = publicKey.export({ format: 'jwk' });

interface Difference {
  readonly header?: object;
  readonly claims?: object;
  readonly request?: Partial<ProvedRequest>;
  readonly key?: KeyObject;
}

async function read({ header, claims, request, key = privateKey }: Difference) {
  const payload = { jti: 'a', htm: 'POST', htu: toToken.url, iat, ...claims };
  const text = await new SignJWT(payload)
    .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk, ...header })
    .sign(key);
  return readProof(text, { ...toToken, nowMs: iat * 1000, ...request });
}

test.each<[name: string, difference: Difference]>([
  ['a query and a fragment', { claims: { htu: `${toToken.url}?a=b#c` } }],
  ['a default port', { claims: { htu: 'https://SERVER.example.com:443/token' } }],
  ['unnecessary percent-encoding', { claims: { htu: 'https://server.example.com/%74oken' } }],
  ['five minutes', { request: { nowMs: (iat + 300) * 1000 } }],
  ['a clock that is a minute ahead', { request: { nowMs: (iat - 60) * 1000 } }],
])('%s makes no difference', async (_name, difference) => {
  expect(await read(difference)).toMatchObject({ jti: 'a', iat });
});

const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const strange = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });

test.each<[name: string, difference: Difference, says: string]>([
  ['another type', { header: { typ: 'JWT' } }, 'typ'],
  ['no key', { header: { jwk: undefined } }, 'jwk'],
  ['a private key', { header: { jwk: privateKey.export({ format: 'jwk' }) } }, 'public key'],
  ['the key of another client', { key: other.privateKey }, 'signature'],
  ['a key of another kind', { header: { jwk: strange } }, 'JWK'],
  ['an invalid key', { header: { jwk: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' } } }, 'jwk'],
  ['no jti', { claims: { jti: undefined } }, 'jti'],
  ['an empty jti', { claims: { jti: '' } }, 'jti'],
  ['another method', { claims: { htm: 'GET' } }, 'htm'],
  ['a method in lower case', { claims: { htm: 'post' } }, 'htm'],
  ['another path', { claims: { htu: 'https://server.example.com/tokens' } }, 'htu'],
  ['plain HTTP', { claims: { htu: 'http://server.example.com/token' } }, 'htu'],
  ['only a path', { claims: { htu: '/token' } }, 'htu'],
  ['a htu that is a number', { claims: { htu: 1 } }, 'htu'],
  ['no time', { claims: { iat: undefined } }, 'iat'],
  ['more than five minutes', { request: { nowMs: (iat + 301) * 1000 } }, 'iat'],
  ['a clock far ahead', { request: { nowMs: (iat - 61) * 1000 } }, 'iat'],
  ['an iat that is a string', { claims: { iat: 'now' } }, 'iat'],
  ['expiry', { claims: { exp: iat - 1 } }, 'exp'],
  ['no ath beside a token', { request: { accessToken } }, 'ath'],
  ['the ath of another token', { claims: { ath: 'x' }, request: { accessToken } }, 'ath'],
  ['too much content', { claims: { pad: 'x'.repeat(4096) } }, '4096'],
])('a proof with %s is rejected', async (_name, difference, says) => {
  const fault = await read(difference);
  expect(fault).toBeTypeOf('string');
  expect(fault).toContain(says);
});

test.each(['', 'a', 'a.b.c', `${examples.token}, ${examples.token}`])(
  '%s is not a proof',
  async (text) => {
    expect(await readProof(text, { ...toToken, nowMs: iat * 1000 })).toBeTypeOf('string');
  },
);
