/** Tokens as JWTs: access tokens (RFC 9068 section 2.2) and ID tokens (OpenID Connect Core section 2). */

import { hash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { unixSeconds } from '#base/whole-seconds.js';
import type { Client } from '../model/client.js';
import { audienceOf } from '../model/grants.js';
import type { Signing } from '../model/issuer-keys.js';
import { settingsOf } from '../model/issuer-settings.js';
import { accessClaimsOf, claimsOf, type User } from '../model/users.js';
import type { Issued } from './issue.js';

/** Returns the access token for the client: the text itself, or a JWT with the text as `jti`. */
export async function writeAccessToken(
  { keys, sandbox, issuer }: Signing,
  client: Client,
  { grant, access, record, isJwt }: Issued,
): Promise<string> {
  if (client.accessToken === 'opaque' && !isJwt) return access;
  const { authTimeMs, acr, amr } = grant;
  const { cnf, act } = record;
  const claims: JWTPayload = {
    ...(await accessClaimsOf(sandbox, grant)),
    iss: issuer.url,
    sub: grant.sub,
    aud: audienceOf(record, issuer),
    client_id: grant.clientId,
    scope: record.scope,
    iat: unixSeconds(record.issuedAtMs),
    exp: unixSeconds(record.expiresAtMs),
    jti: access,
    cnf,
    act,
    ...(authTimeMs !== undefined && { auth_time: unixSeconds(authTimeMs), acr, amr }),
  };
  return keys.sign(sandbox, claims, { typ: 'at+jwt' });
}

export async function writeIdToken(
  { keys, sandbox, issuer }: Signing,
  { clientId, idTokenAlg: alg, claimsInIdToken }: Client,
  { grant, record: { issuedAtMs, scope }, nonce }: Issued,
  user: User,
  accessToken: string,
): Promise<string> {
  const iat = unixSeconds(issuedAtMs);
  const { lifetimes } = await settingsOf(sandbox);
  // The left half of the hash of the signature's algorithm (section 3.1.3.6); Ed25519 uses SHA-512.
  const digest = hash(alg === 'EdDSA' ? 'sha512' : 'sha256', accessToken, 'buffer');
  const claims: JWTPayload = {
    ...claimsOf(user, claimsInIdToken ? scope.split(' ') : [], grant.idTokenClaims),
    iss: issuer.url,
    sub: grant.sub,
    aud: clientId,
    iat,
    exp: iat + lifetimes.id,
    auth_time: unixSeconds(grant.authTimeMs ?? issuedAtMs),
    acr: grant.acr,
    amr: grant.amr,
    sid: grant.sid,
    at_hash: digest.subarray(0, digest.length / 2).toString('base64url'),
    nonce,
  };
  return keys.sign(sandbox, claims, { alg });
}
