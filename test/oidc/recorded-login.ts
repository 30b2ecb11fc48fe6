/**
 * A login by a client that checks nothing, as a record of what it received. Values that differ
 * between any two logins are replaced, so that records can be compared.
 */

import { createHash } from 'node:crypto';
import {
  compactVerify,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JSONWebKeySet,
} from 'jose';
import { type Fields, issuerAt, responseIn } from '../support/oidc.js';
import type { HttpResponse, TestService } from '../support/service.js';

export interface RecordedLogin {
  /** The responses, by their parts; a part without a response is missing. */
  readonly parts: Readonly<Record<string, unknown>>;
  /** Time until the token endpoint responded. */
  readonly tokenMs: number;
}

type Steady = (value: unknown) => unknown;

/** `prefix` is the path before `/oidc`; the keys are those that an ID token is verified with. */
export async function recordLogin(
  service: TestService,
  prefix: string,
  keys: JSONWebKeySet,
  request: Fields,
): Promise<RecordedLogin> {
  const at = issuerAt(service, prefix);
  const steady = steadyAt(`${service.url}${prefix}/oidc`);
  const documents = {
    discovery: steady(
      (await service.send(`GET ${prefix}/oidc/.well-known/openid-configuration`)).json,
    ),
    jwks: steady((await service.send(`GET ${prefix}/oidc/jwks`)).json),
  };
  const [response, other] = [await at.authorize(request), await at.authorize(request)];
  const startedMs = performance.now();
  const [granted, unverified] = await Promise.all([
    at.redeem(responseIn(response).get('code') ?? ''),
    at.redeem(responseIn(other).get('code') ?? '', { code_verifier: 'x'.repeat(43) }),
  ]);
  const tokenMs = performance.now() - startedMs;
  const { location = '' } = response.headers;
  const codes = {
    response: steady([location.split('?', 1), ...responseIn(response)]),
    token: tokenPart(granted, steady),
    wrongVerifier: unverified.status,
  };
  if (granted.status !== 200) return { parts: { ...documents, ...codes }, tokenMs };
  const { access_token: access, refresh_token: refresh } = granted.json;
  const refreshed = await at.token({ grant_type: 'refresh_token', refresh_token: refresh });
  const isRotated = refreshed.json.refresh_token !== refresh;
  const uses = {
    idToken: steady(await readIdToken(granted.json, keys)),
    refreshed: { ...tokenPart(refreshed, steady), isRotated },
    renewedIdToken: steady(await readIdToken(refreshed.json, keys)),
    userinfo: steady((await at.get('userinfo', access)).json),
    api: steady((await at.get('api/me', access)).json),
  };
  return { parts: { ...documents, ...codes, ...uses }, tokenMs };
}

function tokenPart({ status, headers, text }: HttpResponse, steady: Steady) {
  const { 'content-type': type = '' } = headers;
  return { status, type, body: type.includes('json') ? steady(JSON.parse(text)) : text };
}

interface Tokens {
  readonly access_token: string;
  readonly id_token: string;
}

async function readIdToken({ access_token: access, id_token: token }: Tokens, keys: JSONWebKeySet) {
  const { at_hash: hash, ...claims } = decodeJwt(token);
  const digest = createHash('sha256').update(access).digest().subarray(0, 16);
  const isSigned = await compactVerify(token, createLocalJWKSet(keys)).then(
    () => true,
    () => false,
  );
  const isOfAccessToken = hash === digest.toString('base64url');
  return { header: decodeProtectedHeader(token), claims, isOfAccessToken, isSigned };
}

const random = ['access_token', 'refresh_token', 'id_token', 'sid'];
const times = ['iat', 'exp', 'auth_time'];

/** Replaces the URL of the issuer, random texts, and times: these by ten minutes from now. */
function steadyAt(issuer: string): Steady {
  return (value) => {
    const json = JSON.stringify(value)
      .replaceAll(issuer, 'ISSUER')
      .replace(/oac_[\w-]+/, 'CODE');
    return JSON.parse(json, (name, each) => {
      if (random.includes(name)) return 'random';
      if (!times.includes(name)) return each;
      return [Math.round((each - Date.now() / 1000) / 600) || 0, each % 1];
    });
  };
}
